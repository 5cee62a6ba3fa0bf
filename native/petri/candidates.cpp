#include "petri/candidates.hpp"

#include <algorithm>

namespace mpisog::petri {

namespace {

// The input place that the fewest transitions share: it excludes most.
const Arc& rarest_input(const Transition& transition, const std::vector<std::size_t>& takers) {
  return *std::min_element(
      transition.pre.begin(), transition.pre.end(),
      [&](const Arc& a, const Arc& b) { return takers[a.place] < takers[b.place]; });
}

}  // namespace

Candidates::Candidates(const Net& net, std::span<const std::uint32_t> transitions) {
  std::vector<std::size_t> takers(net.places());
  for (const std::uint32_t t : transitions)
    for (const Arc& arc : net.transitions[t].pre) ++takers[arc.place];
  std::vector<std::vector<std::uint32_t>> by_place(net.places());
  for (const std::uint32_t t : transitions) {
    const Transition& transition = net.transitions[t];
    if (transition.pre.empty())
      filed_.push_back(t);
    else
      by_place[rarest_input(transition, takers).place].push_back(t);
  }
  for (const auto& list : by_place) {
    begin_.push_back(filed_.size());
    filed_.insert(filed_.end(), list.begin(), list.end());
  }
  begin_.push_back(filed_.size());
}

}  // namespace mpisog::petri
