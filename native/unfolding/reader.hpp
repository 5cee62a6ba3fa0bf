// The automaton as the unfolding reads it: letters of labels and events, answers remembered.
#pragma once

#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

#include "petri/atoms.hpp"
#include "product/automaton.hpp"

namespace mpisog::unfolding {

// A Büchi automaton whose states accept; edges of accepting states carry all marks.
class Reader {
 public:
  Reader(petri::Net net, std::vector<petri::Atom> atoms, product::Automaton automaton);

  [[nodiscard]] std::uint32_t initial() const noexcept { return automaton_.initial; }
  [[nodiscard]] bool accepting(std::uint32_t state) const { return accepting_[state]; }
  // Whether the state plainly accepts every word.
  [[nodiscard]] bool accepts_all(std::uint32_t state) const { return universal_[state]; }

  // The number of the label that a marking has; `dead` counts as false.
  std::uint32_t label(const petri::Marking& marking);
  // The states that follow when a transition fires under a label.
  const std::vector<std::uint32_t>& successors(std::uint32_t state, std::uint32_t label,
                                               std::uint32_t transition);
  // Whether the state accepts the word that repeats a label for ever, in a dead marking or not.
  bool accepts_for_ever(std::uint32_t state, std::uint32_t label, bool dead);

 private:
  using Letter = std::vector<bool>;  // by atom

  [[nodiscard]] bool reads(std::uint32_t condition, const Letter& letter) const;
  [[nodiscard]] std::vector<bool> accepting_for_ever(const Letter& letter) const;

  petri::Net net_;
  std::vector<petri::Atom> atoms_;
  product::Automaton automaton_;
  std::vector<bool> accepting_;
  std::vector<bool> universal_;
  std::unordered_map<std::uint32_t, std::uint32_t> event_atom_;  // by transition
  std::map<Letter, std::uint32_t> label_numbers_;
  std::vector<Letter> labels_;
  std::map<std::vector<std::uint32_t>, std::vector<std::uint32_t>> successors_;
  std::map<std::pair<std::uint32_t, bool>, std::vector<bool>> for_ever_;
};

}  // namespace mpisog::unfolding
