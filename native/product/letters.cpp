#include "product/letters.hpp"

#include <set>

namespace mpisog::product {

Letters::Letters(const std::vector<petri::Atom>& atoms, const petri::TokenGame& game)
    : atoms_(atoms),
      game_(game),
      of_place_(game.net().places(), kEnd),
      of_transition_(game.net().transitions(), kEnd),
      sums_(atoms.size(), 0),
      truth_(atoms.size()),
      is_dirty_(atoms.size()) {
  dirty_.reserve(atoms.size());
  for (std::uint32_t i = 0; i < atoms.size(); ++i) {
    if (const auto* comparison = std::get_if<petri::Comparison>(&atoms[i])) {
      for (const auto& [place, factor] : comparison->terms) {
        observe(of_place_[place], i, factor);
        sums_[i] += petri::Wide{factor} * game.tokens(place);
      }
    } else if (const auto* fireable = std::get_if<petri::Fireable>(&atoms[i])) {
      for (const std::uint32_t t :
           std::set<std::uint32_t>(fireable->transitions.begin(), fireable->transitions.end())) {
        observe(of_transition_[t], i, 1);
        sums_[i] += game.enabled().contains(t) ? 1 : 0;
      }
    } else if (std::holds_alternative<petri::Dead>(atoms[i])) {
      has_dead_ = true;
    }
    truth_[i] = holds(i);
  }
}

void Letters::observe(std::uint32_t& head, std::uint32_t atom, std::int64_t factor) {
  entries_.push_back({atom, head, factor});
  head = static_cast<std::uint32_t>(entries_.size() - 1);
}

const std::vector<bool>& Letters::truth() {
  for (const std::uint32_t atom : dirty_) {
    truth_[atom] = holds(atom);
    is_dirty_[atom] = false;
  }
  dirty_.clear();
  if (has_dead_)
    for (std::size_t i = 0; i < atoms_.size(); ++i)
      if (std::holds_alternative<petri::Dead>(atoms_[i])) truth_[i] = holds(i);
  return truth_;
}

bool Letters::holds(std::size_t atom) const {
  if (const auto* comparison = std::get_if<petri::Comparison>(&atoms_[atom]))
    return petri::compare(sums_[atom], comparison->relation, comparison->bound);
  if (std::holds_alternative<petri::Fireable>(atoms_[atom])) return sums_[atom] > 0;
  return std::holds_alternative<petri::Dead>(atoms_[atom]) && game_.enabled().empty();
}

}  // namespace mpisog::product
