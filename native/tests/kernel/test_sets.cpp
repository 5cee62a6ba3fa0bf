// Every operation over all subsets of a tiny domain, then random nets against explicit search.
#include <algorithm>
#include <cstdlib>
#include <optional>

#include "check.hpp"
#include "oracle.hpp"

using namespace mpisog;
using namespace mpisog::test;

namespace {

std::vector<Explicit> all_subsets() {
  // Values with a gap, so that both forms of nodes occur.
  const std::vector<mdd::Marking> domain{{0, 0}, {0, 1}, {0, 7}, {1, 0}, {1, 7}, {9, 0}, {9, 1}};
  std::vector<Explicit> subsets;
  for (unsigned mask = 0; mask < (1U << domain.size()); ++mask) {
    Explicit subset;
    for (std::size_t i = 0; i < domain.size(); ++i) {
      if ((mask >> i & 1U) != 0) subset.insert(domain[i]);
    }
    subsets.push_back(subset);
  }
  return subsets;
}

template <class Operation>
Explicit combined(const Explicit& a, const Explicit& b, Operation operation) {
  Explicit result;
  operation(a.begin(), a.end(), b.begin(), b.end(), std::inserter(result, result.end()));
  return result;
}

void check_boolean_operations(unsigned workers) {
  mdd::Kernel kernel({.levels = 2, .workers = workers, .cancel = {}});
  const std::vector<Explicit> subsets = all_subsets();
  std::vector<mdd::Set> sets;
  for (const Explicit& subset : subsets) {
    sets.push_back(symbolic(kernel, subset));
    CHECK(explicit_of(kernel, sets.back()) == subset);
    CHECK(kernel.count(sets.back()) == mdd::Natural(subset.size()));
    CHECK(sets.back().empty() == subset.empty());
  }
  const auto same = [&](const mdd::Set& set, const Explicit& expected) {
    return set == symbolic(kernel, expected);
  };
  for (std::size_t i = 0; i < sets.size(); ++i) {
    for (std::size_t k = 0; k < sets.size(); ++k) {
      const Explicit &a = subsets[i], &b = subsets[k];
      using It = Explicit::const_iterator;
      using Out = std::insert_iterator<Explicit>;
      CHECK((sets[i] == sets[k]) == (i == k));
      CHECK(same(kernel.unite(sets[i], sets[k]), combined(a, b, std::set_union<It, It, Out>)));
      CHECK(same(kernel.intersect(sets[i], sets[k]),
                 combined(a, b, std::set_intersection<It, It, Out>)));
      CHECK(same(kernel.subtract(sets[i], sets[k]),
                 combined(a, b, std::set_difference<It, It, Out>)));
      CHECK(kernel.is_subset(sets[i], sets[k]) ==
            std::includes(b.begin(), b.end(), a.begin(), a.end()));
    }
  }
}

void check_filters(Random& random, mdd::Kernel& kernel, const Explicit& markings) {
  const mdd::Set set = symbolic(kernel, markings);
  std::vector<mdd::LinearConstraint> constraints;
  std::vector<mdd::Kernel::Filter> filters;
  for (int comparison = 0; comparison < 6; ++comparison) {
    mdd::LinearConstraint constraint = random_constraint(random, kernel.levels());
    constraint.comparison = static_cast<mdd::Comparison>(comparison);
    const mdd::Set filtered = kernel.filter(set, constraint);
    CHECK(explicit_of(kernel, filtered) ==
          selected(markings, [&](const auto& m) { return holds(constraint, m); }));
    constraints.push_back(constraint);
    filters.emplace_back(
        [&kernel, constraint](const mdd::Set& s) { return kernel.filter(s, constraint); });
  }
  std::size_t total = 0;
  for (const auto& [truth, part] : kernel.split(set, filters)) {
    const Explicit members = explicit_of(kernel, part);
    CHECK(!members.empty());
    total += members.size();
    for (const mdd::Marking& marking : members) {
      for (std::size_t i = 0; i < constraints.size(); ++i)
        CHECK(truth[i] == holds(constraints[i], marking));
    }
  }
  CHECK(total == markings.size());
}

void check_figures(mdd::Kernel& kernel, const Explicit& markings,
                   const std::vector<mdd::Event>& events) {
  const mdd::Set set = symbolic(kernel, markings);
  std::uint64_t steps = 0;
  mdd::Marking largest(kernel.levels(), 0);
  std::int64_t best = -1000;
  std::vector<mdd::LinearTerm> terms;
  for (mdd::Level level = 0; level < kernel.levels(); ++level)
    terms.push_back({level, level % 2 == 0 ? 2 : -1});
  for (const mdd::Marking& marking : markings) {
    std::int64_t sum = 0;
    for (const mdd::LinearTerm& term : terms)
      sum += term.coefficient * std::int64_t{marking[term.level]};
    best = std::max(best, sum);
    for (std::size_t i = 0; i < marking.size(); ++i) largest[i] = std::max(largest[i], marking[i]);
    for (const mdd::Event& event : events) steps += is_enabled(event, marking) ? 1 : 0;
  }
  CHECK(kernel.count_steps(set, events) == mdd::Natural(steps));
  CHECK(kernel.largest_values(set) == largest);
  CHECK(markings.empty() || kernel.largest_sum(set, terms) == best);
  CHECK(kernel.pick(set).has_value() == !markings.empty());
  CHECK(markings.empty() || *kernel.pick(set) == *markings.begin());
  const mdd::Marking wished(kernel.levels(), 2);
  const auto distance = [&](const mdd::Marking& marking) {
    std::int64_t total = 0;
    for (const mdd::Value value : marking) total += std::abs(std::int64_t{value} - 2);
    return total;
  };
  const auto closest =
      std::min_element(markings.begin(), markings.end(),
                       [&](const auto& a, const auto& b) { return distance(a) < distance(b); });
  const std::optional<mdd::Marking> nearest = kernel.nearest(set, wished);
  CHECK(nearest.has_value() == !markings.empty());
  CHECK(!nearest || (markings.count(*nearest) == 1 && distance(*nearest) == distance(*closest)));
}

void check_steps(mdd::Kernel& kernel, const Explicit& markings,
                 const std::vector<mdd::Event>& events) {
  const mdd::Set set = symbolic(kernel, markings);
  Explicit all;
  const auto fireable = [&](const auto& m) {
    return std::any_of(events.begin(), events.end(),
                       [&](const auto& e) { return is_enabled(e, m); });
  };
  for (const mdd::Event& event : events) {
    const Explicit successors = image(markings, event);
    CHECK(explicit_of(kernel, kernel.image(set, event)) == successors);
    CHECK(explicit_of(kernel, kernel.enabled(set, event)) ==
          selected(markings, [&](const auto& m) { return is_enabled(event, m); }));
    all.insert(successors.begin(), successors.end());
    // Going back from all successors gives all enabled markings, and nothing that does not lead
    // there.
    const Explicit back = explicit_of(kernel, kernel.preimage(kernel.image(set, event), event));
    for (const mdd::Marking& m : back)
      CHECK(is_enabled(event, m) && successors.count(fire(event, m)) == 1);
    for (const mdd::Marking& m : markings) CHECK(!is_enabled(event, m) || back.count(m) == 1);
  }
  CHECK(explicit_of(kernel, kernel.image(set, events)) == all);
  CHECK(explicit_of(kernel, kernel.fireable(set, events)) == selected(markings, fireable));
  CHECK(explicit_of(kernel, kernel.dead(set, events)) ==
        selected(markings, [&](const auto& m) { return !fireable(m); }));
}

void check_closures(Random& random, mdd::Kernel& kernel, const Explicit& markings,
                    const std::vector<mdd::Event>& events) {
  const mdd::Set set = symbolic(kernel, markings);
  const mdd::RelationPtr relation = kernel.relation(events);
  const Explicit reached = closure(markings, events);
  const mdd::Set closed = kernel.closure(set, *relation);
  CHECK(explicit_of(kernel, closed) == reached);
  CHECK(kernel.closure(closed, *relation) == closed);
  // Backwards: everything in the closure that can come to the chosen markings, and all of it really
  // can.
  const mdd::Set coreachable =
      kernel.intersect(kernel.closure(set, *kernel.backward_relation(events)), closed);
  Explicit expected = markings;
  for (std::size_t before = 0; before != expected.size();) {
    before = expected.size();
    for (const mdd::Marking& m : reached) {
      for (const mdd::Event& e : events) {
        if (is_enabled(e, m) && expected.count(fire(e, m)) == 1) expected.insert(m);
      }
    }
  }
  CHECK(explicit_of(kernel, coreachable) == expected);
  const Explicit within = selected(reached, [&](const auto&) { return below(random, 4) != 0; });
  CHECK(explicit_of(kernel, kernel.closure_within(set, *relation, symbolic(kernel, within))) ==
        closure(markings, events, [&](const auto& m) { return within.count(m) == 1; }));
}

void check_random_nets(unsigned seed, unsigned rounds, unsigned workers) {
  Random random(seed);
  for (unsigned round = 0; round < rounds; ++round) {
    const mdd::Level levels = 1 + below(random, 5);
    const mdd::Value limit = 2 + below(random, 4);
    mdd::Kernel kernel({.levels = levels, .workers = workers, .cancel = {}});
    const Explicit markings = random_markings(random, levels, limit, below(random, 6));
    const std::vector<mdd::Event> events = random_events(random, levels, limit);
    check_filters(random, kernel, markings);
    check_figures(kernel, markings, events);
    check_steps(kernel, markings, events);
    check_closures(random, kernel, markings, events);
  }
}

void check_large_values() {
  mdd::Kernel kernel({.levels = 2, .cancel = {}});
  const mdd::RelationPtr move =
      kernel.relation({{{0, 1, mdd::kNoLimit, -1}, {1, 0, mdd::kNoLimit, 1}}});
  const mdd::Set line = kernel.closure(kernel.singleton({20000, 0}), *move);
  CHECK(kernel.count(line).decimal() == "20001");
  const mdd::RelationPtr leap =
      kernel.relation({{{0, 1000000000, mdd::kNoLimit, -1000000000}, {1, 0, mdd::kNoLimit, 3}}});
  CHECK(kernel.count(kernel.closure(kernel.singleton({4000000000U, 1}), *leap)).decimal() == "5");
  const mdd::RelationPtr grow = kernel.relation({{{0, 0, mdd::kNoLimit, 1000000000}}});
  CHECK_THROWS(kernel.closure(kernel.singleton({0, 0}), *grow), mdd::ValueOverflow);
  CHECK_THROWS(kernel.singleton({1}), std::invalid_argument);
  CHECK_THROWS(kernel.relation({{{2, 0, mdd::kNoLimit, 1}}}), std::invalid_argument);
}

void check_huge_counts() {
  const mdd::Level levels = 150;
  mdd::Kernel kernel({.levels = levels, .cancel = {}});
  std::vector<mdd::Event> events;
  for (mdd::Level level = 0; level < levels; ++level) events.push_back({{level, 0, 8, 1}});
  const mdd::Set all =
      kernel.closure(kernel.singleton(mdd::Marking(levels, 0)), *kernel.relation(events));
  CHECK(kernel.count(all).decimal() == "1" + std::string(150, '0'));
  CHECK(kernel.count_steps(all, events).decimal() == "135" + std::string(150, '0'));
  CHECK(kernel.node_count(all) == levels);
}

void check_many_levels(unsigned workers) {
  const mdd::Level levels = 10000;
  mdd::Kernel kernel({.levels = levels, .workers = workers, .cancel = {}});
  mdd::Marking marking(levels, 0);
  marking[0] = 1;
  const mdd::Set reached =
      kernel.closure(kernel.singleton(marking), *kernel.relation(ring(levels)));
  CHECK(kernel.count(reached) == mdd::Natural(levels));
  CHECK(kernel.deserialise(kernel.serialise(reached)) == reached);
  CHECK(kernel.subtract(reached, kernel.singleton(marking)) != reached);
}

}  // namespace

int main() {
  for (const unsigned workers : {1U, 3U}) {
    check_boolean_operations(workers);
    check_random_nets(workers, workers == 1 ? 300 : 60, workers);
    check_many_levels(workers);
  }
  check_large_values();
  check_huge_counts();
  std::puts("ok");
  return 0;
}
