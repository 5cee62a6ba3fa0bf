// The observation graph of a tiny net by definition, over plain sets of markings.
//
// Static aggregation: a transition is silent when it is unobserved and leaves every observed place
// alone. State atoms are "the place is marked".
#pragma once

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <vector>

#include "sog/aggregate.hpp"
#include "tests/nets.hpp"

namespace mpisog::tests {

struct Watched {
  std::vector<std::uint32_t> places;  // the atoms
  std::vector<std::uint32_t> events;
};

inline bool is_event(const Watched& watched, std::uint32_t t) {
  return std::find(watched.events.begin(), watched.events.end(), t) != watched.events.end();
}

inline bool is_silent(const petri::Net& net, const Watched& watched, std::uint32_t t) {
  if (is_event(watched, t)) return false;
  const petri::Marking none(net.places(), 1'000);
  const petri::Marking after = naive_fire(net.transitions[t], none);
  return std::all_of(watched.places.begin(), watched.places.end(),
                     [&](std::uint32_t place) { return after[place] == none[place]; });
}

class NaiveGraph {
 public:
  using Markings = std::set<petri::Marking>;
  // Label, ready, out, dead, divergent.
  using Aggregate = std::tuple<sog::Label, Markings, Markings, bool, bool>;

  NaiveGraph(const petri::Net& net, const Watched& watched) : net_(net), watched_(watched) {
    std::vector<Aggregate> todo{enter({net.initial})};
    while (!todo.empty()) {
      const Aggregate here = todo.back();
      todo.pop_back();
      if (!aggregates_.insert(here).second) continue;
      for (const Markings& entry : successors(here)) todo.push_back(enter(entry));
    }
  }
  [[nodiscard]] std::size_t size() const { return aggregates_.size(); }
  [[nodiscard]] std::size_t edges() const { return edges_; }

 private:
  template <class Chosen>
  Markings after(const Markings& from, Chosen chosen) const {
    Markings found;
    for (const petri::Marking& m : from)
      for (std::uint32_t t = 0; t < net_.transitions.size(); ++t)
        if (chosen(t) && naive_enabled(net_.transitions[t], m))
          found.insert(naive_fire(net_.transitions[t], m));
    return found;
  }
  template <class Chosen>
  bool can(const petri::Marking& m, Chosen chosen) const {
    for (std::uint32_t t = 0; t < net_.transitions.size(); ++t)
      if (chosen(t) && naive_enabled(net_.transitions[t], m)) return true;
    return false;
  }
  bool silent(std::uint32_t t) const { return is_silent(net_, watched_, t); }
  bool observed(std::uint32_t t) const { return is_event(watched_, t); }
  bool exit(std::uint32_t t) const { return !silent(t) && !observed(t); }

  Aggregate enter(const Markings& entry) const {
    Markings ready;
    Markings closed;
    for (const petri::Marking& m : entry)
      (can(m, [&](auto t) { return observed(t); }) ? ready : closed).insert(m);
    closed.merge(after(ready, [&](auto t) { return silent(t); }));
    for (std::size_t before = 0; before != closed.size();) {
      before = closed.size();
      closed.merge(after(closed, [&](auto t) { return silent(t); }));
    }
    Markings out;
    bool dead = false;
    for (const petri::Marking& m : closed) {
      if (can(m, [&](auto t) { return !silent(t); })) out.insert(m);
      dead = dead || !can(m, [](auto) { return true; });
    }
    return {label(*entry.begin()), ready, out, dead, diverges(closed)};
  }

  // What is left after taking away, again and again, what has no silent step inside.
  bool diverges(Markings left) const {
    for (std::size_t before = left.size() + 1; before != left.size();) {
      before = left.size();
      std::erase_if(left, [&](const petri::Marking& m) {
        for (std::uint32_t t = 0; t < net_.transitions.size(); ++t)
          if (silent(t) && naive_enabled(net_.transitions[t], m) &&
              left.contains(naive_fire(net_.transitions[t], m)))
            return false;
        return true;
      });
    }
    return !left.empty();
  }

  std::vector<Markings> successors(const Aggregate& here) {
    const auto& [name, ready, out, dead, divergent] = here;
    std::vector<Markings> found;
    const auto add = [&](const Markings& reached) {
      std::map<sog::Label, Markings> parts;
      for (const petri::Marking& m : reached) parts[label(m)].insert(m);
      for (auto& [of, part] : parts) found.push_back(part);
    };
    for (const std::uint32_t event : watched_.events) {
      add(after(ready, [&](auto t) { return t == event; }));
      add(after(out, [&](auto t) { return t == event; }));
    }
    Markings all = ready;
    all.insert(out.begin(), out.end());
    add(after(all, [&](auto t) { return exit(t); }));
    edges_ += found.size();
    return found;
  }

  sog::Label label(const petri::Marking& m) const {
    sog::Label found;
    for (const std::uint32_t place : watched_.places) found.push_back(m[place] >= 1);
    return found;
  }

  const petri::Net& net_;
  const Watched& watched_;
  std::set<Aggregate> aggregates_;
  std::size_t edges_ = 0;
};

}  // namespace mpisog::tests
