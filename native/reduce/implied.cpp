#include "reduce/implied.hpp"

#include <algorithm>
#include <map>
#include <queue>
#include <set>

namespace mpisog::reduce {

namespace {

constexpr std::size_t kMostOpen = 6;  // transitions to repair beyond which weights are given up

Weights with_one_more(Weights weights, Place place) {
  const auto at =
      std::lower_bound(weights.begin(), weights.end(), std::pair{place, std::int64_t{0}});
  if (at != weights.end() && at->first == place)
    ++at->second;
  else
    weights.insert(at, {place, 1});
  return weights;
}

std::int64_t total(const Weights& weights) {
  std::int64_t sum = 0;
  for (const auto& [place, weight] : weights) sum += weight;
  return sum;
}

}  // namespace

ImpliedPlaces::ImpliedPlaces(const petri::Net& net, const std::vector<std::uint32_t>& endless)
    : net_(net),
      endless_(net.transitions.size()),
      removed_(net.places()),
      changes_(net.places()),
      takers_(net.places()),
      losing_(net.transitions.size()),
      excess_(net.transitions.size()) {
  for (const std::uint32_t t : endless) endless_.at(t) = true;
  for (std::uint32_t t = 0; t < net.transitions.size(); ++t) {
    std::map<Place, std::int64_t> effect;
    for (const auto& [place, weight] : net.transitions[t].post) effect[place] += weight;
    for (const auto& [place, weight] : net.transitions[t].pre) {
      effect[place] -= weight;
      takers_[place].push_back(t);
    }
    for (const auto& [place, amount] : effect) {
      if (amount != 0) changes_[place].push_back({t, amount});
      if (amount < 0) losing_[t].push_back(place);
    }
  }
}

std::optional<Weights> ImpliedPlaces::weights(Place place, std::size_t limit) {
  struct Candidate {
    std::size_t urgency;
    std::size_t number;
    Weights weights;
    bool operator>(const Candidate& other) const {
      return std::pair{urgency, number} > std::pair{other.urgency, other.number};
    }
  };
  std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> todo;
  std::set<Weights> seen{Weights{}};
  todo.push({0, 0, {}});
  while (!todo.empty() && seen.size() < limit) {
    const Weights current = todo.top().weights;
    todo.pop();
    balance(place, current);
    if (open_.empty()) {
      if (good(place, current)) return current;
      continue;
    }
    if (open_.size() > kMostOpen) continue;
    const std::uint32_t repaired =
        *std::min_element(open_.begin(), open_.end(),
                          [this](auto a, auto b) { return losing_[a].size() < losing_[b].size(); });
    const std::int64_t left = spare(place, current);
    for (const Place other : losing_[repaired]) {
      // Weights that hold more than the place at first are hardly ever of use.
      if (other == place || removed_[other] || net_.initial[other] > left) continue;
      Weights more = with_one_more(current, other);
      const std::size_t urgency = open_.size() + static_cast<std::size_t>(total(more));
      if (seen.insert(more).second) todo.push({urgency, seen.size(), std::move(more)});
    }
  }
  return std::nullopt;
}

// What each transition adds to the weighted sum more than to the place.
void ImpliedPlaces::balance(Place place, const Weights& weights) {
  for (const std::uint32_t t : touched_) excess_[t] = 0;
  touched_.clear();
  open_.clear();
  const auto add = [this](const Change& change, std::int64_t factor) {
    if (excess_[change.transition] == 0) touched_.push_back(change.transition);
    excess_[change.transition] += factor * change.amount;
  };
  for (const Change& change : changes_[place]) add(change, -1);
  for (const auto& [other, weight] : weights)
    for (const Change& change : changes_[other]) add(change, weight);
  std::sort(touched_.begin(), touched_.end());
  touched_.erase(std::unique(touched_.begin(), touched_.end()), touched_.end());
  for (const std::uint32_t t : touched_)
    if (excess_[t] > 0) open_.push_back(t);
}

// Called after balance, with nothing left to repair.
bool ImpliedPlaces::good(Place place, const Weights& weights) const {
  for (const std::uint32_t t : touched_)
    if (excess_[t] != 0 && endless_[t]) return false;
  const std::int64_t difference = spare(place, weights);
  return std::all_of(takers_[place].begin(), takers_[place].end(), [&](std::uint32_t t) {
    std::int64_t there = difference;
    for (const auto& [other, weight] : weights) there += weight * needed(t, other);
    return needed(t, place) <= there;
  });
}

// What the place has more at first than the weighted sum.
std::int64_t ImpliedPlaces::spare(Place place, const Weights& weights) const {
  std::int64_t difference = net_.initial[place];
  for (const auto& [other, weight] : weights) difference -= weight * net_.initial[other];
  return difference;
}

std::int64_t ImpliedPlaces::needed(std::uint32_t transition, Place place) const {
  for (const petri::Arc& arc : net_.transitions[transition].pre)
    if (arc.place == place) return arc.weight;
  return 0;
}

}  // namespace mpisog::reduce
