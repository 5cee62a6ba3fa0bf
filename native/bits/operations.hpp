// What the engines do with sets of reachable markings.
//
// All of it is safe in several threads at once. The sets must be of this graph's size; if they are
// not, std::invalid_argument is thrown.
#pragma once

#include <atomic>
#include <mutex>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "bits/reachable.hpp"
#include "bits/set.hpp"
#include "bits/steps.hpp"
#include "petri/atoms.hpp"

namespace mpisog::bits {

Set image(const Reachable& graph, const Set& states, const Steps& steps);
// Only predecessors that are reachable.
Set preimage(const Reachable& graph, const Set& states, const Steps& steps);
// `within` may be null: then everything is allowed.
Set closure(const Reachable& graph, const Set& states, const Steps& steps, const Set* within);
Set backward_closure(const Reachable& graph, const Set& states, const Steps& steps,
                     const Set& within);

std::uint64_t count_steps(const Reachable& graph, const Set& states, const Steps& steps);

using Terms = std::vector<std::pair<std::uint32_t, std::int64_t>>;
// Of a set that is not empty. Throws std::overflow_error beyond 64 bits.
std::int64_t largest_sum(const Reachable& graph, const Set& states, const Terms& terms);
Marking largest_tokens(const Reachable& graph, const Set& states);

// Where a state atom holds. Markings are evaluated one by one, until it is cheaper to do all.
class Truth {
 public:
  // The graph must outlive it. Throws std::out_of_range for what the net does not have.
  Truth(const Reachable& graph, petri::Atom atom);

  Set among(const Set& states) const;
  [[nodiscard]] bool holds(StateId id) const;
  // Where it holds, if that is known or worth it when so many more are asked about; null if not.
  const Set* known_for(StateId more) const;

 private:
  const Set& everywhere() const;

  const Reachable& graph_;
  petri::Atom atom_;
  std::vector<std::uint32_t> fireable_;  // transitions, sorted, for that kind of atom
  mutable std::atomic<std::uint64_t> evaluated_{0};
  mutable std::once_flag once_;
  mutable std::optional<Set> everywhere_;
};

// Markings that agree on every atom; bit i of the label is the truth of atom i.
struct Part {
  std::uint64_t label;
  Set states;
};
inline constexpr std::size_t kMostSplitting = 64;

// None of the parts is empty. Throws std::invalid_argument for more than kMostSplitting atoms.
std::vector<Part> split(const Reachable& graph, const Set& states,
                        std::span<const Truth* const> atoms);

// A marking on a cycle of steps inside the set, or kNoState when there is none.
StateId find_cycle(const Reachable& graph, const Set& states, const Steps& steps);

struct FoundPath {
  StateId start;
  std::vector<std::uint32_t> firings;
};

// A shortest way from a marking of `sources` to the target, through markings of `within`.
// `at_once`: the target itself may be the start, with no step.
std::optional<FoundPath> find_path(const Reachable& graph, StateId target, const Steps& steps,
                                   const Set& within, const Set& sources, bool at_once);

}  // namespace mpisog::bits
