// The truth of a formula's atoms in a marking that changes step by step: an atom is looked at when
// a place that it has, or whether one of its transitions is enabled, has changed.
#pragma once

#include <cstdint>
#include <vector>

#include "petri/atoms.hpp"
#include "petri/token_game.hpp"

namespace mpisog::product {

class Letters {
 public:
  Letters(const std::vector<petri::Atom>& atoms, const petri::TokenGame& game);

  // What the token game tells.
  void changed(std::uint32_t place, std::int64_t by) noexcept {
    for (std::uint32_t i = of_place_[place]; i != kEnd; i = entries_[i].next)
      add(entries_[i].atom, petri::Wide{entries_[i].factor} * by);
  }
  void turned(std::uint32_t transition, bool enabled) noexcept {
    for (std::uint32_t i = of_transition_[transition]; i != kEnd; i = entries_[i].next)
      add(entries_[i].atom, enabled ? 1 : -1);
  }

  // Whether an atom may have changed since the truth was last asked for.
  [[nodiscard]] bool touched() const noexcept { return !dirty_.empty() || has_dead_; }
  // By atom; events count as false.
  const std::vector<bool>& truth();
  // A comparison's sum, or how many of a group's transitions are enabled.
  [[nodiscard]] petri::Wide sum(std::size_t atom) const noexcept { return sums_[atom]; }

 private:
  static constexpr std::uint32_t kEnd = 0xFFFFFFFFU;
  struct Entry {
    std::uint32_t atom;
    std::uint32_t next;
    std::int64_t factor;
  };

  void add(std::uint32_t atom, petri::Wide by) noexcept {
    sums_[atom] += by;
    if (is_dirty_[atom]) return;
    is_dirty_[atom] = true;
    dirty_.push_back(atom);  // has room for all
  }
  void observe(std::uint32_t& head, std::uint32_t atom, std::int64_t factor);
  [[nodiscard]] bool holds(std::size_t atom) const;

  const std::vector<petri::Atom>& atoms_;
  const petri::TokenGame& game_;
  std::vector<std::uint32_t> of_place_, of_transition_;  // lists of entries
  std::vector<Entry> entries_;
  std::vector<petri::Wide> sums_;
  std::vector<bool> truth_, is_dirty_;
  std::vector<std::uint32_t> dirty_;
  bool has_dead_ = false;
};

}  // namespace mpisog::product
