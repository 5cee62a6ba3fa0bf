// Nets as plain text: places, initial marking, transitions, each as a count and (place, needed,
// effect) triples.
#pragma once

#include <algorithm>
#include <istream>
#include <numeric>
#include <random>
#include <stdexcept>
#include <vector>

#include "mdd/types.hpp"
#include "order/ordering.hpp"

namespace mpisog::bench {

struct Net {
  mdd::Marking initial;
  std::vector<mdd::Event> transitions;  // levels are places
};

inline Net read_net(std::istream& in) {
  std::size_t places = 0, transitions = 0;
  Net net;
  in >> places;
  net.initial.resize(places);
  for (mdd::Value& value : net.initial) in >> value;
  in >> transitions;
  net.transitions.resize(transitions);
  for (mdd::Event& event : net.transitions) {
    std::size_t terms = 0;
    in >> terms;
    event.resize(terms);
    for (mdd::Term& term : event) in >> term.level >> term.at_least >> term.delta;
  }
  if (!in) throw std::runtime_error("not a net");
  return net;
}

// The same net with its places in another order: position i holds place order[i].
inline Net reordered(const Net& net, const order::Order& order) {
  std::vector<mdd::Level> position(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) position[order[i]] = static_cast<mdd::Level>(i);
  Net result = net;
  for (std::size_t i = 0; i < order.size(); ++i) result.initial[i] = net.initial[order[i]];
  for (mdd::Event& event : result.transitions) {
    for (mdd::Term& term : event) term.level = position[term.level];
  }
  return result;
}

inline order::Order shuffled_order(std::size_t places, unsigned seed) {
  order::Order order(places);
  std::iota(order.begin(), order.end(), 0U);
  std::mt19937 random(seed);
  std::shuffle(order.begin(), order.end(), random);
  return order;
}

inline order::Structure structure_of(const Net& net) {
  order::Structure structure;
  structure.places = static_cast<std::uint32_t>(net.initial.size());
  structure.initial = net.initial;
  for (const mdd::Event& event : net.transitions) {
    structure.transitions.emplace_back();
    for (const mdd::Term& term : event)
      structure.transitions.back().push_back({term.level, term.at_least, term.delta});
  }
  return structure;
}

}  // namespace mpisog::bench
