// Sets of markings as std::set, and random nets: what the kernel is compared with.
#pragma once

#include <algorithm>
#include <functional>
#include <iterator>
#include <random>
#include <set>
#include <vector>

#include "ldd/kernel.hpp"

namespace mpisog::test {

using Explicit = std::set<ldd::Marking>;

inline Explicit explicit_of(ldd::Kernel& kernel, const ldd::Set& set) {
  Explicit result;
  kernel.for_each(set, [&](const ldd::Marking& marking) { return result.insert(marking).second; });
  return result;
}

inline ldd::Set symbolic(ldd::Kernel& kernel, const Explicit& markings) {
  return kernel.from_markings(std::vector<ldd::Marking>(markings.begin(), markings.end()));
}

inline bool is_enabled(const ldd::Event& event, const ldd::Marking& marking) {
  for (const ldd::Term& term : event) {
    const ldd::Value value = marking[term.level];
    if (value < term.at_least || value > term.at_most || std::int64_t{value} + term.delta < 0)
      return false;
  }
  return true;
}

inline ldd::Marking fire(const ldd::Event& event, ldd::Marking marking) {
  for (const ldd::Term& term : event)
    marking[term.level] = static_cast<ldd::Value>(marking[term.level] + term.delta);
  return marking;
}

inline Explicit image(const Explicit& set, const ldd::Event& event) {
  Explicit result;
  for (const ldd::Marking& marking : set) {
    if (is_enabled(event, marking)) result.insert(fire(event, marking));
  }
  return result;
}

inline Explicit closure(
    const Explicit& set, const std::vector<ldd::Event>& events,
    const std::function<bool(const ldd::Marking&)>& allowed = [](const ldd::Marking&) {
      return true;
    }) {
  Explicit reached;
  std::vector<ldd::Marking> todo;
  const auto add = [&](const ldd::Marking& marking) {
    if (allowed(marking) && reached.insert(marking).second) todo.push_back(marking);
  };
  for (const ldd::Marking& marking : set) add(marking);
  while (!todo.empty()) {
    const ldd::Marking marking = todo.back();
    todo.pop_back();
    for (const ldd::Event& event : events) {
      if (is_enabled(event, marking)) add(fire(event, marking));
    }
  }
  return reached;
}

inline bool holds(const ldd::LinearConstraint& constraint, const ldd::Marking& marking) {
  std::int64_t sum = 0;
  for (const ldd::LinearTerm& term : constraint.terms)
    sum += term.coefficient * std::int64_t{marking[term.level]};
  switch (constraint.comparison) {
    case ldd::Comparison::kLess:
      return sum < constraint.constant;
    case ldd::Comparison::kLessEqual:
      return sum <= constraint.constant;
    case ldd::Comparison::kEqual:
      return sum == constraint.constant;
    case ldd::Comparison::kNotEqual:
      return sum != constraint.constant;
    case ldd::Comparison::kGreaterEqual:
      return sum >= constraint.constant;
    case ldd::Comparison::kGreater:
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
inline ldd::Event random_event(Random& random, ldd::Level levels, ldd::Value limit) {
  ldd::Event event;
  for (ldd::Level level = 0; level < levels; ++level) {
    if (below(random, 5) > 2) continue;
    ldd::Term term{level, below(random, 3), limit, std::int64_t{below(random, 5)} - 2};
    if (term.delta > 0) term.at_most = limit - static_cast<ldd::Value>(term.delta);
    if (below(random, 6) == 0) term.at_most = std::min(term.at_most, below(random, limit + 1));
    event.push_back(term);
  }
  return event;
}

inline std::vector<ldd::Event> random_events(Random& random, ldd::Level levels, ldd::Value limit) {
  std::vector<ldd::Event> events;
  for (std::uint32_t i = 1 + below(random, 6); i > 0; --i)
    events.push_back(random_event(random, levels, limit));
  return events;
}

inline ldd::LinearConstraint random_constraint(Random& random, ldd::Level levels) {
  ldd::LinearConstraint constraint;
  for (ldd::Level level = 0; level < levels; ++level) {
    if (below(random, 2) == 0)
      constraint.terms.push_back({level, std::int64_t{below(random, 5)} - 2});
  }
  constraint.comparison = static_cast<ldd::Comparison>(below(random, 6));
  constraint.constant = std::int64_t{below(random, 9)} - 4;
  return constraint;
}

inline Explicit random_markings(Random& random, ldd::Level levels, ldd::Value limit,
                                std::uint32_t count) {
  Explicit result;
  for (; count > 0; --count) {
    ldd::Marking marking(levels);
    for (ldd::Value& value : marking) value = below(random, limit + 1);
    result.insert(marking);
  }
  return result;
}

// A ring of places with a few tokens: many markings, small diagrams.
inline std::vector<ldd::Event> ring(ldd::Level levels) {
  std::vector<ldd::Event> events;
  for (ldd::Level level = 0; level < levels; ++level) {
    events.push_back({{level, 1, ldd::kNoLimit, -1}, {(level + 1) % levels, 0, ldd::kNoLimit, 1}});
  }
  return events;
}

}  // namespace mpisog::test
