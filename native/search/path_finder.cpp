#include "search/path_finder.hpp"

#include <cstdlib>
#include <functional>
#include <queue>
#include <tuple>
#include <unordered_map>

namespace mpisog::search {

namespace {

constexpr std::size_t kHaste = 10;  // the part of the markings that a careful search may look at

// How a marking goes on towards the target.
struct Onwards {
  std::uint32_t firing;
  const petri::Marking* next;  // null at the target
};

using Visited = std::unordered_map<petri::Marking, Onwards, MarkingHash>;

// Least estimate first, then the least order.
struct Candidate {
  std::uint64_t estimate;
  std::int64_t order;
  std::uint64_t steps;
  const petri::Marking* marking;

  bool operator>(const Candidate& other) const noexcept {
    return std::tie(estimate, order) > std::tie(other.estimate, other.order);
  }
};

std::uint64_t distance(const petri::Marking& a, const petri::Marking& b) noexcept {
  std::uint64_t total = 0;
  for (std::size_t place = 0; place < a.size(); ++place)
    total += static_cast<std::uint64_t>(std::abs(a[place] - b[place]));
  return total;
}

FoundPath follow(const petri::Marking& start, const Onwards& first, const Visited& visited) {
  FoundPath path{start, {first.firing}};
  for (const petri::Marking* here = first.next;;) {
    const Onwards& onwards = visited.at(*here);
    if (onwards.next == nullptr) return path;
    path.firings.push_back(onwards.firing);
    here = onwards.next;
  }
}

// Careful: by the estimated length of the whole path, first come first served. Hasty: by what is
// left of it, newest first, so that of many orders of the same firings only one is tried.
enum class Manner { careful, hasty };

Answer search(const petri::Net& net, const Question& question, Manner manner, std::size_t limit) {
  Visited visited;
  std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> queue;
  std::int64_t order = 0;
  const bool hasty = manner == Manner::hasty;
  const auto enqueue = [&](const petri::Marking& marking, Onwards onwards, std::uint64_t steps) {
    const auto entry = visited.emplace(marking, onwards).first;
    order += hasty ? -1 : 1;
    const std::uint64_t left = distance(marking, question.anchor);
    queue.push({hasty ? left : steps + left, order, steps, &entry->first});
  };
  enqueue(question.target, {0, nullptr}, 0);
  petri::Marking before;
  while (!queue.empty()) {
    const Candidate here = queue.top();
    queue.pop();
    for (const Step& step : question.steps) {
      if (!undo(net, step, *here.marking, before)) continue;
      // The start may be the target itself, met again after a round: look before the visited ones.
      const Onwards onwards{step.transition, here.marking};
      if (question.sources(before)) return {SearchEnd::found, follow(before, onwards, visited)};
      if (visited.contains(before) || !question.within(before)) continue;
      if (visited.size() >= limit) return {SearchEnd::gave_up, {}};
      enqueue(before, onwards, here.steps + 1);
    }
  }
  return {SearchEnd::none, {}};
}

}  // namespace

Answer find_path(const petri::Net& net, const Question& question) {
  if (question.at_once && question.sources(question.target))
    return {SearchEnd::found, {question.target, {}}};
  const Answer careful = search(net, question, Manner::careful, question.limit / kHaste);
  if (careful.end != SearchEnd::gave_up) return careful;
  return search(net, question, Manner::hasty, question.limit);
}

}  // namespace mpisog::search
