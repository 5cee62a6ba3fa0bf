// Guarded steps on plain markings: what the explicit searches share.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

#include "petri/net.hpp"

namespace mpisog::search {

// A transition that may be used where the bounds hold before it fires.
struct Step {
  std::uint32_t transition;
  std::vector<petri::Arc> at_least;
  std::vector<petri::Arc> at_most;
};

using Contains = std::function<bool(const petri::Marking&)>;

struct MarkingHash {
  std::size_t operator()(const petri::Marking& marking) const noexcept {
    std::uint64_t h = marking.size();
    for (const std::int64_t tokens : marking) {
      h = (h ^ static_cast<std::uint64_t>(tokens)) * 0xFF51AFD7ED558CCDULL;
      h ^= h >> 32;
    }
    return static_cast<std::size_t>(h);
  }
};

inline bool holds_all(const petri::Marking& marking, const std::vector<petri::Arc>& least) {
  return std::all_of(least.begin(), least.end(),
                     [&](const petri::Arc& arc) { return marking[arc.place] >= arc.weight; });
}

// Whether the step's own bounds hold; the transition may still lack tokens.
inline bool allowed(const Step& step, const petri::Marking& before) {
  return holds_all(before, step.at_least) &&
         std::none_of(step.at_most.begin(), step.at_most.end(),
                      [&](const petri::Arc& arc) { return before[arc.place] > arc.weight; });
}

// The marking after the step; false, and nothing is written, when it cannot be taken.
inline bool take(const petri::Net& net, const Step& step, const petri::Marking& before,
                 petri::Marking& after) {
  const petri::Transition& t = net.transitions[step.transition];
  if (!holds_all(before, t.pre) || !allowed(step, before)) return false;
  after = before;
  for (const petri::Arc& arc : t.pre) after[arc.place] -= arc.weight;
  for (const petri::Arc& arc : t.post) after[arc.place] += arc.weight;
  return true;
}

// The marking before the step; false when no step led here.
inline bool undo(const petri::Net& net, const Step& step, const petri::Marking& after,
                 petri::Marking& before) {
  const petri::Transition& t = net.transitions[step.transition];
  if (!holds_all(after, t.post)) return false;
  before = after;
  for (const petri::Arc& arc : t.post) before[arc.place] -= arc.weight;
  for (const petri::Arc& arc : t.pre) before[arc.place] += arc.weight;
  return allowed(step, before);
}

}  // namespace mpisog::search
