#include <algorithm>

#include "memory/limit.hpp"
#include "product/search.hpp"
#include "product/walk.hpp"
#include "tests/check.hpp"
#include "tests/nets.hpp"

using namespace mpisog;
using namespace mpisog::product;

namespace {

constexpr std::size_t kMarkings = 300;

const std::vector<Strategy> kStrategies{
    {Order::forward, 0, false, 0}, {Order::backward, 0, true, 0}, {Order::random, 5, false, 0},
    {Order::random, 6, true, 0},   {Order::guided, 1, true, 0},   {Order::guided, 2, false, 0},
};

petri::Comparison at_least(std::uint32_t place, std::int64_t tokens) {
  return {{{place, 1}}, petri::Relation::ge, tokens};
}

// Node 2 is "the atom holds", node 3 "it does not".
std::vector<Automaton::Node> one_atom() { return {{0, 0, 0}, {0, 1, 1}, {0, 0, 1}, {0, 1, 0}}; }

// Some time the atom holds.
Automaton eventually() { return {one_atom(), {{{0, 1, 0}, {1, 2, 0}}, {{1, 1, 1}}}, {2, 1}, 0, 1}; }

// The atom holds again and again.
Automaton again_and_again() { return {one_atom(), {{{0, 2, 1}, {0, 3, 0}}}, {2}, 0, 1}; }

std::set<petri::Marking> after(const petri::Net& net, const petri::Marking& start) {
  std::set<petri::Marking> found;
  std::vector<petri::Marking> todo{start};
  while (!todo.empty()) {
    const petri::Marking m = todo.back();
    todo.pop_back();
    for (const petri::Transition& t : net.transitions)
      if (tests::naive_enabled(t, m))
        if (auto [it, fresh] = found.insert(tests::naive_fire(t, m)); fresh) todo.push_back(*it);
  }
  return found;
}

bool is_dead(const petri::Net& net, const petri::Marking& m) {
  return std::none_of(net.transitions.begin(), net.transitions.end(),
                      [&](const petri::Transition& t) { return tests::naive_enabled(t, m); });
}

// The markings of a run: those of the prefix, and those of the cycle.
struct Replayed {
  std::vector<petri::Marking> prefix, cycle;
};

Replayed replay(const petri::Net& net, const Lasso& lasso) {
  Replayed run;
  petri::Marking m = net.initial;
  const auto fire_all = [&](const std::vector<std::uint32_t>& steps, auto& markings) {
    for (const std::uint32_t t : steps) {
      CHECK(tests::naive_enabled(net.transitions[t], m));
      markings.push_back(m);
      m = tests::naive_fire(net.transitions[t], m);
    }
  };
  fire_all(lasso.prefix, run.prefix);
  const petri::Marking entry = m;
  fire_all(lasso.cycle, run.cycle);
  CHECK(m == entry);
  if (lasso.cycle.empty()) {
    CHECK(is_dead(net, entry));
    run.cycle.push_back(entry);
  }
  return run;
}

}  // namespace

TEST(searches_agree_with_naive_exploration) {
  std::mt19937 random(11);
  int found_often = 0;
  int proved_often = 0;
  for (int i = 0; i < tests::random_cases(300); ++i) {
    const petri::Net net = tests::random_net(random);
    const auto figures = tests::naive_explore(net, kMarkings);
    if (!figures) continue;
    const std::int64_t tokens = 1 + static_cast<std::int64_t>(random() % 3);
    const auto holds = [&](const petri::Marking& m) { return m[0] >= tokens; };
    const auto& all = figures->markings;
    const bool ever = std::any_of(all.begin(), all.end(), holds);
    const bool again = std::any_of(all.begin(), all.end(), [&](const petri::Marking& m) {
      return holds(m) && (is_dead(net, m) || after(net, m).contains(m));
    });
    for (const Strategy& strategy : kStrategies) {
      Search once(net, {at_least(0, tokens)}, eventually(), strategy, {});
      CHECK(once.run() == (ever ? Outcome::found : Outcome::empty));
      if (ever) {
        const Replayed run = replay(net, once.lasso());
        CHECK(std::any_of(run.prefix.begin(), run.prefix.end(), holds) ||
              std::any_of(run.cycle.begin(), run.cycle.end(), holds));
      }
      Search often(net, {at_least(0, tokens)}, again_and_again(), strategy, {});
      CHECK(often.run() == (again ? Outcome::found : Outcome::empty));
      if (again) {
        const Replayed run = replay(net, often.lasso());
        CHECK(std::any_of(run.cycle.begin(), run.cycle.end(), holds));
      }
    }
    ++(again ? found_often : proved_often);
  }
  CHECK(found_often > 0 && proved_often > 0);
}

TEST(searches_in_place_agree_with_those_that_store_markings) {
  std::mt19937 random(12);
  int found = 0;
  for (int i = 0; i < tests::random_cases(300); ++i) {
    const petri::Net net = tests::random_net(random);
    if (!tests::naive_explore(net, kMarkings)) continue;
    const auto flat = std::make_shared<const petri::FlatNet>(net);
    const std::vector<petri::Atom> atoms{at_least(0, 1 + static_cast<std::int64_t>(random() % 3))};
    for (const Automaton& automaton : {eventually(), again_and_again()})
      for (const Strategy& strategy : kStrategies) {
        Search search(net, atoms, automaton, strategy, {});
        Walk walk(flat, atoms, automaton, strategy, {});
        const Outcome expected = search.run();
        CHECK(walk.run() == expected);
        if (expected != Outcome::found) continue;
        ++found;
        replay(net, walk.lasso());
      }
  }
  CHECK(found > 0);
}

