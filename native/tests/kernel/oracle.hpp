// Sets of markings as std::set, and random nets: what the kernel is compared with.
#pragma once

#include <algorithm>
#include <functional>
#include <iterator>
#include <random>
#include <set>
#include <vector>

#include "mdd/kernel.hpp"

namespace mpisog::test {

using Explicit = std::set<mdd::Marking>;

inline Explicit explicit_of(mdd::Kernel& kernel, const mdd::Set& set) {
  Explicit result;
  kernel.for_each(set, [&](const mdd::Marking& marking) { return result.insert(marking).second; });
  return result;
}

inline mdd::Set symbolic(mdd::Kernel& kernel, const Explicit& markings) {
  return kernel.from_markings(std::vector<mdd::Marking>(markings.begin(), markings.end()));
}

inline bool is_enabled(const mdd::Event& event, const mdd::Marking& marking) {
  for (const mdd::Term& term : event) {
    const mdd::Value value = marking[term.level];
    if (value < term.at_least || value > term.at_most || std::int64_t{value} + term.delta < 0)
      return false;
  }
  return true;
}

inline mdd::Marking fire(const mdd::Event& event, mdd::Marking marking) {
  for (const mdd::Term& term : event)
    marking[term.level] = static_cast<mdd::Value>(marking[term.level] + term.delta);
  return marking;
}

inline Explicit image(const Explicit& set, const mdd::Event& event) {
  Explicit result;
  for (const mdd::Marking& marking : set) {
    if (is_enabled(event, marking)) result.insert(fire(event, marking));
  }
  return result;
}

inline Explicit closure(
    const Explicit& set, const std::vector<mdd::Event>& events,
    const std::function<bool(const mdd::Marking&)>& allowed = [](const mdd::Marking&) {
      return true;
    }) {
  Explicit reached;
  std::vector<mdd::Marking> todo;
  const auto add = [&](const mdd::Marking& marking) {
    if (allowed(marking) && reached.insert(marking).second) todo.push_back(marking);
  };
  for (const mdd::Marking& marking : set) add(marking);
  while (!todo.empty()) {
    const mdd::Marking marking = todo.back();
    todo.pop_back();
    for (const mdd::Event& event : events) {
      if (is_enabled(event, marking)) add(fire(event, marking));
    }
  }
  return reached;
}

inline bool holds(const mdd::LinearConstraint& constraint, const mdd::Marking& marking) {
  std::int64_t sum = 0;
  for (const mdd::LinearTerm& term : constraint.terms)
    sum += term.coefficient * std::int64_t{marking[term.level]};
  switch (constraint.comparison) {
    case mdd::Comparison::kLess:
      return sum < constraint.constant;
    case mdd::Comparison::kLessEqual:
      return sum <= constraint.constant;
    case mdd::Comparison::kEqual:
      return sum == constraint.constant;
    case mdd::Comparison::kNotEqual:
      return sum != constraint.constant;
    case mdd::Comparison::kGreaterEqual:
      return sum >= constraint.constant;
    case mdd::Comparison::kGreater:
      return sum > constraint.constant;
  }
  return false;
}

template <class Predicate>
Explicit selected(const Explicit& set, Predicate predicate) {
  Explicit result;
  std::copy_if(set.begin(), set.end(), std::inserter(result, result.end()), predicate);
  return result;
}

using Random = std::mt19937;

inline std::uint32_t below(Random& random, std::uint32_t limit) {
  return static_cast<std::uint32_t>(random() % limit);
}

// Effects, tests and upper guards on some places; the guard keeps every place at or below the
// limit.
inline mdd::Event random_event(Random& random, mdd::Level levels, mdd::Value limit) {
  mdd::Event event;
  for (mdd::Level level = 0; level < levels; ++level) {
    if (below(random, 5) > 2) continue;
    mdd::Term term{level, below(random, 3), limit, std::int64_t{below(random, 5)} - 2};
    if (term.delta > 0) term.at_most = limit - static_cast<mdd::Value>(term.delta);
    if (below(random, 6) == 0) term.at_most = std::min(term.at_most, below(random, limit + 1));
    event.push_back(term);
  }
  return event;
}

inline std::vector<mdd::Event> random_events(Random& random, mdd::Level levels, mdd::Value limit) {
  std::vector<mdd::Event> events;
  for (std::uint32_t i = 1 + below(random, 6); i > 0; --i)
    events.push_back(random_event(random, levels, limit));
  return events;
}

inline mdd::LinearConstraint random_constraint(Random& random, mdd::Level levels) {
  mdd::LinearConstraint constraint;
  for (mdd::Level level = 0; level < levels; ++level) {
    if (below(random, 2) == 0)
      constraint.terms.push_back({level, std::int64_t{below(random, 5)} - 2});
  }
  constraint.comparison = static_cast<mdd::Comparison>(below(random, 6));
  constraint.constant = std::int64_t{below(random, 9)} - 4;
  return constraint;
}

inline Explicit random_markings(Random& random, mdd::Level levels, mdd::Value limit,
                                std::uint32_t count) {
  Explicit result;
  for (; count > 0; --count) {
    mdd::Marking marking(levels);
    for (mdd::Value& value : marking) value = below(random, limit + 1);
    result.insert(marking);
  }
  return result;
}

// A ring of places with a few tokens: many markings, small diagrams.
inline std::vector<mdd::Event> ring(mdd::Level levels) {
  std::vector<mdd::Event> events;
  for (mdd::Level level = 0; level < levels; ++level) {
    events.push_back({{level, 1, mdd::kNoLimit, -1}, {(level + 1) % levels, 0, mdd::kNoLimit, 1}});
  }
  return events;
}

}  // namespace mpisog::test
