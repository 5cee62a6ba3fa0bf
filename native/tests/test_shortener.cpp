#include <algorithm>

#include "product/shortener.hpp"
#include "tests/check.hpp"
#include "tests/nets.hpp"

using namespace mpisog;
using namespace mpisog::product;

namespace {

constexpr std::size_t kMarkings = 200;
constexpr std::size_t kAny = 100'000;
constexpr double kSeconds = 20;

petri::Comparison at_least(std::uint32_t place, std::int64_t tokens) {
  return {{{place, 1}}, petri::Relation::ge, tokens};
}

// Node 2 is "the atom holds", node 3 "it does not".
std::vector<Automaton::Node> one_atom() { return {{0, 0, 0}, {0, 1, 1}, {0, 0, 1}, {0, 1, 0}}; }

Automaton eventually() { return {one_atom(), {{{0, 1, 0}, {1, 2, 0}}, {{1, 1, 1}}}, {2, 1}, 0, 1}; }
Automaton again_and_again() { return {one_atom(), {{{0, 2, 1}, {0, 3, 0}}}, {2}, 0, 1}; }
Automaton never() { return {one_atom(), {{{0, 3, 0}}}, {3}, 0, 0}; }

std::size_t length(const Lasso& lasso) { return lasso.prefix.size() + lasso.cycle.size(); }

// Firings to the nearest marking in which the place has so many tokens.
std::optional<std::size_t> distance(const petri::Net& net, std::int64_t tokens) {
  std::set<petri::Marking> seen{net.initial};
  std::vector<petri::Marking> layer{net.initial};
  for (std::size_t depth = 0; !layer.empty(); ++depth) {
    std::vector<petri::Marking> next;
    for (const petri::Marking& m : layer) {
      if (m[0] >= tokens) return depth;
      for (const petri::Transition& t : net.transitions)
        if (tests::naive_enabled(t, m))
          if (auto [it, fresh] = seen.insert(tests::naive_fire(t, m)); fresh) next.push_back(*it);
    }
    layer = std::move(next);
  }
  return std::nullopt;
}

}  // namespace

TEST(bad_prefixes_are_the_nearest) {
  std::mt19937 random(21);
  int found = 0;
  for (int i = 0; i < tests::random_cases(200); ++i) {
    const petri::Net net = tests::random_net(random);
    if (!tests::naive_explore(net, kMarkings)) continue;
    const std::int64_t tokens = 1 + static_cast<std::int64_t>(random() % 4);
    Shortener shortener(net, {at_least(0, tokens)}, eventually(), never(), {});
    const Near near = shortener.bad_prefix(kAny, kSeconds);
    const auto nearest = distance(net, tokens);
    CHECK(near.end == (nearest ? NearestEnd::found : NearestEnd::none));
    CHECK(near.shortest);
    if (!nearest) continue;
    ++found;
    CHECK(near.lasso.prefix.size() == *nearest);
    CHECK(shortener.sealed_after(near.lasso) == *nearest);
    CHECK(shortener.bad_prefix(*nearest, kSeconds).end == NearestEnd::none);
    Search search(net, {at_least(0, tokens)}, eventually(), {Order::random, random(), false, 0},
                  {});
    CHECK(search.run() == Outcome::found);
    auto firings = search.lasso().prefix;
    firings.insert(firings.end(), search.lasso().cycle.begin(), search.lasso().cycle.end());
    firings.resize(*shortener.sealed_after(search.lasso()));
    // All ways from the first marking are looked at.
    const auto bridged = shortener.bridge_bad_prefix(firings, kSeconds);
    CHECK(bridged.size() == *nearest && shortener.sealed_after({bridged, {}}) == *nearest);
  }
  CHECK(found > 0);
}

