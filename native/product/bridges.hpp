// Shorter ways between the markings of a run: where the net can get from one to a later one with
// fewer firings, and the automaton goes along, these take the place of what lies between.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "petri/state_space.hpp"
#include "product/allowance.hpp"
#include "product/moves.hpp"

namespace mpisog::product {

class Bridges {
 public:
  using Firings = std::vector<std::uint32_t>;
  // Whether firings that are shorter will do.
  using Check = std::function<bool(const Firings&)>;
  // What the automaton reads: words that it accepts, or bad prefixes, after which it has no state.
  enum class Reads { accepted, bad_prefixes };

  Bridges(const petri::Net& net, Moves& moves, Reads reads);

  // Makes the run shorter between two of its instants, as long as that is allowed. With `repeats`
  // the run from `begin` on is a cycle.
  bool shorten(Firings& run, std::size_t begin, std::size_t end, bool repeats, Allowance& allowance,
               const Check& check);

 private:
  using StateSet = std::uint64_t;  // of the automaton, as bits

  // A marking that a search has come to, and where the automaton may be then.
  struct Visit {
    petri::StateId marking;
    StateSet states;
    std::size_t from;
    std::uint32_t transition;
    std::size_t depth;
  };
  struct Bridge {
    std::size_t to;     // instant of the run
    std::size_t visit;  // the way there
    std::size_t saved;
  };

  // The markings and states at each instant, and the last instant of each marking.
  void follow(const Firings& run, std::size_t begin, std::size_t end, bool repeats);
  // Breadth first from an instant; those that save most come first.
  std::vector<Bridge> search(std::size_t from, std::size_t end, std::size_t most,
                             Allowance& allowance);
  [[nodiscard]] Firings bridged(const Firings& run, std::size_t from, const Bridge& bridge) const;

  StateSet after(petri::StateId marking, std::uint32_t transition, StateSet states);
  // Whether the automaton has no state whatever fires next.
  bool hopeless(petri::StateId marking, StateSet states);
  Moves::Label label(petri::StateId marking);

  petri::StateSpace space_;
  Moves& moves_;
  Reads reads_;
  std::vector<std::optional<Moves::Label>> labels_;
  std::vector<petri::StateId> markings_;  // by instant
  std::vector<StateSet> states_;          // by instant
  std::map<petri::StateId, std::size_t> last_;
  std::vector<Visit> visits_;
  bool complete_ = true;  // whether every search saw all that is near enough
};

}  // namespace mpisog::product
