#include "product/guide.hpp"

#include <algorithm>

namespace mpisog::product {

namespace {

constexpr Distance kFar = 1e12;

// What a sum lacks to be at least, or at most, a number.
Distance lacks(Distance sum, Distance least) { return std::max(0.0, least - sum); }
Distance exceeds(Distance sum, Distance most) { return std::max(0.0, sum - most); }

}  // namespace

Guide::Guide(const petri::Net& net, const Automaton& automaton,
             const std::vector<petri::Atom>& atoms)
    : net_(net),
      automaton_(automaton),
      atoms_(atoms),
      costs_(atoms.size()),
      distances_(automaton.nodes.size()) {}

Distance Guide::distance(const petri::Layout& layout, const petri::Word* packed,
                         std::uint32_t state) {
  const std::uint32_t goal = automaton_.goals[state];
  for (std::size_t i = 0; i < atoms_.size(); ++i) costs_[i] = costs(atoms_[i], layout, packed);
  distances_[0] = kFar;
  distances_[1] = 0;
  for (std::uint32_t n = 2; n <= goal; ++n) {  // a node comes after those it leads to
    const auto& [atom, low, high] = automaton_.nodes[n];
    distances_[n] = std::min({kFar, costs_[atom].to_be_false + distances_[low],
                              costs_[atom].to_be_true + distances_[high]});
  }
  return distances_[goal];
}

Guide::Costs Guide::costs(const petri::Atom& atom, const petri::Layout& layout,
                          const petri::Word* packed) const {
  if (const auto* comparison = std::get_if<petri::Comparison>(&atom)) {
    Distance sum = 0;
    for (const auto& [place, coefficient] : comparison->terms)
      sum +=
          static_cast<Distance>(coefficient) * static_cast<Distance>(layout.tokens(packed, place));
    const auto bound = static_cast<Distance>(comparison->bound);
    const Distance away = sum > bound ? sum - bound : bound - sum;
    const Distance equal = away == 0 ? 1 : 0;
    switch (comparison->relation) {
      case petri::Relation::le:
        return {lacks(sum, bound + 1), exceeds(sum, bound)};
      case petri::Relation::ge:
        return {exceeds(sum, bound - 1), lacks(sum, bound)};
      case petri::Relation::lt:
        return {lacks(sum, bound), exceeds(sum, bound - 1)};
      case petri::Relation::gt:
        return {exceeds(sum, bound), lacks(sum, bound + 1)};
      case petri::Relation::eq:
        return {equal, away};
      case petri::Relation::ne:
        return {away, equal};
    }
  }
  if (const auto* fireable = std::get_if<petri::Fireable>(&atom)) {
    Costs result{0, kFar};
    for (const std::uint32_t t : fireable->transitions) {
      const Distance lack = missing(t, layout, packed);
      result.to_be_true = std::min(result.to_be_true, lack);
      if (lack == 0) ++result.to_be_false;
    }
    return result;
  }
  return {0, 0};  // of events and of deadness nothing is known beforehand
}

Distance Guide::missing(std::uint32_t transition, const petri::Layout& layout,
                        const petri::Word* packed) const {
  Distance sum = 0;
  for (const petri::Arc& arc : net_.transitions[transition].pre)
    sum += lacks(static_cast<Distance>(layout.tokens(packed, arc.place)),
                 static_cast<Distance>(arc.weight));
  return sum;
}

}  // namespace mpisog::product