// Fingerprints of a few bits: markings are taken for one another all the time.
TEST(a_search_in_place_proves_nothing_when_markings_collide) {
  std::mt19937 random(14);
  int collided = 0;
  int proved = 0;
  for (int i = 0; i < tests::random_cases(300); ++i) {
    const petri::Net net = tests::random_net(random);
    if (!tests::naive_explore(net, kMarkings)) continue;
    const std::vector<petri::Atom> atoms{at_least(0, 1 + static_cast<std::int64_t>(random() % 3))};
    for (const unsigned bits : {3U, 6U, 10U}) {
      const auto flat = std::make_shared<const petri::FlatNet>(net, bits);
      for (const Strategy& strategy : kStrategies) {
        Search search(net, atoms, eventually(), strategy, {});
        Walk walk(flat, atoms, eventually(), strategy, {});
        const Outcome outcome = walk.run();
        if (outcome == Outcome::empty) CHECK(search.run() == Outcome::empty);
        collided += outcome == Outcome::collided ? 1 : 0;
        proved += outcome == Outcome::empty ? 1 : 0;
      }
    }
  }
  CHECK(collided > 0 && proved > 0);
}

TEST(a_search_in_place_says_what_a_bound_on_tokens_leaves_out) {
  const petri::Net source{{0, 0}, {{{}, {{1, 1}}}, {{{1, 3}}, {{0, 1}}}}};
  const auto flat = std::make_shared<const petri::FlatNet>(source);
  Walk unlimited(flat, {at_least(0, 2)}, eventually(), {}, {});
  CHECK(unlimited.run() == Outcome::unbounded);
  Walk small(flat, {at_least(0, 2)}, eventually(), {Order::forward, 0, false, 0, 2}, {});
  CHECK(small.run() == Outcome::left_out);
}

TEST(an_index_set_is_walked_both_ways) {
  petri::IndexSet set(70'000);
  const std::vector<std::uint32_t> members{0, 63, 64, 4'095, 4'096, 69'999};
  for (const std::uint32_t member : members) set.insert(member);
  std::vector<std::uint32_t> up, down;
  for (std::uint32_t i = set.at_or_after(0); i != petri::IndexSet::kNone;
       i = set.at_or_after(i + 1))
    up.push_back(i);
  for (std::uint32_t i = set.at_or_before(69'999); i != petri::IndexSet::kNone;
       i = i == 0 ? petri::IndexSet::kNone : set.at_or_before(i - 1))
    down.push_back(i);
  CHECK(up == members);
  CHECK(down == std::vector<std::uint32_t>(members.rbegin(), members.rend()));
  for (const std::uint32_t member : members) set.erase(member);
  CHECK(set.empty() && set.at_or_after(0) == petri::IndexSet::kNone);
}

TEST(a_limit_ends_a_search_without_an_answer) {
  // p0 --> p1 --> p0, and nothing ever puts two tokens there.
  const petri::Net ring{{1, 0}, {{{{0, 1}}, {{1, 1}}}, {{{1, 1}}, {{0, 1}}}}};
  Search search(ring, {at_least(0, 2)}, eventually(), {Order::forward, 0, false, 1}, {});
  CHECK(search.run() == Outcome::gave_up);
}

TEST(an_unbounded_net_is_told) {
  const petri::Net source{{0, 0}, {{{}, {{1, 1}}}}};
  Search search(source, {at_least(0, 1)}, eventually(), {}, {});
  CHECK(search.run() == Outcome::unbounded);
  CHECK(search.unbounded_place() == 1);
}

TEST(a_search_stops_when_asked_to) {
  petri::Net counters;  // 2^22 markings
  for (std::uint32_t p = 0; p < 22; ++p) {
    counters.initial.insert(counters.initial.end(), {1, 0});
    counters.transitions.push_back({{{2 * p, 1}}, {{2 * p + 1, 1}}});
    counters.transitions.push_back({{{2 * p + 1, 1}}, {{2 * p, 1}}});
  }
  Search search(counters, {at_least(0, 2)}, eventually(), {},
                [](const petri::Progress&) { return true; });
  CHECK(search.run() == Outcome::stopped);
}

TEST(searches_ask_for_memory_before_they_take_it) {
  // A million tokens that move on one by one: far more markings than there is memory.
  petri::Net heap;
  heap.initial = {1'000'000, 0, 0, 0};
  for (std::uint32_t p = 0; p < 3; ++p) heap.transitions.push_back({{{p, 1}}, {{p + 1, 1}}});
  constexpr std::size_t kRoom = std::size_t{64} << 20;
  const std::size_t limit = memory::resident_bytes() + kRoom;
  const auto is_far_beyond = [&](const petri::Progress&) {
    return memory::resident_bytes() > limit + kRoom;
  };
  memory::set_limit(limit);
  Walk walk(std::make_shared<petri::FlatNet>(heap), {at_least(0, 2'000'000)}, eventually(), {},
            is_far_beyond);
  CHECK(walk.run() == Outcome::out_of_memory);
  CHECK(memory::resident_bytes() <= limit + kRoom / 4);
  memory::set_limit(0);
}
