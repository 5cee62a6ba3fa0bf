// Aggregates by numbers: labels and sets are interned, so that equal ones have the same number.
//
// docs/sog.md says what the sets are; mpisog/sog/aggregate.py is the readable form of the same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace mpisog::sog {

using Label = std::vector<bool>;  // truth of the state atoms, in their order
using LabelId = std::uint32_t;
using SetId = std::uint32_t;

inline constexpr SetId kEmptySet = 0;
inline constexpr SetId kNoSet = ~SetId{0};

// Whether a run can stay in an aggregate for ever, and how.
struct Stuttering {
  bool known = false;  // nobody asks where it makes no difference to the formula
  bool dead = false;
  bool divergent = false;
  bool operator==(const Stuttering&) const = default;
};

// Two aggregates that are equal have the same future, whatever else was in them.
struct Aggregate {
  LabelId label = 0;
  SetId ready = kEmptySet;        // can do an observed step at once
  SetId exit_states = kEmptySet;  // the closed part's markings with a step that is not silent
  SetId deadlocks = kEmptySet;    // dead markings, when the formula can see that they are dead
  SetId frontier = kEmptySet;     // where silent steps lead out of a part whose growth was limited
  SetId next = kNoSet;  // what of the frontier is entered on its own, if it is taken apart
  Stuttering stuttering;

  [[nodiscard]] bool can_stutter() const noexcept {
    return stuttering.dead || stuttering.divergent;
  }
  bool operator==(const Aggregate&) const = default;
};

struct AggregateHash {
  std::size_t operator()(const Aggregate& a) const noexcept {
    std::uint64_t hash = a.label;
    for (const SetId set : {a.ready, a.exit_states, a.deadlocks, a.frontier, a.next}) {
      hash = (hash ^ set) * 0xFF51AFD7ED558CCDULL;
      hash ^= hash >> 32;
    }
    const unsigned staying = (a.stuttering.known ? 1U : 0U) | (a.stuttering.dead ? 2U : 0U) |
                             (a.stuttering.divergent ? 4U : 0U);
    return static_cast<std::size_t>((hash ^ staying) * 0xFF51AFD7ED558CCDULL);
  }
};

// A set of markings of one label through which an aggregate is entered.
struct Entry {
  LabelId label = 0;
  SetId states = kEmptySet;
  bool operator==(const Entry&) const = default;
};

// How an aggregate is left: 0 by an unobserved step, k by observed transition k, counted from 1, at
// once, -k by the same after waiting.
using Mode = int;
inline constexpr Mode kWaiting = 0;

struct Way {
  Mode mode = kWaiting;
  std::vector<Entry> entries;
};

// The waiting mode is always there and comes first; the others only where they lead somewhere.
using Expansion = std::vector<Way>;

struct Built {
  Aggregate aggregate;
  std::vector<Mode> ready_modes;  // of the observed transitions that can fire at once on entry
};

}  // namespace mpisog::sog
