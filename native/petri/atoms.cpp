#include "petri/atoms.hpp"

#include <algorithm>

namespace mpisog::petri {

bool compare(Wide left, Relation relation, Wide right) noexcept {
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

namespace {

struct Packed {
  const Layout& layout;
  const Word* packed;
  std::size_t transition_count;

  std::int64_t tokens(std::uint32_t place) const { return layout.tokens(packed, place); }
  bool enabled(std::size_t t) const {
    return layout.enabled(packed, static_cast<std::uint32_t>(t));
  }
};

struct Plain {
  const Net& net;
  const Marking& marking;
  std::size_t transition_count;

  std::int64_t tokens(std::uint32_t place) const { return marking[place]; }
  bool enabled(std::size_t t) const {
    const std::vector<Arc>& pre = net.transitions[t].pre;
    return std::all_of(pre.begin(), pre.end(),
                       [&](const Arc& arc) { return marking[arc.place] >= arc.weight; });
  }
};

template <class View>
struct Evaluator {
  View view;

  bool operator()(const Comparison& atom) const {
    Wide total = 0;
    for (const auto& [place, coefficient] : atom.terms)
      total += Wide{coefficient} * view.tokens(place);
    return compare(total, atom.relation, atom.bound);
  }
  bool operator()(const Fireable& atom) const {
    return std::any_of(atom.transitions.begin(), atom.transitions.end(),
                       [&](std::uint32_t t) { return view.enabled(t); });
  }
  bool operator()(const Dead&) const {
    for (std::size_t t = 0; t < view.transition_count; ++t)
      if (view.enabled(t)) return false;
    return true;
  }
  bool operator()(const Fire&) const { return false; }
};

}  // namespace

bool holds(const Atom& atom, const Layout& layout, const Word* packed,
           std::size_t transition_count) {
  return std::visit(Evaluator<Packed>{{layout, packed, transition_count}}, atom);
}

bool holds(const Atom& atom, const Net& net, const Marking& marking) {
  return std::visit(Evaluator<Plain>{{net, marking, net.transitions.size()}}, atom);
}

}  // namespace mpisog::petri
