// How markings of one label move, for the sets of one backend (mpisog/sog/observation.py).
//
// A backend `Sets` has the types Set, Steps, Enabled, Kept and Candidates and the operations that
// closure.hpp, divergence.hpp and set_builder.hpp use. What is pointed to must outlive the graph;
// null pointers are empty lists of steps.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "sog/aggregate.hpp"

namespace mpisog::sog {

template <class Sets>
struct LabelSteps {
  using Steps = typename Sets::Steps;

  Steps* free = nullptr;           // silent exactly where their guards hold
  Steps* checked = nullptr;        // may be silent: what they lead to has to be looked at
  Steps* inside = nullptr;         // both
  Steps* exits = nullptr;          // unobserved, may lead out of the aggregate
  Steps* postponed = nullptr;      // forbidden inside an aggregate though they may be silent
  std::vector<Steps*> one_by_one;  // the free steps, for limited growth
  typename Sets::Enabled leaving = nullptr;  // a step that is not silent may be possible
  typename Sets::Kept kept{};                // what of the label the steps inside must keep
  // Silent steps that can be part of a cycle; fewer of them after a closer look.
  std::function<typename Sets::Candidates(bool closer)> candidates;
  std::optional<Label> when_dead;  // of dead markings that otherwise look like this
};

// What is the same for all labels.
template <class Sets>
struct Observed {
  std::vector<typename Sets::Steps*> events;
  typename Sets::Enabled some_event = nullptr;
  std::vector<typename Sets::Enabled> event_enabled;
  std::vector<bool> says_dead;  // of each state atom, whether it is `dead`
  bool precise = true;          // every unobserved step that keeps the label is silent
  bool tell_both = false;       // look for dead markings even where there is a silent cycle
  std::optional<std::size_t> most_nodes;     // a set with more grows no further
  std::optional<std::size_t> most_markings;  // entered one by one, with so many at most
};

}  // namespace mpisog::sog
