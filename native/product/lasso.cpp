// From an accepting component to a lasso: a way to it, and a walk around it that has every mark.
#include <deque>
#include <limits>
#include <unordered_map>

#include "product/search.hpp"

namespace mpisog::product {

namespace {

constexpr std::size_t kUnlimited = std::numeric_limits<std::size_t>::max();
// A path of the search up to this length is short enough as it is.
constexpr std::size_t kShortStem = 50;
// States looked at for a shorter way to the component than the search took.
constexpr std::size_t kStemLimit = 200'000;

}  // namespace

void Search::extract() {
  const Path prefix = stem();
  const Path cycle = walk_around(prefix.empty() ? 0 : prefix.back().to);
  // From the first endless step of a dead marking on there are no others.
  for (const Step& step : prefix) {
    if (step.transition == kNoTransition) return;
    lasso_.prefix.push_back(step.transition);
  }
  for (const Step& step : cycle) {
    if (step.transition == kNoTransition) return;
    lasso_.cycle.push_back(step.transition);
  }
}

// From the initial state to some state of the component.
Search::Path Search::stem() {
  Path path;
  for (std::size_t i = 1; i < frames_.size() && frames_[i].number <= components_.back().root; ++i)
    path.push_back({frames_[i - 1].number, frames_[i].number, frames_[i].transition, 0});
  if (path.size() <= kShortStem) return path;
  const Path shorter = shortest(
      0, [](Number) { return true; }, [this](const Step& step) { return in_component(step.to); },
      kStemLimit);
  return shorter.empty() ? path : shorter;
}

Search::Path Search::walk_around(Number start) {
  Path cycle;
  Marks missing = moves_.automaton().all_marks;
  const auto within = [this](Number number) { return in_component(number); };
  const auto extend = [&](const auto& goal) {
    const Number from = cycle.empty() ? start : cycle.back().to;
    for (const Step& step : shortest(from, within, goal, kUnlimited)) {
      cycle.push_back(step);
      missing &= ~step.marks;
    }
  };
  while (missing != 0) extend([&](const Step& step) { return (step.marks & missing) != 0; });
  if (cycle.empty() || cycle.back().to != start)
    extend([&](const Step& step) { return step.to == start; });
  return cycle;
}

// Breadth first over states that are known already, one step or more; none within the limit: empty.
Search::Path Search::shortest(Number from, const std::function<bool(Number)>& within,
                              const std::function<bool(const Step&)>& goal, std::size_t limit) {
  std::unordered_map<Number, Step> reached_by;
  std::deque<Number> open{from};
  const auto path_to = [&](Step last) {
    Path path{last};
    while (path.back().from != from) path.push_back(reached_by.at(path.back().from));
    return Path(path.rbegin(), path.rend());
  };
  for (std::size_t looked = 0; !open.empty() && looked < limit; ++looked) {
    const Number number = open.front();
    open.pop_front();
    for (const Step& step : known_steps(number)) {
      if (!within(step.to)) continue;
      if (goal(step)) return path_to(step);
      if (step.to != from && reached_by.try_emplace(step.to, step).second) open.push_back(step.to);
    }
  }
  return {};
}

std::vector<Search::Step> Search::known_steps(Number number) {
  const std::size_t begin = pending_.size();
  list_moves(number);
  const petri::StateId marking = states_.marking(number);
  std::vector<Step> steps;
  for (std::size_t i = begin; i < pending_.size(); ++i) {
    const Move& move = pending_[i];
    const petri::StateId reached =
        move.transition == kNoTransition ? marking : space_.peek(marking, move.transition);
    if (reached == petri::kNoState) continue;
    const Number to = states_.find(reached, move.target);
    if (to != kUnknown) steps.push_back({number, to, move.transition, move.marks});
  }
  pending_.resize(begin);
  return steps;
}

}  // namespace mpisog::product
