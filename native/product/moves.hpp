// What the automaton can do at a step of the net: the edges whose condition the step's letter
// meets.
#pragma once

#include <map>
#include <unordered_map>
#include <vector>

#include "petri/atoms.hpp"
#include "product/automaton.hpp"

namespace mpisog::product {

inline constexpr std::uint32_t kNoTransition = 0xFFFFFFFFU;  // a dead marking's endless step

class Moves {
 public:
  using Label = std::uint32_t;

  Moves(Automaton automaton, std::vector<petri::Atom> atoms, std::size_t transitions);

  // The number of the truth values that the atoms have in a marking; no event counts.
  Label label(const petri::Layout& layout, const petri::Word* packed);
  // The same for truth values that are known already.
  Label label(const std::vector<bool>& truth);
  // The edges that can be taken from a state when this transition fires from such a marking.
  const std::vector<Automaton::Edge>& edges(Label label, std::uint32_t transition,
                                            std::uint32_t state);

  // Whether no edge can be taken from a state in such a marking, whatever fires.
  bool stuck(Label label, std::uint32_t state);

  [[nodiscard]] bool has_events() const noexcept { return events_ > 1; }
  [[nodiscard]] const Automaton& automaton() const noexcept { return automaton_; }
  [[nodiscard]] const std::vector<petri::Atom>& atoms() const noexcept { return atoms_; }

 private:
  [[nodiscard]] bool meets(std::uint32_t condition, const std::vector<bool>& letter) const noexcept;

  Automaton automaton_;
  std::vector<petri::Atom> atoms_;
  std::vector<std::uint32_t> event_of_;  // by transition; 0: it is not observed
  std::uint32_t events_ = 1;
  std::size_t transitions_;
  std::map<std::vector<bool>, Label> numbers_;
  std::vector<std::vector<bool>> labels_;
  std::unordered_map<std::uint64_t, std::vector<Automaton::Edge>> known_;
};

}  // namespace mpisog::product
