#include "reduce/reducer.hpp"

#include <array>
#include <numeric>

#include "reduce/exact_rules.hpp"
#include "reduce/stuttering_rules.hpp"

namespace mpisog::reduce {

namespace {

constexpr std::array kRules{
    Rule{"dead transitions", dead_transitions, false, false},
    Rule{"constant places", constant_places, false, false},
    Rule{"sink places", sink_places, false, false},
    Rule{"parallel places", parallel_places, false, false},
    Rule{"dominated transitions", dominated_transitions, false, false},
    Rule{"irrelevant transitions", irrelevant_transitions, true, false},
    Rule{"post-agglomeration", post_agglomeration, true, false},
    Rule{"pre-agglomeration", pre_agglomeration, true, false},
    Rule{"implicit places", implicit_places, false, true},
};

// Applies each rule once; whether any did something.
bool round(WorkingNet& net, const std::vector<std::size_t>& rules,
           std::vector<std::size_t>& applied) {
  std::size_t done = 0;
  for (const std::size_t number : rules) {
    const Rule& rule = kRules.at(number);
    if (rule.costly && done != 0) continue;
    const std::size_t times = rule.apply(net);
    applied[number] += times;
    done += times;
  }
  return done != 0;
}

}  // namespace

std::span<const Rule> all_rules() { return kRules; }

std::vector<std::size_t> reduce(WorkingNet& net, const std::vector<std::size_t>& rules) {
  std::vector<std::size_t> applied(kRules.size());
  while (round(net, rules, applied) && !net.out_of_time()) {
  }
  return applied;
}

Reduced finished(const WorkingNet& net) {
  Reduced result;
  std::vector<Index> places(net.places());
  std::vector<Index> transitions(net.transitions());
  std::vector<bool> always(net.transitions());
  for (Index place = 0; place < net.places(); ++place) {
    if (!net.has_place(place)) continue;
    places[place] = static_cast<Index>(result.places.size());
    result.places.push_back(place);
    result.net.initial.push_back(net.tokens(place));
  }
  const auto arcs = [&](const Bag& bag) {
    std::vector<petri::Arc> list;
    list.reserve(bag.size());
    for (const Entry& entry : bag) list.push_back({places[entry.at], entry.amount});
    return list;
  };
  for (Index t = 0; t < net.transitions(); ++t) {
    if (!net.has_transition(t)) continue;
    transitions[t] = static_cast<Index>(result.words.size());
    always[t] = net[t].pre.empty();
    result.net.transitions.push_back({arcs(net[t].pre), arcs(net[t].post)});
    result.words.push_back(net[t].word);
  }
  result.first = net.first();
  result.atoms = net.atoms().bound(places, transitions, always);
  return result;
}

}  // namespace mpisog::reduce
