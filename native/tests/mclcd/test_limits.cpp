// Limits are kept, and what is asked for in the middle of the work happens.
#include <chrono>

#include "mclcd/lasso.hpp"
#include "tests/mclcd/oracle.hpp"

using namespace mpisog;
using namespace mpisog::mclcd;
using namespace mpisog::tests;

namespace {

constexpr std::size_t kMemory = std::size_t{1} << 30;

const Predicate kTrue{{{}, {}}, 1};
const Predicate kFalse{{{}, {}}, 0};
const Predicate kAtom{{{}, {}, {0, 0, 1}}, 2};

// Pairs of places with a token that goes to and fro, or only to.
petri::Net pairs(std::uint32_t count, bool back) {
  petri::Net net;
  for (std::uint32_t p = 0; p < count; ++p) {
    net.initial.insert(net.initial.end(), {1, 0});
    net.transitions.push_back({{{2 * p, 1}}, {{2 * p + 1, 1}}});
    if (back) net.transitions.push_back({{{2 * p + 1, 1}}, {{2 * p, 1}}});
  }
  return net;
}

// Tokens that move from one place to the next: fields are widened again and again.
petri::Net heap(std::int64_t tokens, std::uint32_t places) {
  petri::Net net;
  net.initial.assign(places, 0);
  net.initial[0] = tokens;
  for (std::uint32_t p = 0; p + 1 < places; ++p)
    net.transitions.push_back({{{p, 1}}, {{p + 1, 1}}});
  return net;
}

std::uint64_t binomial(std::uint64_t n, std::uint64_t k) {
  std::uint64_t result = 1;
  for (std::uint64_t i = 1; i <= k; ++i) result = result * (n - k + i) / i;
  return result;
}

// One token and all edges i -> j with i < j: rpg goes through hundreds of rounds.
petri::Net all_forward(std::uint32_t places) {
  petri::Net net;
  net.initial.assign(places, 0);
  net.initial[0] = 1;
  for (std::uint32_t i = 0; i < places; ++i)
    for (std::uint32_t j = i + 1; j < places; ++j) net.transitions.push_back({{{i, 1}}, {{j, 1}}});
  return net;
}

}  // namespace

TEST(fields_widen_while_several_threads_explore) {
  for (const unsigned threads : {1U, 2U, 4U}) {
    Check check(heap(30, 5), {petri::Dead{}}, {Form::all_until, kTrue, kAtom},
                {Variant::no_graph, threads, kMemory}, {});
    CHECK(check.run() == Outcome::none);
    CHECK(check.figures().states == binomial(34, 4));
    CHECK(check.figures().cleared == binomial(34, 4));
  }
}

TEST(an_unbounded_net_is_told_by_several_threads) {
  const petri::Net leaking{{1, 0, 0}, {{{{0, 1}}, {{1, 1}}}, {{{1, 1}}, {{0, 1}, {2, 1}}}}};
  for (const unsigned threads : {1U, 4U}) {
    Check check(leaking, {}, {Form::exists_until, kTrue, kFalse}, {Variant::rg, threads, kMemory},
                {});
    CHECK(check.run() == Outcome::unbounded);
    CHECK(check.unbounded_place() == 2);
  }
}

TEST(memory_is_not_taken_beyond_the_limit) {
  constexpr std::size_t kLittle = std::size_t{12} << 20;
  for (const Variant variant : {Variant::rg, Variant::rpg, Variant::no_graph, Variant::automatic})
    for (const unsigned threads : {1U, 4U}) {
      Check check(pairs(20, true), {petri::Dead{}}, {Form::all_until, kTrue, kAtom},
                  {variant, threads, kLittle}, {});
      CHECK(check.run() == Outcome::out_of_memory);
      CHECK(check.figures().peak_bytes <= kLittle);
      CHECK(check.figures().peak_bytes > kLittle / 2);
    }
}

TEST(edges_are_given_up_when_they_need_too_much) {
  // 2^16 markings with 8 or 16 firings on average, which is 4 or 8 megabytes of edges.
  const auto used = [](std::size_t limit, bool back) {
    Check check(pairs(16, back), {petri::Dead{}}, {Form::all_until, kTrue, kAtom},
                {Variant::automatic, 4, limit}, {});
    CHECK(check.run() == (back ? Outcome::found : Outcome::none));
    CHECK(check.figures().edges == (back ? 16ULL << 16 : 8ULL << 16));
    return check.figures().variant;
  };
  CHECK(used(std::size_t{10} << 20, false) == Variant::rpg);
  CHECK(used(std::size_t{12} << 20, true) == Variant::rpg);
  CHECK(used(kMemory, false) == Variant::rg);
}

TEST(every_phase_stops_soon_when_asked_to) {
  using Clock = std::chrono::steady_clock;
  // A net that is done before it is asked says nothing: then a larger one is tried.
  const auto stops = [](const petri::Net& net, Phase phase) {
    Clock::time_point asked{};
    Check check(net, {petri::Dead{}}, {Form::all_until, kTrue, kAtom}, {Variant::rpg, 2, kMemory},
                [&](const Figures& figures) {
                  if (figures.phase < phase) return false;
                  if (asked == Clock::time_point{}) asked = Clock::now();
                  return true;
                });
    const Outcome outcome = check.run();
    CHECK(outcome == Outcome::stopped || outcome == Outcome::none);
    CHECK(outcome == Outcome::none || Clock::now() - asked < std::chrono::seconds(2));
    return outcome == Outcome::stopped;
  };
  CHECK(stops(pairs(20, true), Phase::forward));
  for (const Phase phase : {Phase::clearing, Phase::collecting})
    CHECK(stops(all_forward(500), phase) || stops(all_forward(1000), phase) ||
          stops(all_forward(2000), phase));
}

TEST(a_marking_may_have_more_successors_than_are_fired_at_once) {
  // 3,000 places beside the one that a token leaves: a megabyte holds some of the successors.
  constexpr std::uint32_t kPlaces = 3000;
  petri::Net fan;
  fan.initial.assign(kPlaces + 1, 0);
  fan.initial[0] = 1;
  for (std::uint32_t p = 1; p <= kPlaces; ++p) fan.transitions.push_back({{{0, 1}}, {{p, 1}}});
  fan.transitions.push_back({{{0, 1}}, {{1, 1}}});  // one of them twice
  fan.transitions.push_back({{{2, 1}}, {{3, 9}}});
  for (const Variant variant : {Variant::rg, Variant::rpg, Variant::no_graph})
    for (const unsigned threads : {1U, 4U}) {
      Check check(fan, {petri::Dead{}}, {Form::all_until, kTrue, kAtom},
                  {variant, threads, kMemory}, {});
      CHECK(check.run() == Outcome::none);
      const Figures figures = check.figures();
      CHECK(figures.states == kPlaces + 2 && figures.edges == kPlaces + 2);
      CHECK(figures.rounds == 1 || variant == Variant::rpg);
    }
}

TEST(a_search_for_an_uncleared_marking_that_was_stopped_gives_no_lasso) {
  MemoryAccount account(std::size_t{1} << 30);
  Team team(1, {});
  Graph graph({{1}, {{{{0, 1}}, {{0, 1}}}}}, account, 1, false);
  Tracer tracer(graph, team, account);
  team.end_phase();
  bool stopped = false;
  try {
    (void)tracer.uncleared(petri::kNoState);
  } catch (const Stopped&) {
    stopped = true;
  }
  CHECK(stopped);
}
