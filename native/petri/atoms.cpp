#include "petri/atoms.hpp"

#include <algorithm>

namespace mpisog::petri {

namespace {

__extension__ typedef __int128 Wide;  // coefficients times token counts may leave 64 bits

bool compare(Wide left, Relation relation, Wide right) {
  switch (relation) {
    case Relation::le:
      return left <= right;
    case Relation::ge:
      return left >= right;
    case Relation::eq:
      return left == right;
    case Relation::ne:
      return left != right;
    case Relation::lt:
      return left < right;
    case Relation::gt:
      return left > right;
  }
  return false;
}

struct Evaluator {
  const Layout& layout;
  const Word* packed;
  std::size_t transition_count;

  bool operator()(const Comparison& atom) const {
    Wide total = 0;
    for (const auto& [place, coefficient] : atom.terms)
      total += Wide{coefficient} * layout.tokens(packed, place);
    return compare(total, atom.relation, atom.bound);
  }
  bool operator()(const Fireable& atom) const {
    return std::any_of(atom.transitions.begin(), atom.transitions.end(),
                       [&](std::uint32_t t) { return layout.enabled(packed, t); });
  }
  bool operator()(const Dead&) const {
    for (std::size_t t = 0; t < transition_count; ++t)
      if (layout.enabled(packed, t)) return false;
    return true;
  }
  bool operator()(const Fire&) const { return false; }
};

}  // namespace

bool holds(const Atom& atom, const Layout& layout, const Word* packed,
           std::size_t transition_count) {
  return std::visit(Evaluator{layout, packed, transition_count}, atom);
}

}  // namespace mpisog::petri
