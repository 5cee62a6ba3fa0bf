#include "search/path_finder.hpp"

#include <unordered_map>

namespace mpisog::search {

namespace {

// How a marking goes on towards the target.
struct Onwards {
  std::uint32_t firing;
  const petri::Marking* next;  // null at the target
};

using Visited = std::unordered_map<petri::Marking, Onwards, MarkingHash>;

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
  const auto first = visited.emplace(question.target, Onwards{0, nullptr}).first;
  std::vector<const petri::Marking*> queue{&first->first};
  petri::Marking before;
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const petri::Marking* here = queue[i];
    for (const Step& step : question.steps) {
      before = *here;
      if (!undo(net, step, before)) continue;
      // The start may be the target itself, met again after a round: look before the visited ones.
      const Onwards onwards{step.transition, here};
      if (question.sources(before)) return {SearchEnd::found, follow(before, onwards, visited)};
      if (visited.contains(before) || !question.within(before)) continue;
      if (visited.size() >= question.limit) return {SearchEnd::gave_up, {}};
      queue.push_back(&visited.emplace(before, onwards).first->first);
    }
  }
  return {SearchEnd::none, {}};
}

}  // namespace mpisog::search
