// How far a marking is from what the automaton waits for: an estimate that orders a search.
#pragma once

#include <cstdint>
#include <vector>

#include "petri/atoms.hpp"
#include "petri/net.hpp"
#include "product/automaton.hpp"

namespace mpisog::product {

using Distance = double;  // an estimate: no sum of tokens may overflow

class Guide {
 public:
  Guide(const petri::Net& net, const Automaton& automaton, const std::vector<petri::Atom>& atoms);

  // Tokens that are missing or too many, at least, for the goal of the automaton's state.
  [[nodiscard]] Distance distance(const petri::Layout& layout, const petri::Word* packed,
                                  std::uint32_t state);

 private:
  struct Costs {
    Distance to_be_false, to_be_true;
  };

  [[nodiscard]] Costs costs(const petri::Atom& atom, const petri::Layout& layout,
                            const petri::Word* packed) const;
  [[nodiscard]] Distance missing(std::uint32_t transition, const petri::Layout& layout,
                                 const petri::Word* packed) const;

  const petri::Net& net_;
  const Automaton& automaton_;
  const std::vector<petri::Atom>& atoms_;
  std::vector<Costs> costs_;         // by atom, of the marking at hand
  std::vector<Distance> distances_;  // by node of the conditions
};

}  // namespace mpisog::product
