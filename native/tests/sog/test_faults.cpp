// Memory that runs out at any allocation: what lives on afterwards is right. Somebody may set a
// limit on the address space, and then this happens anywhere.
#include <new>

#include "product/moves.hpp"
#include "sog/explorer.hpp"
#include "tests/check.hpp"
#include "tests/failing_memory.hpp"
#include "tests/sog/fixtures.hpp"

using namespace mpisog;
using namespace mpisog::tests;

namespace {

// Whether there was memory for it, with so many allocations before one fails.
template <class Work>
bool succeeds(long allocations, Work work) {
  const struct Off {
    ~Off() { fail_after(-1); }
  } off;
  fail_after(allocations);
  try {
    work();
    return true;
  } catch (const std::bad_alloc&) {
  } catch (const mdd::OutOfMemory&) {
  }
  return false;
}

// Everything that an explorer can come to: the number of aggregates.
std::size_t explore(sog::Graph& graph, unsigned threads) {
  sog::Explorer explorer(graph, {[](const sog::Label&) { return sog::Staying{}; }, {}, {}},
                         {threads, threads > 1});
  std::vector<sog::Number> todo{explorer.initial()};
  std::set<sog::Number> seen;
  while (!todo.empty()) {
    const sog::Number here = todo.back();
    todo.pop_back();
    if (!seen.insert(here).second) continue;
    (void)explorer.targets(here, sog::kWaiting);
    for (const sog::Way& way : explorer.node(here).ways)
      for (const sog::Number target : explorer.targets(here, way.mode)) todo.push_back(target);
  }
  return seen.size();
}

template <class Fixture>
std::size_t explore_in_spite_of_failures(std::mt19937& random, const petri::Net& net,
                                         const Watched& watched) {
  Fixture fixture(net, watched);
  sog::Graph& graph = *fixture.graph;
  for (int round = 0; round < 12; ++round) {
    succeeds(static_cast<long>(random() % (round < 6 ? 60 : 600)),
             [&] { (void)explore(graph, 1 + round % 3); });
    succeeds(static_cast<long>(random() % 8), [&] { graph.builder().collect_garbage(); });
  }
  return explore(graph, 1);
}

}  // namespace

TEST(graphs_are_right_when_memory_ran_out_before) {
  std::mt19937 random(33);
  for (int i = 0; i < random_cases(150);) {
    const petri::Net net = random_net(random);
    if (!naive_explore(net, 150)) continue;
    ++i;
    const Watched watched = random_watched(random, net);
    const std::size_t expected = NaiveGraph(net, watched).size();
    CHECK(explore_in_spite_of_failures<MddFixture>(random, net, watched) == expected);
    CHECK(explore_in_spite_of_failures<BitsFixture>(random, net, watched) == expected);
  }
}

TEST(labels_that_failed_share_no_number) {
  using Facts = int;
  for (long allocations = 0; allocations < 8; ++allocations) {
    sog::LabelTable<Facts> table([](const sog::Label&) { return std::make_unique<Facts>(); });
    const sog::Label first{true, false}, second{false, true};
    succeeds(allocations, [&] { (void)table.number(first); });
    CHECK(table.number(second) != table.number(first));
    CHECK(table.label(table.number(first)) == first);
    CHECK(table.label(table.number(second)) == second);
  }
}

TEST(moves_that_failed_are_found_again) {
  const product::Automaton automaton{
      {{0, 0, 0}, {0, 1, 1}, {0, 0, 1}, {0, 1, 0}}, {{{0, 2, 1}, {0, 3, 0}}}, {2}, 0, 1};
  for (long allocations = 0; allocations < 16; ++allocations) {
    product::Moves moves(automaton, {petri::Comparison{{{0, 1}}, petri::Relation::ge, 1}}, 1);
    const std::vector<bool> holds{true}, fails_to{false};
    succeeds(allocations, [&] { (void)moves.edges(moves.label(holds), 0, 0); });
    succeeds(allocations, [&] { (void)moves.edges(moves.label(fails_to), 0, 0); });
    for (const auto& [truth, marks] : {std::pair{holds, 1U}, {fails_to, 0U}}) {
      const auto& edges = moves.edges(moves.label(truth), 0, 0);
      CHECK(edges.size() == 1 && edges.front().marks == marks);
    }
  }
}

TEST(a_set_that_failed_leaves_nothing_behind) {
  constexpr petri::StateId kUniverse = 10'000;
  for (long allocations = 0; allocations < 12; ++allocations) {
    succeeds(allocations, [&] {
      bits::Collector collector(kUniverse);
      for (petri::StateId id = 0; id < 100; ++id) collector.add(id);
    });
    bits::Collector collector(kUniverse);
    for (petri::StateId id = 0; id < 100; ++id) CHECK(collector.add(id));
    CHECK(std::move(collector).finish().count() == 100);
  }
}
