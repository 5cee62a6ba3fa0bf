// A union of guarded steps, asked for one firing at a time.
#pragma once

#include <cstdint>
#include <vector>

#include "bits/reachable.hpp"
#include "search/explicit_steps.hpp"

namespace mpisog::bits {

class Steps {
 public:
  // Throws std::out_of_range for a transition or place that the net does not have.
  Steps(const Reachable& graph, const std::vector<search::Step>& steps);

  // Whether some step takes the transition, which is enabled, from the marking `before`.
  [[nodiscard]] bool allow(const Reachable& graph, StateId before,
                           std::uint32_t transition) const noexcept {
    const Choices& choices = by_transition_[transition];
    if (choices.unguarded != 0) return true;
    for (std::uint32_t i = choices.begin; i != choices.end; ++i)
      if (holds(graph, before, guards_[i])) return true;
    return false;
  }
  // How many steps do.
  [[nodiscard]] std::uint64_t count(const Reachable& graph, StateId before,
                                    std::uint32_t transition) const noexcept {
    const Choices& choices = by_transition_[transition];
    std::uint64_t found = choices.unguarded;
    for (std::uint32_t i = choices.begin; i != choices.end; ++i)
      found += holds(graph, before, guards_[i]) ? 1 : 0;
    return found;
  }
  [[nodiscard]] bool none() const noexcept { return none_; }
  [[nodiscard]] bool belong_to(const Reachable& graph) const noexcept { return graph_ == &graph; }

 private:
  struct Bound {
    std::uint32_t place;
    std::int64_t least;
    std::int64_t most;
  };
  struct Guard {
    std::uint32_t begin, end;  // into bounds_
  };
  struct Choices {
    std::uint32_t unguarded = 0;       // steps without a guard
    std::uint32_t begin = 0, end = 0;  // into guards_: the others
  };

  [[nodiscard]] bool holds(const Reachable& graph, StateId before,
                           const Guard& guard) const noexcept {
    const petri::Word* packed = graph.packed(before);
    for (std::uint32_t i = guard.begin; i != guard.end; ++i) {
      const std::int64_t tokens = graph.layout().tokens(packed, bounds_[i].place);
      if (tokens < bounds_[i].least || tokens > bounds_[i].most) return false;
    }
    return true;
  }
  void add_guard(const search::Step& step);

  const Reachable* graph_;  // only compared
  std::vector<Choices> by_transition_;
  std::vector<Guard> guards_;
  std::vector<Bound> bounds_;
  bool none_;
};

}  // namespace mpisog::bits
