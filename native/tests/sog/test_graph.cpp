// The graph of both backends against its definition, with one thread and several; limits.
#include <atomic>

#include "sog/kripke.hpp"
#include "tests/check.hpp"
#include "tests/sog/fixtures.hpp"

using namespace mpisog;
using namespace mpisog::tests;

namespace {

sog::Explorer::Hooks hooks(std::function<bool()> stop = {}) {
  return {[](const sog::Label&) { return sog::Staying{}; }, std::move(stop), {}};
}

// Asks for everything, as a checker would.
std::size_t explore(sog::Explorer& explorer) {
  std::vector<sog::Number> todo{explorer.initial()};
  std::set<sog::Number> seen;
  while (!todo.empty()) {
    const sog::Number here = todo.back();
    todo.pop_back();
    if (!seen.insert(here).second) continue;
    const auto follow = [&](sog::Mode mode) {
      for (const sog::Number target : explorer.targets(here, mode)) todo.push_back(target);
    };
    follow(sog::kWaiting);
    for (const sog::Way& way : explorer.node(here).ways)
      if (way.mode != sog::kWaiting) follow(way.mode);
  }
  return seen.size();
}

template <class Fixture>
void compare(const petri::Net& net, const Watched& watched, const NaiveGraph& expected,
             sog::Explorer::Options options) {
  Fixture fixture(net, watched);
  sog::Explorer explorer(*fixture.graph, hooks(), options);
  CHECK(explore(explorer) == expected.size());
  explorer.end();
  CHECK(fixture.graph->size() == expected.size());
  CHECK(fixture.graph->edges() == expected.edges());
}

}  // namespace

TEST(random_nets_have_the_graph_of_the_definition) {
  std::mt19937 random(19);
  for (int i = 0; i < random_cases(300);) {
    const petri::Net net = random_net(random);
    if (!naive_explore(net, 150)) continue;
    ++i;
    const Watched watched = random_watched(random, net);
    const NaiveGraph expected(net, watched);
    for (const unsigned threads : {1U, 2U, 4U}) {
      const sog::Explorer::Options options{threads, random() % 2 == 0};
      compare<MddFixture>(net, watched, expected, options);
      compare<BitsFixture>(net, watched, expected, options);
    }
  }
}

TEST(many_threads_build_the_graph_of_one) {
  const petri::Net net = ring(7, 4);
  const Watched watched{{1, 3, 5}, {2}};
  MddFixture alone(net, watched);
  sog::Explorer one(*alone.graph, hooks(), {});
  const std::size_t expected = explore(one);
  for (int round = 0; round < 3; ++round) {
    MddFixture fixture(net, watched);
    sog::Explorer several(*fixture.graph, hooks(), {4, true});
    CHECK(explore(several) == expected);
    several.end();
    CHECK(fixture.graph->size() == expected);
    CHECK(fixture.graph->edges() == alone.graph->edges());
  }
}

TEST(what_was_begun_and_not_finished_is_done_later) {
  const petri::Net net = ring(7, 4);
  const Watched watched{{1, 3, 5}, {2}};
  MddFixture alone(net, watched);
  sog::Explorer one(*alone.graph, hooks(), {});
  const std::size_t expected = explore(one);
  MddFixture fixture(net, watched);
  for (int round = 0; round < 20; ++round) {
    sog::Explorer explorer(*fixture.graph, hooks(), {3, true});
    (void)explorer.targets(explorer.initial(), sog::kWaiting);
    if (round % 2 == 0) continue;
    explorer.end();
    (void)explorer.targets(0, sog::kWaiting);
  }
  sog::Explorer last(*fixture.graph, hooks(), {2, true});
  CHECK(explore(last) == expected);
}

TEST(a_wish_to_stop_ends_all_threads) {
  const petri::Net net = ring(9, 8);
  const Watched watched{{1, 3, 5, 7}, {2, 4}};
  for (const unsigned threads : {1U, 4U}) {
    std::atomic<int> asked{0};
    MddFixture fixture(net, watched, [&] { return asked.load() > 20; });
    sog::Explorer explorer(*fixture.graph, hooks([&] { return ++asked > 20; }), {threads, true});
    bool ended = false;
    try {
      (void)explore(explorer);
    } catch (const std::exception&) {  // Stopped here, or Cancelled in whatever thread
      ended = true;
    }
    CHECK(ended);
  }
}

TEST(too_little_memory_ends_all_threads) {
  const petri::Net net = ring(12, 12);
  const Watched watched{{1, 3, 5, 7}, {2, 4}};
  for (const unsigned threads : {1U, 4U}) {
    MddFixture fixture(net, watched, {}, std::size_t{1} << 20);
    sog::Explorer explorer(*fixture.graph, hooks(), {threads, true});
    bool ended = false;
    try {
      (void)explore(explorer);
    } catch (const mdd::OutOfMemory&) {
      ended = true;
    }
    CHECK(ended);
  }
}

TEST(a_failing_label_ends_all_threads) {
  const petri::Net net = ring(6, 3);
  const Watched watched{{1, 3}, {}};
  for (const unsigned threads : {1U, 4U}) {
    MddFixture fixture(net, watched);
    auto failing = hooks();
    failing.staying = [](const sog::Label& label) {
      if (label[0]) throw std::runtime_error("on purpose");
      return sog::Staying{};
    };
    sog::Explorer explorer(*fixture.graph, failing, {threads, true});
    std::string what;
    try {
      (void)explore(explorer);
    } catch (const std::runtime_error& error) {
      what = error.what();
    }
    CHECK(what == "on purpose");
  }
}

TEST(states_for_spot) {
  // p0 -t0-> p1, then dead; t0 is observed.
  const petri::Net net{{1, 0}, {{{{0, 1}}, {{1, 1}}}}};
  const Watched watched{{1}, {0}};
  BitsFixture fixture(net, watched);
  const auto run = [](const std::function<void()>& work) { work(); };
  sog::Kripke kripke(*fixture.graph, {{false, 0}, {true, 0}}, {hooks(), run, {}}, {});
  using State = std::vector<int>;
  std::vector<State> found;
  pins::Emitter emit(
      [](void* context, mpisog_transition_info*, int* target) {
        static_cast<std::vector<State>*>(context)->emplace_back(target, target + 5);
      },
      &found);
  State state(5);
  kripke.initial(state);
  CHECK((state == State{-1, 0, 0, 0, 0}));
  CHECK(!kripke.answered(state));
  kripke.give_successors(state, emit);
  CHECK(kripke.answered(state));
  // It fires at once, or waits: then there is nothing it could do.
  CHECK((found == std::vector<State>{{0, 1, 0, 1, 0}, {0, 0, 0, 0, 0}}));
  found.clear();
  kripke.give_successors(State{0, 0, 0, 0, 0}, emit);
  CHECK(found.empty());
  kripke.give_successors(State{0, 1, 0, 1, 0}, emit);
  CHECK((found == std::vector<State>{{1, 0, 1, 0, 0}}));
  found.clear();
  kripke.give_successors(State{1, 0, 1, 0, 0}, emit);  // dead: it stays, in the sink
  CHECK((found == std::vector<State>{{-2, 0, 1, 0, 0}}));
  found.clear();
  kripke.give_successors(State{-2, 0, 1, 0, 0}, emit);
  CHECK((found == std::vector<State>{{-2, 0, 1, 0, 0}}));
  CHECK(!kripke.stopped());
}
