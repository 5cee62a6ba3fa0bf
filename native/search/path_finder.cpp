#include "search/path_finder.hpp"

#include <cstdlib>
#include <functional>
#include <queue>
#include <tuple>
#include <unordered_map>

namespace mpisog::search {

namespace {

// How a marking goes on towards the target.
struct Onwards {
  std::uint32_t firing;
  const petri::Marking* next;  // null at the target
};

using Visited = std::unordered_map<petri::Marking, Onwards, MarkingHash>;

// Least estimated length first, then first come.
struct Candidate {
  std::uint64_t estimate;
  std::uint64_t order;
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

}  // namespace

Answer find_path(const petri::Net& net, const Question& question) {
  if (question.at_once && question.sources(question.target))
    return {SearchEnd::found, {question.target, {}}};
  Visited visited;
  std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> queue;
  std::uint64_t order = 0;
  const auto enqueue = [&](const petri::Marking& marking, Onwards onwards, std::uint64_t steps) {
    const auto entry = visited.emplace(marking, onwards).first;
    queue.push({steps + distance(marking, question.anchor), order++, steps, &entry->first});
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
      if (visited.size() >= question.limit) return {SearchEnd::gave_up, {}};
      enqueue(before, onwards, here.steps + 1);
    }
  }
  return {SearchEnd::none, {}};
}

}  // namespace mpisog::search
