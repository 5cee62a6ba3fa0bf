#include <algorithm>
#include <thread>

#include "petri/explore.hpp"
#include "petri/state_space.hpp"
#include "tests/check.hpp"
#include "tests/nets.hpp"

using namespace mpisog::petri;
using mpisog::tests::naive_explore;
using mpisog::tests::random_net;

namespace {

constexpr std::size_t kNaiveLimit = 2000;

// Stops explorations of infinite state spaces that are not recognised as such.
Pulse::Beat stop_soon() {
  return [](const Progress&) { return true; };
}

void compare_with_naive(const Net& net) {
  const auto expected = naive_explore(net, kNaiveLimit);
  if (!expected) return;
  const ExplorationFigures figures = explore(net, stop_soon());
  CHECK(figures.outcome == Outcome::complete);
  CHECK(figures.states == expected->markings.size());
  CHECK(figures.edges == expected->edges);
  CHECK(figures.dead == expected->dead);
  std::uint64_t in_marking = 0;
  std::uint64_t in_place = 0;
  for (const Marking& m : expected->markings) {
    std::uint64_t total = 0;
    for (const auto tokens : m) {
      total += static_cast<std::uint64_t>(tokens);
      in_place = std::max(in_place, static_cast<std::uint64_t>(tokens));
    }
    in_marking = std::max(in_marking, total);
  }
  CHECK(figures.max_tokens_in_marking == in_marking);
  CHECK(figures.max_tokens_in_place == in_place);
}

}  // namespace

TEST(random_nets_agree_with_naive_exploration) {
  std::mt19937 random(11);
  const int cases = mpisog::tests::random_cases(2000);
  for (int i = 0; i < cases; ++i) compare_with_naive(random_net(random));
}

TEST(fields_widen_and_markings_survive) {
  // A counter from 0 to 1000 and back: its field grows from 1 bit to 10.
  Net net{{0, 1000}, {{{{1, 1}}, {{0, 1}}}, {{{0, 1}}, {{1, 1}}}}};
  StateSpace space(net);
  for (StateId id = 0; id < space.store().size(); ++id) space.expand(id, space.all_transitions());
  CHECK(space.store().size() == 1001);
  for (StateId id = 0; id < space.store().size(); ++id) {
    const Marking m = space.marking(id);
    CHECK(m[0] + m[1] == 1000 && m[0] == static_cast<std::int64_t>(id));
  }
}

TEST(unbounded_nets_are_recognised) {
  const Net source{{0}, {{{}, {{0, 1}}}}};
  CHECK(explore(source, {}).outcome == Outcome::unbounded);
  // A loop that leaves one token behind each time round.
  const Net leaking{{1, 0, 0}, {{{{0, 1}}, {{1, 1}}}, {{{1, 1}}, {{0, 1}, {2, 1}}}}};
  const ExplorationFigures figures = explore(leaking, {});
  CHECK(figures.outcome == Outcome::unbounded);
  CHECK(figures.unbounded_place == 2);
}

TEST(a_net_without_places_has_one_marking) {
  const Net idle{{}, {{{}, {}}}};
  const ExplorationFigures figures = explore(idle, {});
  CHECK(figures.states == 1 && figures.edges == 1 && figures.dead == 0);
}

TEST(stopping_is_reported) {
  // 20 places that fill independently: a million markings, and a beat that stops at once.
  Net net;
  for (std::uint32_t p = 0; p < 20; ++p) {
    net.initial.push_back(1);
    net.initial.push_back(0);
    net.transitions.push_back({{{2 * p, 1}}, {{2 * p + 1, 1}}});
  }
  CHECK(explore(net, [](const Progress&) { return true; }).outcome == Outcome::stopped);
}

TEST(explorations_in_threads_do_not_meet) {
  const auto work = [] {
    std::mt19937 random(13);
    for (int i = 0; i < 20; ++i) compare_with_naive(random_net(random));
  };
  std::thread first(work);
  std::thread second(work);
  first.join();
  second.join();
}
