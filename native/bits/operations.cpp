#include "bits/operations.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace mpisog::bits {

namespace {

__extension__ typedef __int128 Wide;  // coefficients times token counts may leave 64 bits

void check(const Reachable& graph, const Set& states) {
  if (states.universe() != graph.size()) throw std::invalid_argument("a set of another domain");
}

void check(const Reachable& graph, const Set& states, const Steps& steps) {
  check(graph, states);
  if (!steps.belong_to(graph)) throw std::invalid_argument("steps of another domain");
}

// Calls `visit` with what one step leads to from a marking.
template <class Visit>
void step_forward(const Reachable& graph, const Steps& steps, StateId id, Visit&& visit) {
  for (const Edge& edge : graph.successors(id))
    if (steps.allow(graph, id, edge.transition)) visit(edge.state);
}

// Calls `visit` with what leads to a marking by one step.
template <class Visit>
void step_back(const Reachable& graph, const Steps& steps, StateId id, Visit&& visit) {
  for (const Edge& edge : graph.predecessors(id))
    if (steps.allow(graph, edge.state, edge.transition)) visit(edge.state);
}

// Breadth-first search: what is added to the collector while it is read is visited too.
template <class Step>
Set fixpoint(const Set& states, const Set* within, Step&& step) {
  Collector reached(states.universe());
  if (within == nullptr) {
    states.for_each([&](StateId id) { reached.add(id); });
    for (std::size_t i = 0; i < reached.size(); ++i)
      step(reached[i], [&](StateId id) { reached.add(id); });
  } else {
    const Lookup allowed(*within);
    const auto add = [&](StateId id) {
      if (allowed.contains(id)) reached.add(id);
    };
    states.for_each(add);
    for (std::size_t i = 0; i < reached.size(); ++i) step(reached[i], add);
  }
  return std::move(reached).finish();
}

}  // namespace

Set image(const Reachable& graph, const Set& states, const Steps& steps) {
  check(graph, states, steps);
  Collector found(graph.size());
  if (!steps.none())
    states.for_each([&](StateId id) {
      step_forward(graph, steps, id, [&](StateId next) { found.add(next); });
    });
  return std::move(found).finish();
}

Set preimage(const Reachable& graph, const Set& states, const Steps& steps) {
  check(graph, states, steps);
  Collector found(graph.size());
  if (!steps.none())
    states.for_each([&](StateId id) {
      step_back(graph, steps, id, [&](StateId before) { found.add(before); });
    });
  return std::move(found).finish();
}

Set closure(const Reachable& graph, const Set& states, const Steps& steps, const Set* within) {
  check(graph, states, steps);
  if (within != nullptr) check(graph, *within);
  return fixpoint(states, within,
                  [&](StateId id, const auto& visit) { step_forward(graph, steps, id, visit); });
}

Set backward_closure(const Reachable& graph, const Set& states, const Steps& steps,
                     const Set& within) {
  check(graph, states, steps);
  check(graph, within);
  return fixpoint(states, &within,
                  [&](StateId id, const auto& visit) { step_back(graph, steps, id, visit); });
}

std::uint64_t count_steps(const Reachable& graph, const Set& states, const Steps& steps) {
  check(graph, states, steps);
  std::uint64_t total = 0;
  states.for_each([&](StateId id) {
    for (const Edge& edge : graph.successors(id)) total += steps.count(graph, id, edge.transition);
  });
  return total;
}

std::int64_t largest_sum(const Reachable& graph, const Set& states, const Terms& terms) {
  check(graph, states);
  for (const auto& term : terms)
    if (term.first >= graph.net().places()) throw std::out_of_range("no such place");
  std::optional<Wide> largest;
  states.for_each([&](StateId id) {
    Wide sum = 0;
    for (const auto& [place, coefficient] : terms)
      sum += Wide{coefficient} * graph.layout().tokens(graph.packed(id), place);
    largest = largest ? std::max(*largest, sum) : sum;
  });
  if (!largest) throw std::invalid_argument("the set is empty");
  using Limit = std::numeric_limits<std::int64_t>;
  if (*largest > Limit::max() || *largest < Limit::min())
    throw std::overflow_error("a sum of tokens leaves 64 bits");
  return static_cast<std::int64_t>(*largest);
}

Marking largest_tokens(const Reachable& graph, const Set& states) {
  check(graph, states);
  Marking largest(graph.net().places());
  Marking here(largest.size());
  states.for_each([&](StateId id) {
    graph.layout().unpack(graph.packed(id), here);
    for (std::size_t p = 0; p < here.size(); ++p) largest[p] = std::max(largest[p], here[p]);
  });
  return largest;
}

Truth::Truth(const Reachable& graph, petri::Atom atom) : graph_(graph), atom_(std::move(atom)) {
  if (const auto* comparison = std::get_if<petri::Comparison>(&atom_))
    for (const auto& term : comparison->terms)
      if (term.first >= graph.net().places()) throw std::out_of_range("no such place");
  if (const auto* fireable = std::get_if<petri::Fireable>(&atom_)) {
    fireable_ = fireable->transitions;
    std::sort(fireable_.begin(), fireable_.end());
    if (!fireable_.empty() && fireable_.back() >= graph.net().transitions.size())
      throw std::out_of_range("no such transition");
  }
}

