#include "reduce/implicit_places.hpp"

#include <algorithm>
#include <queue>
#include <set>

namespace mpisog::reduce {

namespace {

constexpr std::size_t kMostOpen = 6;  // transitions to repair beyond which weights are given up

std::size_t total(const Bag& weights) {
  Number sum = 0;
  for (const Entry& entry : weights) sum += entry.amount;
  return static_cast<std::size_t>(sum);
}

struct Candidate {
  std::size_t urgency;
  std::size_t number;
  Bag weights;
  bool operator>(const Candidate& other) const {
    return std::pair{urgency, number} > std::pair{other.urgency, other.number};
  }
};

struct Before {
  bool operator()(const Bag& a, const Bag& b) const {
    return std::lexicographical_compare(
        a.begin(), a.end(), b.begin(), b.end(), [](const Entry& x, const Entry& y) {
          return std::pair{x.at, x.amount} < std::pair{y.at, y.amount};
        });
  }
};

}  // namespace

ImplicitPlaces::ImplicitPlaces(const WorkingNet& net, std::vector<bool> endless)
    : net_(net), endless_(std::move(endless)), excess_(net.transitions()) {}

std::optional<Bag> ImplicitPlaces::weights(Index place, std::size_t limit) {
  std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> todo;
  std::set<Bag, Before> seen{Bag{}};
  todo.push({0, 0, {}});
  while (!todo.empty() && seen.size() < limit) {
    const Bag current = todo.top().weights;
    todo.pop();
    balance(place, current);
    if (open_.empty()) {
      if (good(place, current)) return current;
      continue;
    }
    if (open_.size() > kMostOpen) continue;
    const Index repaired = *std::min_element(
        open_.begin(), open_.end(), [this](Index a, Index b) { return losses(a) < losses(b); });
    const Number left = spare(place, current);
    for (const auto& [other, change] : net_[repaired].effect) {
      // Weights that hold more than the place at first are hardly ever of use.
      if (change > 0 || other == place || net_.tokens(other) > left) continue;
      Bag more = sum(current, {{other, 1}}, 1);
      const std::size_t urgency = open_.size() + total(more);
      if (seen.insert(more).second) todo.push({urgency, seen.size(), std::move(more)});
    }
  }
  return std::nullopt;
}

// What each transition adds to the weighted sum more than to the place.
void ImplicitPlaces::balance(Index place, const Bag& weights) {
  for (const Index t : touched_) excess_[t] = 0;
  touched_.clear();
  open_.clear();
  const auto add = [this](const Entry& change, Number factor) {
    if (excess_[change.at] == 0) touched_.push_back(change.at);
    excess_[change.at] += factor * change.amount;
  };
  for (const Entry& change : net_.changes(place)) add(change, -1);
  for (const auto& [other, weight] : weights)
    for (const Entry& change : net_.changes(other)) add(change, weight);
  std::sort(touched_.begin(), touched_.end());
  touched_.erase(std::unique(touched_.begin(), touched_.end()), touched_.end());
  for (const Index t : touched_)
    if (excess_[t] > 0) open_.push_back(t);
}

// Called after balance, with nothing left to repair.
bool ImplicitPlaces::good(Index place, const Bag& weights) const {
  for (const Index t : touched_)
    if (excess_[t] != 0 && endless_[t]) return false;
  const Number difference = spare(place, weights);
  const auto& takers = net_.takers(place);
  return std::all_of(takers.begin(), takers.end(), [&](Index t) {
    Number there = difference;
    for (const auto& [other, weight] : weights) there += weight * amount(net_[t].pre, other);
    return amount(net_[t].pre, place) <= there;
  });
}

// What the place has more at first than the weighted sum.
Number ImplicitPlaces::spare(Index place, const Bag& weights) const {
  Number difference = net_.tokens(place);
  for (const auto& [other, weight] : weights) difference -= weight * net_.tokens(other);
  return difference;
}

std::size_t ImplicitPlaces::losses(Index transition) const {
  const Bag& effect = net_[transition].effect;
  return static_cast<std::size_t>(std::count_if(
      effect.begin(), effect.end(), [](const Entry& entry) { return entry.amount < 0; }));
}

}  // namespace mpisog::reduce
