#include <algorithm>
#include <map>
#include <optional>

#include "tests/check.hpp"
#include "tests/nets.hpp"
#include "unfolding/checker.hpp"

using namespace mpisog;
using namespace mpisog::unfolding;

namespace {

constexpr std::size_t kMarkings = 60;
constexpr std::size_t kPlenty = std::size_t{1} << 30;

// Weights are one as a rule; some places hold two tokens, some never do.
petri::Net random_small_net(std::mt19937& random) {
  const auto pick = [&](int low, int high) {
    return std::uniform_int_distribution<int>(low, high)(random);
  };
  petri::Net net;
  const auto places = static_cast<std::uint32_t>(pick(1, 6));
  for (std::uint32_t p = 0; p < places; ++p) net.initial.push_back(pick(0, 9) < 4 ? 1 : 0);
  for (int t = pick(1, 7); t > 0; --t) {
    petri::Transition transition;
    for (std::uint32_t p = 0; p < places; ++p) {
      if (pick(0, 3) == 0) transition.pre.push_back({p, pick(0, 19) == 0 ? 2 : 1});
      if (pick(0, 3) == 0) transition.post.push_back({p, pick(0, 29) == 0 ? 2 : 1});
    }
    net.transitions.push_back(transition);
  }
  return net;
}

bool is_safe(const petri::Marking& m) {
  return std::all_of(m.begin(), m.end(), [](std::int64_t tokens) { return tokens <= 1; });
}

std::vector<Role> all_invisible(const petri::Net& net) {
  return std::vector<Role>(net.transitions.size(), Role::invisible);
}

// All markings of the occurrence net's reachable cuts, terminals left out.
std::set<petri::Marking> markings_of_cuts(Process& process, const petri::Net& net) {
  using Cut = std::set<std::uint32_t>;
  Cut first;
  for (std::uint32_t i = 0; i < process.events[0].output_count; ++i) first.insert(i);
  std::set<Cut> seen{first};
  std::vector<Cut> todo{first};
  std::set<petri::Marking> markings;
  while (!todo.empty()) {
    const Cut cut = todo.back();
    todo.pop_back();
    petri::Marking marking(net.places());
    for (const std::uint32_t c : cut)
      if (process.conditions[c].place < net.places()) ++marking[process.conditions[c].place];
    markings.insert(marking);
    for (std::uint32_t e = 1; e < process.events.size(); ++e) {
      const Event& event = process.events[e];
      const auto inputs = process.inputs(event);
      if (event.terminal || !std::all_of(inputs.begin(), inputs.end(),
                                         [&](std::uint32_t c) { return cut.contains(c); }))
        continue;
      Cut after = cut;
      for (const std::uint32_t c : inputs) after.erase(c);
      for (std::uint32_t i = 0; i < event.output_count; ++i) after.insert(event.first_output + i);
      if (seen.insert(after).second) todo.push_back(after);
    }
  }
  return markings;
}

petri::Comparison marked(std::uint32_t place) { return {{{place, 1}}, petri::Relation::ge, 1}; }

// Node 2 is "the atom holds", node 3 "it does not".
std::vector<product::Automaton::Node> one_atom() {
  return {{0, 0, 0}, {0, 1, 1}, {0, 0, 1}, {0, 1, 0}};
}

// From some time on the atom holds for ever; the second state accepts.
product::Automaton at_last_for_ever() {
  return {one_atom(), {{{0, 1, 0}, {1, 2, 0}}, {{1, 2, 1}}}, {2, 2}, 0, 1};
}

// The atom holds again and again; the second state accepts.
product::Automaton again_and_again() {
  return {one_atom(), {{{1, 2, 0}, {0, 3, 0}}, {{1, 2, 1}, {0, 3, 1}}}, {2, 2}, 0, 1};
}

std::vector<Role> roles_for_place(const petri::Net& net, std::uint32_t place) {
  std::vector<Role> roles;
  for (const petri::Transition& t : net.transitions) {
    std::int64_t change = 0;
    for (const petri::Arc& arc : t.pre) change -= arc.place == place ? arc.weight : 0;
    for (const petri::Arc& arc : t.post) change += arc.place == place ? arc.weight : 0;
    roles.push_back(change == 0 ? Role::invisible : Role::visible);
  }
  return roles;
}

// Tries all assignments, with unit propagation: enough for a handful of events.
class Solver {
 public:
  explicit Solver(const DeadlockProblem& problem) : values_(problem.variables + 1) {
    clauses_.emplace_back();
    for (const std::int32_t literal : problem.clauses)
      if (literal == 0)
        clauses_.emplace_back();
      else
        clauses_.back().push_back(literal);
    clauses_.pop_back();
  }
  bool solve() {
    const std::vector<int> before = values_;
    if (propagate()) {
      const auto open = std::find(values_.begin() + 1, values_.end(), 0);
      if (open == values_.end()) return true;
      const auto variable = open - values_.begin();
      for (const int value : {-1, 1}) {
        const std::vector<int> here = values_;
        values_[static_cast<std::size_t>(variable)] = value;
        if (solve()) return true;
        values_ = here;
      }
    }
    values_ = before;
    return false;
  }
  [[nodiscard]] bool value(std::size_t variable) const { return values_[variable] > 0; }

