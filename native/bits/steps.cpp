#include "bits/steps.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace mpisog::bits {

Steps::Steps(const Reachable& graph, const std::vector<search::Step>& steps)
    : graph_(&graph), by_transition_(graph.net().transitions.size()), none_(steps.empty()) {
  const auto check_places = [&](const std::vector<petri::Arc>& bounds) {
    for (const petri::Arc& bound : bounds)
      if (bound.place >= graph.net().places()) throw std::out_of_range("no such place");
  };
  std::vector<const search::Step*> guarded;
  for (const search::Step& step : steps) {
    check_places(step.at_least);
    check_places(step.at_most);
    Choices& choices = by_transition_.at(step.transition);
    if (step.at_least.empty() && step.at_most.empty())
      ++choices.unguarded;
    else
      guarded.push_back(&step);
  }
  std::stable_sort(guarded.begin(), guarded.end(),
                   [](const auto* a, const auto* b) { return a->transition < b->transition; });
  for (const search::Step* step : guarded) {
    Choices& choices = by_transition_[step->transition];
    if (choices.end == 0) choices.begin = static_cast<std::uint32_t>(guards_.size());
    add_guard(*step);
    choices.end = static_cast<std::uint32_t>(guards_.size());
  }
}

void Steps::add_guard(const search::Step& step) {
  constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
  const auto begin = static_cast<std::uint32_t>(bounds_.size());
  for (const petri::Arc& bound : step.at_least)
    bounds_.push_back({bound.place, bound.weight, kMost});
  for (const petri::Arc& bound : step.at_most) bounds_.push_back({bound.place, 0, bound.weight});
  guards_.push_back({begin, static_cast<std::uint32_t>(bounds_.size())});
}

}  // namespace mpisog::bits
