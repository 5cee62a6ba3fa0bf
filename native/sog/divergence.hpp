// Silent cycles inside a set of markings (mpisog/sog/divergence.py).
#pragma once

#include <array>
#include <mutex>
#include <optional>
#include <utility>

#include "sog/label_steps.hpp"

namespace mpisog::sog {

// What is known of silent cycles among the markings of one label.
//
// A set that is closed under the steps has a cycle when it has a marking that lies on one, and no
// cycle passes through a closed set that has none: only what is new needs a look. Threads may lose
// what others remember at the same time; that costs time and is never wrong.
template <class Sets>
class CycleMemory {
 public:
  using Set = typename Sets::Set;

  CycleMemory(Sets& sets, const LabelSteps<Sets>& steps)
      : sets_(sets), steps_(steps), without_(sets.empty()), on_cycles_(sets.empty()) {}

  // Whether the set has a cycle inside; `is_closed` when no step leads out of it.
  bool has_cycle(const Set& states, bool is_closed) {
    const auto [without, on_cycles] = known();
    if (is_closed && !sets_.is_empty(sets_.intersect(states, on_cycles))) return true;
    const std::optional<Set> found = find(sets_.subtract(states, without));
    if (found) {
      // All that can reach it would serve as well, but costs more than to find a cycle again.
      remember(without, sets_.unite(on_cycles, *found));
    } else if (is_closed) {
      remember(sets_.unite(without, states), on_cycles);
    }
    return found.has_value();
  }

 private:
  using Candidates = typename Sets::Candidates;
  static constexpr std::size_t kPlain = 0, kCloser = 1;
  static constexpr int kAttempts = 3;  // how often a cycle is sought by luck
  // Markings looked at one by one, before the steps are looked into and afterwards.
  static constexpr std::size_t kFew = 2'000, kMany = 30'000;

  std::pair<Set, Set> known() {
    const std::lock_guard lock(mutex_);
    return {without_, on_cycles_};
  }
  void remember(Set without, Set on_cycles) {
    const std::lock_guard lock(mutex_);
    without_ = std::move(without);
    on_cycles_ = std::move(on_cycles);
  }

  // The set of one marking that can come back to itself inside the set.
  std::optional<Set> find(const Set& states) {
    if (sets_.is_empty(states)) return std::nullopt;
    const Candidates some = looked_closer() ? candidates(kCloser) : candidates(kPlain);
    if (some.none()) return std::nullopt;
    auto search = sets_.explicit_cycle(states, some, kFew);
    if (!search.gave_up) return search.found;
    const Candidates fewer = candidates(kCloser);
    if (fewer.none()) return std::nullopt;
    search = sets_.explicit_cycle(states, fewer, kMany);
    if (!search.gave_up) return search.found;
    if (std::optional<Set> found = behind(states, fewer, states, kAttempts)) return found;
    const Set core = cyclic_core(states, fewer);
    return behind(core, fewer, core, -1);
  }

  bool looked_closer() {
    const std::lock_guard lock(mutex_);
    return candidates_[kCloser].has_value();
  }
  Candidates candidates(std::size_t which) {
    {
      const std::lock_guard lock(mutex_);
      if (candidates_[which]) return *candidates_[which];
    }
    Candidates made = steps_.candidates(which == kCloser);  // others may wait for what this needs
    const std::lock_guard lock(mutex_);
    if (!candidates_[which]) candidates_[which] = std::move(made);
    return *candidates_[which];
  }

  // Picks a marking, and if it does not come back, one of those that it reaches, and so on.
  std::optional<Set> behind(Set starts, const Candidates& steps, Set within, int attempts) {
    while (!sets_.is_empty(starts) && attempts-- != 0) {
      const Set start = sets_.one_marking(starts);
      const Set after = sets_.intersect(sets_.image(start, *steps.steps), within);
      const Set reached = sets_.closure_within(after, *steps.steps, within);
      if (!sets_.is_empty(sets_.intersect(reached, start))) return start;
      starts = within = reached;  // strictly less
    }
    return std::nullopt;
  }

  // The markings from which one can go on for ever: what cannot go on is taken away; after the
  // first time only what led there can be stuck.
  Set cyclic_core(const Set& states, const Candidates& steps) {
    Set core = states;
    Set stuck = sets_.subtract(core, sets_.preimage(core, *steps.steps));
    while (!sets_.is_empty(stuck)) {
      core = sets_.subtract(core, stuck);
      const Set doubtful = sets_.intersect(sets_.preimage(stuck, *steps.steps), core);
      const Set onwards = sets_.intersect(sets_.image(doubtful, *steps.steps), core);
      stuck = sets_.subtract(doubtful, sets_.preimage(onwards, *steps.steps));
    }
    return core;
  }

  Sets& sets_;
  const LabelSteps<Sets>& steps_;
  std::mutex mutex_;
  Set without_, on_cycles_;
  std::array<std::optional<Candidates>, 2> candidates_;
};

}  // namespace mpisog::sog