 private:
  bool propagate() {
    for (bool changed = true; changed;) {
      changed = false;
      for (const auto& clause : clauses_) {
        int open = 0;
        std::int32_t last = 0;
        bool satisfied = false;
        for (const std::int32_t literal : clause) {
          const int value = values_[static_cast<std::size_t>(std::abs(literal))];
          if (value == 0) {
            ++open;
            last = literal;
          }
          satisfied = satisfied || value * literal > 0;
        }
        if (satisfied || open > 1) continue;
        if (open == 0) return false;
        values_[static_cast<std::size_t>(std::abs(last))] = last > 0 ? 1 : -1;
        changed = true;
      }
    }
    return true;
  }

  std::vector<std::vector<std::int32_t>> clauses_;
  std::vector<int> values_;
};

std::optional<Lasso> violation(Checker& checker) {
  Outcome outcome = checker.build_tableau();
  if (outcome == Outcome::complete) outcome = checker.search_livelocks();
  if (outcome == Outcome::found) return checker.lasso();
  CHECK(outcome == Outcome::complete);
  if (checker.ask_for_deadlocks() != Outcome::found) return std::nullopt;
  const DeadlockProblem& problem = checker.deadlocks();
  Solver solver(problem);
  if (!solver.solve()) return std::nullopt;
  std::vector<std::uint32_t> events;
  for (std::size_t i = 0; i < problem.events.size(); ++i)
    if (solver.value(i + 1)) events.push_back(problem.events[i]);
  return checker.dead_end(events);
}

bool is_dead(const petri::Net& net, const petri::Marking& m) {
  return std::none_of(net.transitions.begin(), net.transitions.end(),
                      [&](const petri::Transition& t) { return tests::naive_enabled(t, m); });
}

// Whether a cycle, or a dead marking, lies in these markings and is reached; `inside` markings
// count, and a cycle must have one that is `wanted`.
template <class Inside, class Wanted>
bool naive_cycle(const petri::Net& net, const std::set<petri::Marking>& all, Inside inside,
                 Wanted wanted) {
  for (const petri::Marking& start : all) {
    if (!inside(start) || !wanted(start)) continue;
    if (is_dead(net, start)) return true;
    std::set<petri::Marking> seen;
    std::vector<petri::Marking> todo{start};
    while (!todo.empty()) {
      const petri::Marking m = todo.back();
      todo.pop_back();
      for (const petri::Transition& t : net.transitions) {
        if (!tests::naive_enabled(t, m)) continue;
        petri::Marking next = tests::naive_fire(t, m);
        if (inside(next) && seen.insert(next).second) todo.push_back(next);
      }
    }
    if (seen.contains(start)) return true;
  }
  return false;
}

// Replays the lasso; gives the markings of its cycle.
std::vector<petri::Marking> cycle_of(const petri::Net& net, const Lasso& lasso) {
  petri::Marking m = net.initial;
  const auto fire = [&](std::uint32_t t) {
    CHECK(tests::naive_enabled(net.transitions[t], m));
    m = tests::naive_fire(net.transitions[t], m);
  };
  for (const std::uint32_t t : lasso.prefix) fire(t);
  std::vector<petri::Marking> cycle{m};
  for (const std::uint32_t t : lasso.cycle) {
    fire(t);
    cycle.push_back(m);
  }
  CHECK(cycle.front() == cycle.back());
  if (lasso.cycle.empty()) CHECK(is_dead(net, m));
  return cycle;
}

petri::Net loops(std::uint32_t count) {
  petri::Net net;
  for (std::uint32_t p = 0; p < count; ++p) {
    net.initial.insert(net.initial.end(), {1, 0});
    net.transitions.push_back({{{2 * p, 1}}, {{2 * p + 1, 1}}});
    net.transitions.push_back({{{2 * p + 1, 1}}, {{2 * p, 1}}});
  }
  return net;
}

}  // namespace

