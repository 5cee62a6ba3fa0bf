#include <optional>
#include <thread>

#include "petri/state_space.hpp"
#include "tests/check.hpp"
#include "tests/nets.hpp"

using namespace mpisog::petri;
using mpisog::tests::naive_explore;
using mpisog::tests::random_net;

namespace {

constexpr std::size_t kNaiveLimit = 2000;

void compare_with_naive(const Net& net) {
  const auto expected = naive_explore(net, kNaiveLimit);
  if (!expected) return;
  StateSpace space(net);
  std::uint64_t edges = 0;
  for (StateId id = 0; id < space.store().size(); ++id)
    edges += space.expand(id, space.all_transitions()).size();
  CHECK(edges == expected->edges);
  CHECK(space.store().size() == expected->markings.size());
  for (StateId id = 0; id < space.store().size(); ++id)
    CHECK(expected->markings.contains(space.marking(id)));
}

// The place whose tokens were found to pile up, if there is one.
std::optional<std::size_t> unbounded_place(const Net& net) {
  StateSpace space(net);
  try {
    for (StateId id = 0; id < space.store().size(); ++id) space.expand(id, space.all_transitions());
  } catch (const UnboundedNet& found) {
    return found.place;
  }
  return std::nullopt;
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
  CHECK(unbounded_place(source) == 0);
  // A loop that leaves one token behind each time round.
  const Net leaking{{1, 0, 0}, {{{{0, 1}}, {{1, 1}}}, {{{1, 1}}, {{0, 1}, {2, 1}}}}};
  CHECK(unbounded_place(leaking) == 2);
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
