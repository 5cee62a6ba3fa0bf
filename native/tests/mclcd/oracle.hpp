// CTL by plain fixpoints over the list of all markings: slow and obviously right.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include "mclcd/check.hpp"
#include "tests/check.hpp"
#include "tests/nets.hpp"

namespace mpisog::tests {

using mclcd::Form;
using mclcd::Lasso;
using mclcd::Predicate;
using petri::Marking;

struct Explicit {
  std::vector<Marking> markings;  // the initial one first
  std::vector<std::vector<std::size_t>> successors;
  std::uint64_t edges = 0;
};

inline std::optional<Explicit> enumerate(const petri::Net& net, std::size_t limit) {
  Explicit graph{{net.initial}, {}, 0};
  std::map<Marking, std::size_t> number{{net.initial, 0}};
  for (std::size_t i = 0; i < graph.markings.size(); ++i) {
    graph.successors.emplace_back();
    for (const petri::Transition& t : net.transitions) {
      if (!naive_enabled(t, graph.markings[i])) continue;
      Marking next = naive_fire(t, graph.markings[i]);
      const auto [entry, fresh] = number.try_emplace(next, graph.markings.size());
      if (fresh) graph.markings.push_back(std::move(next));
      graph.successors[i].push_back(entry->second);
      ++graph.edges;
    }
    if (graph.markings.size() > limit) return std::nullopt;
    if (graph.successors[i].empty()) graph.successors[i] = {i};  // a dead marking repeats
  }
  return graph;
}

inline bool true_in(const Predicate& predicate, const std::vector<petri::Atom>& atoms,
                    const petri::Net& net, const Marking& m) {
  std::uint32_t node = predicate.root;
  while (node > 1)
    node = petri::holds(atoms[predicate.nodes[node].atom], net, m) ? predicate.nodes[node].high
                                                                   : predicate.nodes[node].low;
  return node == 1;
}

using States = std::vector<bool>;

inline States select(const Explicit& graph, const Predicate& predicate,
                     const std::vector<petri::Atom>& atoms, const petri::Net& net) {
  States result;
  for (const Marking& m : graph.markings) result.push_back(true_in(predicate, atoms, net, m));
  return result;
}

// The least set with phi, and with what has psi and one or all successors inside.
inline States until(const Explicit& graph, const States& psi, States phi, bool all) {
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = 0; i < phi.size(); ++i) {
      const auto inside = [&](std::size_t next) { return phi[next]; };
      const auto& next = graph.successors[i];
      const bool step = all ? std::all_of(next.begin(), next.end(), inside)
                            : std::any_of(next.begin(), next.end(), inside);
      if (!phi[i] && psi[i] && step) phi[i] = changed = true;
    }
  }
  return phi;
}

// Whether there is a run of the kind that the form looks for.
inline bool expected(const Explicit& graph, Form form, const States& psi, const States& phi) {
  const States everywhere(phi.size(), true);
  switch (form) {
    case Form::exists_until:
      return until(graph, psi, phi, false)[0];
    case Form::all_until:
      return !until(graph, psi, phi, true)[0];
    case Form::leads_to: {
      const States inevitable = until(graph, everywhere, phi, true);
      for (std::size_t i = 0; i < phi.size(); ++i)
        if (psi[i] && !inevitable[i]) return true;
      return false;
    }
    case Form::count:
      break;
  }
  return false;
}

// Whether the lasso is a run of the net, and of the kind that the form looks for.
inline bool is_witness(const petri::Net& net, const Lasso& lasso, Form form,
                       const std::function<bool(const Marking&)>& psi,
                       const std::function<bool(const Marking&)>& phi) {
  std::vector<Marking> run{net.initial};
  const auto fire_all = [&](const std::vector<std::uint32_t>& firings) {
    for (const std::uint32_t t : firings) {
      if (!naive_enabled(net.transitions[t], run.back())) return false;
      run.push_back(naive_fire(net.transitions[t], run.back()));
    }
    return true;
  };
  if (!fire_all(lasso.prefix)) return false;
  const std::size_t entry = run.size() - 1;
  if (!fire_all(lasso.cycle) || run.back() != run[entry]) return false;
  const bool dead = std::none_of(net.transitions.begin(), net.transitions.end(),
                                 [&](const auto& t) { return naive_enabled(t, run.back()); });
  if (lasso.cycle.empty() && !dead) return false;
  // On a lasso, whatever happens happens before the cycle is over; what is true from an instant
  // on may also come round again.
  const std::size_t end = std::max(entry + 1, run.size() - 1);
  if (form == Form::leads_to) {
    const auto later = [&](std::size_t from) {
      for (std::size_t i = std::min(from, entry); i < end; ++i)
        if (i >= std::min(from, end) && phi(run[i])) return true;
      for (std::size_t i = entry; from >= entry && i < end; ++i)
        if (phi(run[i])) return true;
      return false;
    };
    for (std::size_t i = 0; i < end; ++i)
      if (psi(run[i]) && !later(i)) return true;
    return false;
  }
  std::size_t i = 0;
  while (i < end && !phi(run[i]) && psi(run[i])) ++i;
  const bool satisfied = i < end && phi(run[i]);
  return form == Form::exists_until ? satisfied : !satisfied;
}

}  // namespace mpisog::tests
