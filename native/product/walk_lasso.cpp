// From an accepting component to a lasso. The steps that first led to its states and those that
// joined it connect all of them, and have all marks: no other step need be known.
#include <deque>
#include <functional>
#include <unordered_map>

#include "product/walk.hpp"

namespace mpisog::product {

void Walk::extract() {
  const Number root = components_.back().root;
  for (std::size_t i = 1; i < frames_.size() && frames_[i].number <= root; ++i) {
    const std::uint32_t fired = reached_by_[frames_[i].number].transition;
    if (fired == kNoTransition) return;  // a dead marking: nothing fires from there on
    lasso_.prefix.push_back(fired);
  }
  for (const Step& step : walk_around(root)) {
    if (step.transition == kNoTransition) {
      // The marking does not change from here on; the way to it belongs to the prefix.
      lasso_.prefix.insert(lasso_.prefix.end(), lasso_.cycle.begin(), lasso_.cycle.end());
      lasso_.cycle.clear();
      return;
    }
    lasso_.cycle.push_back(step.transition);
  }
}

Walk::Path Walk::walk_around(Number start) const {
  std::unordered_map<Number, std::vector<Step>> steps;
  for (auto number = alive_.rbegin(); number != alive_.rend() && *number > start; ++number)
    steps[reached_by_[*number].from].push_back({reached_by_[*number].from, *number,
                                                reached_by_[*number].transition,
                                                reached_by_[*number].marks});
  for (auto link = links_.rbegin(); link != links_.rend() && link->from >= start; ++link)
    steps[link->from].push_back(*link);
  const auto shortest = [&](Number from, const std::function<bool(const Step&)>& goal) {
    std::unordered_map<Number, Step> reached_by;
    std::deque<Number> open{from};
    while (!open.empty()) {
      const Number number = open.front();
      open.pop_front();
      for (const Step& step : steps[number]) {
        if (goal(step)) {
          Path path{step};
          while (path.back().from != from) path.push_back(reached_by.at(path.back().from));
          return Path(path.rbegin(), path.rend());
        }
        if (step.to != from && reached_by.try_emplace(step.to, step).second)
          open.push_back(step.to);
      }
    }
    throw std::logic_error("an accepting component is not connected");
  };
  Path cycle;
  Marks missing = moves_.automaton().all_marks;
  const auto extend = [&](const std::function<bool(const Step&)>& goal) {
    for (const Step& step : shortest(cycle.empty() ? start : cycle.back().to, goal)) {
      cycle.push_back(step);
      missing &= ~step.marks;
    }
  };
  while (missing != 0) extend([&](const Step& step) { return (step.marks & missing) != 0; });
  if (cycle.empty() || cycle.back().to != start)
    extend([&](const Step& step) { return step.to == start; });
  return cycle;
}

}  // namespace mpisog::product