TEST(lassos_become_shorter_and_stay_counterexamples) {
  std::mt19937 random(22);
  int shorter = 0;
  for (int i = 0; i < std::max(tests::random_cases(300), 100); ++i) {
    const petri::Net net = tests::random_net(random);
    if (!tests::naive_explore(net, kMarkings)) continue;
    const petri::Atom atom = at_least(0, 1 + static_cast<std::int64_t>(random() % 3));
    Search search(net, {atom}, again_and_again(), {Order::random, random(), false, 0}, {});
    if (search.run() != Outcome::found) continue;
    Shortener shortener(net, {atom}, again_and_again(), never(), {});
    CHECK(shortener.violates(search.lasso()));
    const Lasso trimmed = shortener.trim(search.lasso(), kSeconds);
    CHECK(shortener.violates(trimmed));
    CHECK(length(trimmed) <= length(search.lasso()));
    const Lasso bridged = shortener.bridge(search.lasso(), kSeconds);
    CHECK(shortener.violates(bridged));
    CHECK(length(bridged) <= length(search.lasso()));
    const Near near = shortener.lasso(kAny, kSeconds);
    const Near shortest = shortener.shortest(kAny, kSeconds);
    CHECK(near.end == NearestEnd::found && shortest.end == NearestEnd::found && shortest.shortest);
    CHECK(shortener.violates(near.lasso) && shortener.violates(shortest.lasso));
    CHECK(length(shortest.lasso) <= std::min(length(near.lasso), length(trimmed)));
    // One state: where the net's cycle closes the product's does, so both are the shortest.
    CHECK(!near.shortest || length(near.lasso) == length(shortest.lasso));
    CHECK(shortener.shortest(length(shortest.lasso), kSeconds).end == NearestEnd::none);
    if (length(shortest.lasso) < length(search.lasso())) ++shorter;
  }
  CHECK(shorter > 0);
}

TEST(ways_that_the_run_does_not_take_are_found) {
  petri::Net ring{{1, 0, 0, 0, 0, 0, 0, 0, 0, 0}, {}};
  for (std::uint32_t p = 0; p < 10; ++p)
    ring.transitions.push_back({{{p, 1}}, {{(p + 1) % 10, 1}}});
  ring.transitions.push_back({{{2, 1}}, {{8, 1}}});
  const std::vector<std::uint32_t> round{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, shorter{0, 1, 10, 8, 9};
  Shortener shortener(ring, {at_least(9, 1)}, again_and_again(), never(), {});
  CHECK(length(shortener.trim({{}, round}, kSeconds)) == round.size());
  CHECK(shortener.bridge({{}, round}, kSeconds).cycle == shorter);
  const auto bad = shortener.bridge_bad_prefix({0, 1, 2, 3, 4, 5, 6, 7, 8}, kSeconds);
  CHECK((bad == std::vector<std::uint32_t>{0, 1, 10, 8}));
  // Past place 5 the way is longer, but the formula is about that place.
  Shortener other(ring, {at_least(5, 1)}, again_and_again(), never(), {});
  CHECK(other.bridge({{}, round}, kSeconds).cycle == round);
}

TEST(repeated_rounds_are_folded) {
  const Lasso lasso = folded({{7, 1, 2, 1, 2}, {1, 2, 1, 2}});
  CHECK((lasso.prefix == std::vector<std::uint32_t>{7}));
  CHECK((lasso.cycle == std::vector<std::uint32_t>{1, 2}));
}

TEST(shortening_stops_when_asked_to) {
  petri::Net counters;  // 2^22 markings
  for (std::uint32_t p = 0; p < 22; ++p) {
    counters.initial.insert(counters.initial.end(), {1, 0});
    counters.transitions.push_back({{{2 * p, 1}}, {{2 * p + 1, 1}}});
    counters.transitions.push_back({{{2 * p + 1, 1}}, {{2 * p, 1}}});
  }
  Shortener asked(counters, {at_least(0, 2)}, eventually(), never(),
                  [](const petri::Progress&) { return true; });
  CHECK(asked.bad_prefix(kAny, kSeconds).end == NearestEnd::gave_up);
  Shortener brief(counters, {at_least(0, 2)}, eventually(), never(), {});
  CHECK(brief.lasso(kAny, 0.01).end == NearestEnd::gave_up);
  CHECK(brief.shortest(kAny, 0.01).end == NearestEnd::gave_up);
  const std::vector<std::uint32_t> forth_and_back{0, 1};
  CHECK(brief.bridge_bad_prefix(forth_and_back, 0.01) == forth_and_back);
  CHECK(asked.bridge({{}, forth_and_back}, kSeconds).cycle == forth_and_back);
}
