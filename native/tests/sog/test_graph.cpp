// The graph of both backends against its definition, with one thread and several; limits.
#include <atomic>
#include <memory>
#include <numeric>

#include "sog/builders.hpp"
#include "sog/kripke.hpp"
#include "tests/check.hpp"
#include "tests/sog/oracle.hpp"

using namespace mpisog;
using namespace mpisog::tests;

namespace {

std::vector<search::Step> plain_steps(const std::vector<std::uint32_t>& transitions) {
  std::vector<search::Step> steps;
  for (const std::uint32_t t : transitions) steps.push_back({t, {}, {}});
  return steps;
}

// The transitions of a net by what they are to an observation.
struct Kinds {
  Kinds(const petri::Net& net, const Watched& watched) {
    for (std::uint32_t t = 0; t < net.transitions.size(); ++t) {
      if (is_silent(net, watched, t)) silent.push_back(t);
      if (!is_silent(net, watched, t)) leaving.push_back(t);
      if (!is_silent(net, watched, t) && !is_event(watched, t)) exits.push_back(t);
      all.push_back(t);
    }
  }
  std::vector<std::uint32_t> silent, exits, leaving, all;
};

// Builders of the backends; what their steps point to lives as long.
class MddFixture {
 public:
  using Steps = mdd::Events;

  MddFixture(const petri::Net& net, const Watched& watched, std::function<bool()> cancel = {},
             std::size_t budget = std::size_t{256} << 20)
      : kernel_({.levels = static_cast<mdd::Level>(net.places()),
                 .memory_budget_bytes = budget,
                 .cancel = cancel}),
        atoms_(kernel_),
        kinds_(net, watched) {
    sog::PlaceOrder order(net.places());
    std::iota(order.begin(), order.end(), 0U);
    for (const std::uint32_t place : watched.places)
      atoms_.compare({{{place, 1}}, mdd::Comparison::kGreaterEqual, 1});
    sog::Observed<sog::MddSets> observed;
    observed.precise = false;
    observed.says_dead.assign(watched.places.size(), false);
    for (const std::uint32_t t : watched.events) observed.events.push_back(events(net, {t}));
    observed.event_enabled = observed.events;
    observed.some_event = events(net, watched.events);
    silent_.list = plain_steps(kinds_.silent);
    sog::LabelSteps<sog::MddSets> steps;
    if (!kinds_.silent.empty()) steps.free = steps.inside = events(net, kinds_.silent);
    if (!kinds_.exits.empty()) steps.exits = events(net, kinds_.exits);
    steps.leaving = events(net, kinds_.leaving);
    steps.candidates = [this, inside = steps.inside](bool) {
      return sog::MddSets::Candidates{inside, &silent_};
    };
    sog::MddSets sets(kernel_, {net, order, events(net, kinds_.all), &atoms_},
                      [cancel] { return cancel && cancel(); });
    graph = std::make_unique<sog::Graph>(std::make_unique<sog::MddBuilder>(
        std::move(sets), std::move(observed), label_of(net, watched),
        [steps](const sog::Label&) { return steps; }));
  }

  static sog::Label label_of(const petri::Net& net, const Watched& watched) {
    sog::Label label;
    for (const std::uint32_t place : watched.places) label.push_back(net.initial[place] >= 1);
    return label;
  }

 private:
  mdd::Events* events(const petri::Net& net, const std::vector<std::uint32_t>& transitions) {
    std::vector<mdd::Event> list;
    for (const std::uint32_t t : transitions) {
      std::map<mdd::Level, mdd::Term> terms;
      for (const petri::Arc& arc : net.transitions[t].pre) {
        mdd::Term& term = terms[arc.place];
        term.at_least = static_cast<mdd::Value>(arc.weight);
        term.delta -= arc.weight;
      }
      for (const petri::Arc& arc : net.transitions[t].post) terms[arc.place].delta += arc.weight;
      mdd::Event& event = list.emplace_back();
      for (auto& [place, term] : terms) {
        term.level = place;
        event.push_back(term);
      }
    }
    made_.push_back(std::make_unique<mdd::Events>(kernel_, std::move(list)));
    return made_.back().get();
  }

  mdd::Kernel kernel_;
  mdd::Atoms atoms_;
  Kinds kinds_;
  std::vector<std::unique_ptr<mdd::Events>> made_;
  sog::SearchSteps silent_;

 public:
  std::unique_ptr<sog::Graph> graph;
};

class BitsFixture {
 public:
  BitsFixture(const petri::Net& net, const Watched& watched)
      : reachable_(bits::enumerate(net, {100'000, 100'000'000}, {}).reachable),
        kinds_(net, watched) {
    sog::BitsSets::Atoms atoms{{}, truth(petri::Dead{})};
    for (const std::uint32_t place : watched.places)
      atoms.list.push_back(truth(petri::Comparison{{{place, 1}}, petri::Relation::ge, 1}));
    sog::Observed<sog::BitsSets> observed;
    observed.precise = false;
    observed.says_dead.assign(watched.places.size(), false);
    for (const std::uint32_t t : watched.events) {
      observed.events.push_back(steps_of({t}));
      observed.event_enabled.push_back(truth(petri::Fireable{{t}}));
    }
    observed.some_event = truth(petri::Fireable{watched.events});
    sog::LabelSteps<sog::BitsSets> steps;
    if (!kinds_.silent.empty()) steps.free = steps.inside = steps_of(kinds_.silent);
    if (!kinds_.exits.empty()) steps.exits = steps_of(kinds_.exits);
    steps.leaving = truth(petri::Fireable{kinds_.leaving});
    steps.candidates = [inside = steps.inside](bool) { return sog::BitsSets::Candidates{inside}; };
    graph = std::make_unique<sog::Graph>(std::make_unique<sog::BitsBuilder>(
        sog::BitsSets(*reachable_, std::move(atoms), [] { return false; }), std::move(observed),
        MddFixture::label_of(net, watched), [steps](const sog::Label&) { return steps; }));
  }

 private:
  const bits::Truth* truth(petri::Atom atom) {
    truths_.push_back(std::make_unique<bits::Truth>(*reachable_, std::move(atom)));
    return truths_.back().get();
  }
  const bits::Steps* steps_of(const std::vector<std::uint32_t>& transitions) {
    steps_.push_back(std::make_unique<bits::Steps>(*reachable_, plain_steps(transitions)));
    return steps_.back().get();
  }

  std::shared_ptr<bits::Reachable> reachable_;
  Kinds kinds_;
  std::vector<std::unique_ptr<bits::Truth>> truths_;
  std::vector<std::unique_ptr<bits::Steps>> steps_;

 public:
  std::unique_ptr<sog::Graph> graph;
};

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

Watched random_watched(std::mt19937& random, const petri::Net& net) {
  Watched watched;
  const auto some = [&](std::size_t count, std::vector<std::uint32_t>& chosen) {
    for (std::uint32_t i = 0; i < count; ++i)
      if (random() % 3 == 0) chosen.push_back(i);
  };
  some(net.places(), watched.places);
  if (random() % 2 == 0) some(net.transitions.size(), watched.events);
  return watched;
}

// Tokens that go around a ring of stations, each on its own way: many markings, many aggregates.
petri::Net ring(std::uint32_t stations, std::int64_t tokens) {
  petri::Net net;
  net.initial.assign(stations, 0);
  net.initial[0] = tokens;
  for (std::uint32_t p = 0; p < stations; ++p)
    net.transitions.push_back({{{p, 1}}, {{(p + 1) % stations, 1}}});
  return net;
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
