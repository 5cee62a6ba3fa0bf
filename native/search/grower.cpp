#include "search/grower.hpp"

#include <unordered_set>

#include "memory/limit.hpp"

namespace mpisog::search {

namespace {

constexpr std::size_t kStepsBetweenPolls = 64;

struct Frame {
  const petri::Marking* marking;
  std::size_t first;  // steps are tried in a circle, beginning after the one that led here
  std::size_t tried;
};

}  // namespace

Part grow(const petri::Net& net, const std::vector<Step>& steps,
          const std::vector<Condition>& conditions, const petri::Marking& start, std::size_t limit,
          const std::function<void()>& poll) {
  // Each is in a table, most are in a list, and all of them are written once more for the kernel.
  const std::size_t marking_bytes = 3 * start.size() * sizeof(start[0]);
  memory::Meter meter;
  std::size_t looks = 0;
  std::unordered_set<petri::Marking, MarkingHash> inside{start};
  std::unordered_set<petri::Marking, MarkingHash> seen_beyond;
  std::vector<petri::Marking> beyond;
  // Not always the same step first: that would often undo what led here.
  std::vector<Frame> stack{{&*inside.begin(), MarkingHash{}(start), 0}};
  petri::Marking next;
  while (!stack.empty()) {
    if (++looks % kStepsBetweenPolls == 0) poll();
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
    meter.add(marking_bytes);
    if (inside.size() < limit) {
      stack.push_back({&*inside.insert(next).first, step + 1, 0});
    } else if (seen_beyond.insert(next).second) {
      beyond.push_back(next);
    }
  }
  return {{inside.begin(), inside.end()}, std::move(beyond)};
}

}  // namespace mpisog::search
