// Small nets for the tests: random ones and a naive explorer to compare with.
#pragma once

#include <map>
#include <optional>
#include <random>
#include <set>

#include "petri/net.hpp"

namespace mpisog::tests {

inline petri::Net random_net(std::mt19937& random) {
  const auto pick = [&](int low, int high) {
    return std::uniform_int_distribution<int>(low, high)(random);
  };
  petri::Net net;
  const int places = pick(1, 6);
  for (int p = 0; p < places; ++p) net.initial.push_back(pick(0, 3));
  const int transitions = pick(1, 6);
  for (int t = 0; t < transitions; ++t) {
    petri::Transition transition;
    for (std::uint32_t p = 0; p < static_cast<std::uint32_t>(places); ++p) {
      if (pick(0, 2) == 0) transition.pre.push_back({p, pick(1, 3)});
      if (pick(0, 2) == 0) transition.post.push_back({p, pick(1, 3)});
    }
    net.transitions.push_back(transition);
  }
  return net;
}

inline bool naive_enabled(const petri::Transition& t, const petri::Marking& m) {
  for (const petri::Arc& arc : t.pre)
    if (m[arc.place] < arc.weight) return false;
  return true;
}

inline petri::Marking naive_fire(const petri::Transition& t, petri::Marking m) {
  for (const petri::Arc& arc : t.pre) m[arc.place] -= arc.weight;
  for (const petri::Arc& arc : t.post) m[arc.place] += arc.weight;
  return m;
}

struct NaiveFigures {
  std::set<petri::Marking> markings;
  std::uint64_t edges = 0;
  std::uint64_t dead = 0;
};

// Nothing when there are more than `limit` markings.
inline std::optional<NaiveFigures> naive_explore(const petri::Net& net, std::size_t limit) {
  NaiveFigures figures;
  std::vector<petri::Marking> todo{net.initial};
  figures.markings.insert(net.initial);
  while (!todo.empty()) {
    const petri::Marking m = todo.back();
    todo.pop_back();
    std::uint64_t firings = 0;
    for (const petri::Transition& t : net.transitions) {
      if (!naive_enabled(t, m)) continue;
      ++firings;
      petri::Marking next = naive_fire(t, m);
      if (figures.markings.insert(next).second) todo.push_back(std::move(next));
    }
    figures.edges += firings;
    if (firings == 0) ++figures.dead;
    if (figures.markings.size() > limit) return std::nullopt;
  }
  return figures;
}

}  // namespace mpisog::tests