TEST(complete_prefixes_have_all_markings_and_unsafe_nets_are_told) {
  std::mt19937 random(3);
  int safe = 0;
  int unsafe = 0;
  for (int i = 0; i < std::max(tests::random_cases(600), 200); ++i) {
    const petri::Net net = random_small_net(random);
    const auto figures = tests::naive_explore(net, kMarkings);
    if (!figures) continue;
    const bool expected = std::all_of(figures->markings.begin(), figures->markings.end(), is_safe);
    Checker checker(net, {}, std::nullopt, all_invisible(net), kPlenty, {});
    const Outcome outcome = checker.build_tableau();
    CHECK(outcome == (expected ? Outcome::complete : Outcome::unsafe));
    if (outcome == Outcome::unsafe) {
      const std::uint32_t place = checker.unsafe().place;
      CHECK(std::any_of(figures->markings.begin(), figures->markings.end(),
                        [&](const petri::Marking& m) { return m[place] > 1; }));
    } else {
      CHECK(markings_of_cuts(checker.tableau(), net) == figures->markings);
      CHECK(checker.tableau().figures.events - checker.tableau().figures.cutoffs <=
            figures->markings.size());
    }
    ++(expected ? safe : unsafe);
  }
  CHECK(safe > 0 && unsafe > 0);
}

TEST(tableaux_agree_with_naive_exploration) {
  std::mt19937 random(4);
  std::map<std::pair<bool, bool>, int> seen;
  for (int i = 0; i < tests::random_cases(900); ++i) {
    const petri::Net net = random_small_net(random);
    const auto figures = tests::naive_explore(net, kMarkings);
    if (!figures) continue;
    const auto& all = figures->markings;
    if (!std::all_of(all.begin(), all.end(), is_safe)) continue;
    const auto holds = [](const petri::Marking& m) { return m[0] >= 1; };
    const auto any = [](const petri::Marking&) { return true; };
    for (const bool often : {false, true}) {
      const bool expected =
          often ? naive_cycle(net, all, any, holds) : naive_cycle(net, all, holds, holds);
      Checker checker(net, {marked(0)}, often ? again_and_again() : at_last_for_ever(),
                      roles_for_place(net, 0), kPlenty, {});
      const std::optional<Lasso> found = violation(checker);
      CHECK(found.has_value() == expected);
      if (found) {
        const std::vector<petri::Marking> cycle = cycle_of(net, *found);
        CHECK(often ? std::any_of(cycle.begin(), cycle.end(), holds)
                    : std::all_of(cycle.begin(), cycle.end(), holds));
      }
      ++seen[{often, expected}];
    }
  }
  CHECK(seen.size() == 4);
}

TEST(independent_loops_have_a_linear_prefix) {
  const petri::Net net = loops(200);
  Checker checker(net, {}, std::nullopt, all_invisible(net), kPlenty, {});
  CHECK(checker.build_tableau() == Outcome::complete);
  CHECK(checker.tableau().figures.events == 400);
  CHECK(checker.tableau().figures.conditions == 600);
}

TEST(an_unfolding_stops_when_asked_to) {
  const petri::Net net = loops(2000);
  int polls = 0;
  Checker checker(net, {}, std::nullopt, all_invisible(net), kPlenty, [&](const Figures& figures) {
    CHECK(figures.events <= 4000);
    return ++polls == 2;
  });
  CHECK(checker.build_tableau() == Outcome::stopped);
  CHECK(polls == 2);
}

TEST(the_budget_is_asked_while_what_waits_is_sorted) {
  // One event under many keys: before any is looked at they are sorted, which takes a while.
  const petri::Net net{{1}, {{{{0, 1}}, {{0, 1}}}}};
  const Rules rules(net, all_invisible(net), false);
  Limits limits(kPlenty, [](const Figures&) { return true; });
  Process process(rules, limits);
  Queue queue(process);
  const std::uint32_t root = process.add_root(rules.initial(), nullptr);
  for (std::uint64_t i = 0; i < 3'000'000; ++i) queue.push(root, scatter(i));
  bool stopped = false;
  bool looked = false;
  try {
    queue.run([&](std::uint32_t, std::uint64_t) { return looked = true; },
              [](std::uint32_t, std::uint64_t) {});
  } catch (const Stopped&) {
    stopped = true;
  }
  CHECK(stopped && !looked);
}

TEST(an_unfolding_keeps_to_its_memory) {
  const petri::Net net = loops(500);
  for (const std::size_t bytes : {std::size_t{1} << 12, std::size_t{1} << 20}) {
    Checker checker(net, {}, std::nullopt, all_invisible(net), bytes, {});
    CHECK(checker.build_tableau() == Outcome::out_of_memory);
    CHECK(checker.peak_bytes() <= bytes);
  }
}
