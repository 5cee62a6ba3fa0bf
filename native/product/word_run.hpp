// A run of the net step by step, with the letter of each step: plain markings, nothing is stored.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "product/moves.hpp"

namespace mpisog::product {

class WordRun {
 public:
  // Both must outlive the run; the automaton of `moves` has the atoms.
  WordRun(const petri::Net& net, Moves& moves);

  void restart();
  [[nodiscard]] bool enabled(std::uint32_t transition) const;
  void fire(std::uint32_t transition);  // it must be enabled
  [[nodiscard]] bool dead() const;
  [[nodiscard]] const petri::Marking& marking() const noexcept { return marking_; }
  [[nodiscard]] Moves::Label label();

 private:
  void look_at(std::uint32_t atom);

  const petri::Net& net_;
  Moves& moves_;
  petri::Marking marking_;
  std::vector<bool> truth_;
  std::vector<bool> first_truth_;
  std::vector<std::vector<std::uint32_t>> observers_;  // atoms by place
  std::optional<Moves::Label> label_;
};

// A letter: the label of a marking and the transition that fires from it.
struct Letter {
  Moves::Label label;
  std::uint32_t transition;
};

// Whether the Büchi automaton of `moves` accepts the word `prefix cycle^ω`.
bool accepts(Moves& moves, const std::vector<Letter>& prefix, const std::vector<Letter>& cycle);

}  // namespace mpisog::product
