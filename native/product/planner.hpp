// Firings that might lead to what the automaton waits for, found as if firing took no tokens.
//
// Without taking, what can be had is found layer by layer from the marking at hand, in time linear
// in the net; the firings that what is wanted needs are then collected backwards. They are a
// proposal for a search: real firings take tokens, so it may fail and is made again on the way.
#pragma once

#include <cstdint>
#include <vector>

#include "product/automaton.hpp"
#include "product/letters.hpp"

namespace mpisog::product {

class Planner {
 public:
  Planner(const petri::FlatNet& net, const Automaton& automaton,
          const std::vector<petri::Atom>& atoms);

  // The transitions to fire, the first at the end; none when nothing is to be done or known.
  void plan(const petri::TokenGame& game, Letters& letters, std::uint32_t state,
            std::vector<std::uint32_t>& steps);

 private:
  using Layer = std::uint32_t;
  using Cost = double;  // an estimate
  struct Choice {
    Cost cost;
    std::uint32_t transition;  // that does it
    petri::Wide by = 0;        // how a sum has to change
  };
  struct Literal {
    std::uint32_t atom;
    bool truth;
  };

  void spread(const petri::TokenGame& game);
  [[nodiscard]] std::vector<Literal> cheapest(Letters& letters, const petri::TokenGame& game,
                                              std::uint32_t goal);
  // What an atom that is not so yet costs to become true, or false.
  [[nodiscard]] Choice change(std::uint32_t atom, bool truth, const Letters& letters,
                              const petri::TokenGame& game) const;
  [[nodiscard]] petri::Wide gain(const petri::Comparison& comparison, std::uint32_t transition,
                                 bool up) const;
  [[nodiscard]] Choice shift(const petri::Comparison& comparison, petri::Wide by) const;
  [[nodiscard]] Choice disable(std::uint32_t transition) const;
  [[nodiscard]] Choice nearest(const std::vector<std::uint32_t>& transitions) const;
  void need_disabled(const petri::Fireable& fireable, const petri::TokenGame& game);
  void need_shift(const petri::Comparison& comparison, const Choice& choice);
  void need(std::uint32_t transition, std::uint32_t times);
  void need_inputs(std::uint32_t transition, const petri::TokenGame& game);

  const petri::FlatNet& net_;
  const Automaton& automaton_;
  const std::vector<petri::Atom>& atoms_;
  std::vector<Layer> layer_;              // by transition
  std::vector<std::uint32_t> supporter_;  // by place, who adds to it first
  std::vector<std::uint32_t> missing_;    // by transition, inputs that cannot be had yet
  std::vector<std::uint32_t> queue_;
  std::vector<std::uint32_t> times_;   // by transition, how often it is in the plan
  std::vector<std::uint32_t> chosen_;  // those of the plan
};

}  // namespace mpisog::product
