// The atoms of a formula while the net below them changes; each keeps its number.
#pragma once

#include <optional>
#include <variant>

#include "petri/atoms.hpp"
#include "reduce/bag.hpp"

namespace mpisog::reduce {

// An atom of the reduced net, or its truth where that no longer depends on the marking.
using BoundAtom = std::variant<bool, petri::Atom>;

class WatchedAtoms {
 public:
  WatchedAtoms(const std::vector<petri::Atom>& atoms, std::size_t places, std::size_t transitions);

  [[nodiscard]] bool has_dead() const noexcept { return has_dead_; }
  // Whether the place is in a comparison.
  [[nodiscard]] bool compares(Index place) const { return !factors_[place].empty(); }
  // Whether an atom asks if the transition is enabled.
  [[nodiscard]] bool asks(Index transition) const { return !askers_[transition].empty(); }
  [[nodiscard]] bool is_event(Index transition) const { return events_[transition].has_value(); }

  // Whether such a change of tokens changes the left side of a comparison, or may do so.
  [[nodiscard]] bool changes_with(const Bag& effect) const;

  // Whether numbers stay in range when the place goes as told below.
  [[nodiscard]] bool can_substitute(Index place, Number tokens) const;

  // The place holds the same for ever.
  void substitute(Index place, Number tokens);
  // The place always holds what the other holds, and `more`.
  void express(Index place, Index other, Number more);

  [[nodiscard]] std::size_t transitions() const noexcept { return askers_.size(); }
  void add_transition();
  // Those that asked about a transition ask about another, which is enabled where it was.
  void bequeath(Index transition, Index heir);
  // The transition is never enabled.
  void forget(Index transition);

  // Over new indices; `always` tells the transitions that are enabled everywhere.
  [[nodiscard]] std::vector<BoundAtom> bound(const std::vector<Index>& places,
                                             const std::vector<Index>& transitions,
                                             const std::vector<bool>& always) const;

 private:
  using Factors = Bag;  // by the number of the atom

  std::vector<petri::Atom> atoms_;
  bool has_dead_ = false;
  std::vector<Factors> factors_;              // by place
  std::vector<std::vector<Index>> askers_;    // by transition: the numbers of atoms
  std::vector<std::optional<Index>> events_;  // by transition
};

}  // namespace mpisog::reduce
