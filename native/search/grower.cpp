#include "search/grower.hpp"

#include <unordered_set>

namespace mpisog::search {

namespace {

struct Frame {
  const petri::Marking* marking;
  std::size_t first;  // steps are tried in a circle, beginning after the one that led here
  std::size_t tried;
};

}  // namespace

Part grow(const petri::Net& net, const std::vector<Step>& steps,
          const std::vector<Condition>& conditions, const petri::Marking& start,
          std::size_t limit) {
  std::unordered_set<petri::Marking, MarkingHash> inside{start};
  std::unordered_set<petri::Marking, MarkingHash> seen_beyond;
  std::vector<petri::Marking> beyond;
  // Not always the same step first: that would often undo what led here.
  std::vector<Frame> stack{{&*inside.begin(), MarkingHash{}(start), 0}};
  petri::Marking next;
  while (!stack.empty()) {
    Frame& frame = stack.back();
    if (frame.tried == steps.size()) {
      stack.pop_back();
      continue;
    }
    const std::size_t step = (frame.first % steps.size() + frame.tried++) % steps.size();
    if (!take(net, steps[step], *frame.marking, next) || inside.contains(next)) continue;
    const bool stays = std::all_of(conditions.begin(), conditions.end(), [&](const Condition& c) {
      return petri::holds(c.atom, net, next) == c.truth;
    });
    if (!stays) continue;
    if (inside.size() < limit) {
      stack.push_back({&*inside.insert(next).first, step + 1, 0});
    } else if (seen_beyond.insert(next).second) {
      beyond.push_back(next);
    }
  }
  return {{inside.begin(), inside.end()}, std::move(beyond)};
}

}  // namespace mpisog::search