bool Truth::holds(StateId id) const {
  if (std::holds_alternative<petri::Dead>(atom_)) return graph_.successors(id).empty();
  if (std::holds_alternative<petri::Fireable>(atom_)) {
    const auto edges = graph_.successors(id);
    return std::any_of(edges.begin(), edges.end(), [&](const Edge& edge) {
      return std::binary_search(fireable_.begin(), fireable_.end(), edge.transition);
    });
  }
  return petri::holds(atom_, graph_.layout(), graph_.packed(id), graph_.net().transitions.size());
}

const Set* Truth::known_for(StateId more) const {
  const std::uint64_t before = evaluated_.fetch_add(more, std::memory_order_relaxed);
  return before + more >= graph_.size() ? &everywhere() : nullptr;
}

Set Truth::among(const Set& states) const {
  check(graph_, states);
  if (const Set* known = known_for(states.count())) return intersect(states, *known);
  std::vector<StateId> members;
  states.for_each([&](StateId id) {
    if (holds(id)) members.push_back(id);
  });
  return Set::of_members(graph_.size(), std::move(members));
}

const Set& Truth::everywhere() const {
  std::call_once(once_, [&] {
    std::vector<Word> words(words_for(graph_.size()));
    for (StateId id = 0; id < graph_.size(); ++id)
      if (holds(id)) set_bit(words.data(), id);
    everywhere_ = Set::of_words(graph_.size(), std::move(words));
  });
  return *everywhere_;
}

std::vector<Part> split(const Reachable& graph, const Set& states,
                        std::span<const Truth* const> atoms) {
  check(graph, states);
  if (atoms.size() > kMostSplitting) throw std::invalid_argument("too many atoms to split by");
  std::vector<const Set*> known;
  for (const Truth* atom : atoms) known.push_back(atom->known_for(states.count()));
  std::vector<std::pair<std::uint64_t, std::vector<StateId>>> classes;
  std::size_t last = 0;  // neighbours mostly have the same label
  states.for_each([&](StateId id) {
    std::uint64_t label = 0;
    for (std::size_t i = 0; i < atoms.size(); ++i) {
      const bool truth = known[i] != nullptr ? known[i]->contains(id) : atoms[i]->holds(id);
      label |= std::uint64_t{truth} << i;
    }
    if (last == classes.size() || classes[last].first != label) {
      last = 0;
      while (last < classes.size() && classes[last].first != label) ++last;
      if (last == classes.size()) classes.push_back({label, {}});
    }
    classes[last].second.push_back(id);
  });
  std::sort(classes.begin(), classes.end());
  std::vector<Part> parts;
  for (auto& [label, members] : classes)
    parts.push_back({label, Set::of_members(graph.size(), std::move(members))});
  return parts;
}

StateId find_cycle(const Reachable& graph, const Set& states, const Steps& steps) {
  check(graph, states, steps);
  struct Frame {
    StateId state;
    std::size_t next;  // the edge to look at
  };
  const Lookup within(states);
  Collector seen(graph.size());
  Collector done(graph.size());
  std::vector<Frame> stack;
  StateId found = petri::kNoState;
  const auto search_from = [&](StateId root) {
    if (!seen.add(root)) return true;
    stack.push_back({root, 0});
    while (!stack.empty()) {
      auto& [here, next] = stack.back();
      const auto edges = graph.successors(here);
      if (next == edges.size()) {
        done.add(here);
        stack.pop_back();
        continue;
      }
      const Edge edge = edges[next++];
      if (!within.contains(edge.state) || done.contains(edge.state)) continue;
      if (!steps.allow(graph, here, edge.transition)) continue;
      if (!seen.add(edge.state)) {  // still on the stack
        found = edge.state;
        return false;
      }
      stack.push_back({edge.state, 0});
    }
    return true;
  };
  if (!steps.none()) states.visit_from(0, search_from);
  return found;
}

std::optional<FoundPath> find_path(const Reachable& graph, StateId target, const Steps& steps,
                                   const Set& within, const Set& sources, bool at_once) {
  check(graph, within, steps);
  check(graph, sources);
  if (target >= graph.size()) return std::nullopt;
  if (at_once && sources.contains(target)) return FoundPath{target, {}};
  // How a marking of the queue goes on towards the target, which is the first one there.
  struct Onwards {
    std::uint32_t firing;
    std::size_t next;
  };
  Collector queue(graph.size());
  std::vector<Onwards> onwards{{0, 0}};
  queue.add(target);
  for (std::size_t i = 0; i < queue.size(); ++i) {
    for (const Edge& edge : graph.predecessors(queue[i])) {
      const StateId before = edge.state;
      const bool start = sources.contains(before);
      if (!start && (queue.contains(before) || !within.contains(before))) continue;
      if (!steps.allow(graph, before, edge.transition)) continue;
      if (start) {  // perhaps the target itself, after a round
        FoundPath path{before, {edge.transition}};
        for (std::size_t at = i; at != 0; at = onwards[at].next)
          path.firings.push_back(onwards[at].firing);
        return path;
      }
      queue.add(before);
      onwards.push_back({edge.transition, i});
    }
  }
  return std::nullopt;
}

}  // namespace mpisog::bits
