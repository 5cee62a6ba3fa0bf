#include "reduce/exact_rules.hpp"

#include <limits>
#include <numeric>
#include <optional>
#include <unordered_map>

#include "reduce/endless.hpp"
#include "reduce/implicit_places.hpp"

namespace mpisog::reduce {

namespace {

constexpr Number kUnlimited = std::numeric_limits<Number>::max();
constexpr std::size_t kSearchSteps = 60;  // weightings looked at before a place counts as needed

// Places or transitions with equal bags, which are looked up when groups are compared.
using Groups = std::unordered_map<std::size_t, std::vector<Index>>;

std::vector<bool> may_fire(const WorkingNet& net) {
  std::vector<Number> most(net.places());
  for (Index place = 0; place < net.places(); ++place) most[place] = net.tokens(place);
  std::vector<std::size_t> missing(net.transitions());
  std::vector<Index> todo;
  std::vector<bool> found(net.transitions());
  const auto find = [&](Index t) {
    if (missing[t] != 0 || found[t]) return;
    found[t] = true;
    todo.push_back(t);
  };
  for (Index t = 0; t < net.transitions(); ++t) {
    if (!net.has_transition(t)) continue;
    for (const Entry& entry : net[t].pre) missing[t] += entry.amount > most[entry.at] ? 1 : 0;
    find(t);
  }
  while (!todo.empty()) {
    const Index fired = todo.back();
    todo.pop_back();
    for (const Entry& change : net[fired].effect) {
      if (change.amount < 0 || most[change.at] == kUnlimited) continue;
      for (const Index taker : net.takers(change.at)) {
        missing[taker] -= amount(net[taker].pre, change.at) > most[change.at] ? 1 : 0;
        find(taker);
      }
      most[change.at] = kUnlimited;
    }
  }
  return found;
}

bool only_gains(const WorkingNet& net, Index place) {
  if (!net.has_place(place) || net.atoms().compares(place)) return false;
  const auto& changes = net.changes(place);
  const auto& takers = net.takers(place);
  return std::all_of(changes.begin(), changes.end(), [](const Entry& e) { return e.amount > 0; }) &&
         std::all_of(takers.begin(), takers.end(),
                     [&](Index t) { return amount(net[t].pre, place) <= net.tokens(place); });
}

// Comparisons with the one place can take the other instead.
bool can_express(const WorkingNet& net, Index place, Index other) {
  return implies(net, {{other, 1}}, place) &&
         net.atoms().can_substitute(place, net.tokens(place) - net.tokens(other));
}

// The place of the group that stays where another goes.
std::optional<Index> merge(WorkingNet& net, Index place, Index other) {
  if (can_express(net, place, other)) {
    net.express_place(place, other);
    return other;
  }
  if (can_express(net, other, place)) {
    net.express_place(other, place);
    return place;
  }
  return std::nullopt;
}

std::optional<Index> that_dominates(const WorkingNet& net, Index t,
                                    const std::vector<Index>& group) {
  const bool exactly = net.atoms().asks(t);
  for (const Index other : group)
    if (net[other].effect == net[t].effect &&
        (exactly ? net[other].pre == net[t].pre : at_most(net[other].pre, net[t].pre)))
      return other;
  return std::nullopt;
}

}  // namespace

std::size_t dead_transitions(WorkingNet& net) {
  const std::vector<bool> alive = may_fire(net);
  const std::size_t before = net.transitions_left();
  for (Index t = 0; t < net.transitions(); ++t)
    if (net.has_transition(t) && !alive[t]) net.remove_transition(t);
  return before - net.transitions_left();
}

std::size_t constant_places(WorkingNet& net) {
  std::vector<Index> constant;
  for (Index place = 0; place < net.places(); ++place)
    if (net.has_place(place) && net.changes(place).empty() &&
        net.atoms().can_substitute(place, net.tokens(place)))
      constant.push_back(place);
  for (const Index place : constant) {
    for (const Index taker : std::vector<Index>(net.takers(place)))
      if (amount(net[taker].pre, place) > net.tokens(place)) net.remove_transition(taker);
    net.substitute_place(place, net.tokens(place));
  }
  return constant.size();
}

std::size_t sink_places(WorkingNet& net) {
  std::vector<Index> sinks;
  for (Index place = 0; place < net.places(); ++place)
    if (only_gains(net, place)) sinks.push_back(place);
  if (sinks.empty()) return 0;
  const std::vector<bool> endless = may_run_on(net);
  std::erase_if(sinks, [&](Index place) {
    const Bag& changes = net.changes(place);
    return std::any_of(changes.begin(), changes.end(),
                       [&](const Entry& entry) { return endless[entry.at]; });
  });
  for (const Index place : sinks) net.remove_place(place);
  return sinks.size();
}

std::size_t parallel_places(WorkingNet& net) {
  Groups alike;
  std::size_t removed = 0;
  for (Index place = 0; place < net.places() && !net.out_of_time(); ++place) {
    if (!net.has_place(place)) continue;
    auto& group = alike[hash(net.changes(place))];
    bool merged = false;
    for (Index& other : group) {
      if (net.changes(other) != net.changes(place)) continue;
      if (const auto kept = merge(net, place, other)) {
        other = *kept;
        merged = true;
        ++removed;
        break;
      }
    }
    if (!merged) group.push_back(place);
  }
  return removed;
}

std::size_t dominated_transitions(WorkingNet& net) {
  std::vector<std::pair<Number, Index>> lightest;
  for (Index t = 0; t < net.transitions(); ++t) {
    if (!net.has_transition(t) || net.atoms().is_event(t)) continue;
    Number weight = 0;
    for (const Entry& entry : net[t].pre) weight += entry.amount;
    lightest.emplace_back(weight, t);
  }
  std::sort(lightest.begin(), lightest.end());
  Groups alike;
  std::size_t removed = 0;
  for (const auto& [weight, t] : lightest) {
    if (net.out_of_time()) break;
    auto& group = alike[hash(net[t].effect)];
    if (const auto heir = that_dominates(net, t, group)) {
      net.remove_transition(t, *heir);
      ++removed;
    } else {
      group.push_back(t);
    }
  }
  return removed;
}

std::size_t implicit_places(WorkingNet& net) {
  std::vector<Index> candidates = net.take_touched();
  std::erase_if(candidates, [&](Index place) { return net.atoms().compares(place); });
  if (candidates.empty()) return 0;
  std::size_t removed = 0;
  ImplicitPlaces search(net, may_run_on(net));
  for (const Index place : candidates) {
    const auto weights = search.weights(place, kSearchSteps);
    if (weights && implies(net, *weights, place)) {
      net.remove_place(place);
      ++removed;
    }
    if (net.out_of_time()) break;
  }
  return removed;
}

bool implies(const WorkingNet& net, const Bag& weights, Index place) {
  Bag excess = sum({}, net.changes(place), -1);
  Number difference = net.tokens(place);
  for (const Entry& entry : weights) {
    excess = sum(excess, net.changes(entry.at), entry.amount);
    difference -= entry.amount * net.tokens(entry.at);
  }
  const auto& takers = net.takers(place);
  return std::all_of(excess.begin(), excess.end(), [](const Entry& e) { return e.amount < 0; }) &&
         std::all_of(takers.begin(), takers.end(), [&](Index t) {
           Number there = difference;
           for (const Entry& entry : weights) there += entry.amount * amount(net[t].pre, entry.at);
           return amount(net[t].pre, place) <= there;
         });
}

}  // namespace mpisog::reduce
