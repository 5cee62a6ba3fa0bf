#include <algorithm>
#include <map>
#include <thread>

#include "bits/bytes.hpp"
#include "bits/operations.hpp"
#include "tests/check.hpp"
#include "tests/nets.hpp"

using namespace mpisog::bits;
namespace petri = mpisog::petri;
namespace search = mpisog::search;
using mpisog::tests::naive_explore;
using mpisog::tests::random_net;

namespace {

constexpr std::size_t kNaiveLimit = 500;
constexpr Limits kNoLimits{petri::kNoState - 1, ~std::uint64_t{0}};

using Naive = std::set<StateId>;

int uniform(std::mt19937& random, int low, int high) {
  return std::uniform_int_distribution<int>(low, high)(random);
}

Naive naive(const Set& set) {
  Naive result;
  set.for_each([&](StateId id) { CHECK(result.insert(id).second); });
  CHECK(result.size() == set.count());
  return result;
}

Set from_naive(StateId universe, const Naive& members) {
  return Set::of_members(universe, {members.begin(), members.end()});
}

Naive random_subset(std::mt19937& random, StateId universe) {
  Naive result;
  const int share = uniform(random, 0, 60);  // most of them few, so that both forms occur
  for (StateId id = 0; id < universe; ++id)
    if (uniform(random, 0, share) == 0) result.insert(id);
  return result;
}

std::vector<search::Step> random_steps(std::mt19937& random, const petri::Net& net) {
  std::vector<search::Step> steps;
  const auto bounds = [&] {
    std::vector<petri::Arc> result;
    if (uniform(random, 0, 2) == 0)
      result.push_back(
          {static_cast<std::uint32_t>(uniform(random, 0, static_cast<int>(net.places()) - 1)),
           uniform(random, 0, 3)});
    return result;
  };
  for (int i = uniform(random, 0, 6); i > 0; --i) {
    const int last = static_cast<int>(net.transitions.size()) - 1;
    steps.push_back({static_cast<std::uint32_t>(uniform(random, 0, last)), bounds(), bounds()});
  }
  return steps;
}

// The steps between markings, found by trying each of them everywhere.
struct Moves {
  std::multimap<StateId, StateId> next;

  Moves(const Reachable& graph, const std::vector<search::Step>& steps) {
    for (StateId id = 0; id < graph.size(); ++id)
      for (const search::Step& step : steps) {
        petri::Marking after;
        if (search::take(graph.net(), step, graph.marking(id), after))
          next.emplace(id, graph.number(after));
      }
  }
  [[nodiscard]] Naive image(const Naive& states) const {
    Naive result;
    for (const auto& [from, to] : next)
      if (states.contains(from)) result.insert(to);
    return result;
  }
  [[nodiscard]] Naive preimage(const Naive& states) const {
    Naive result;
    for (const auto& [from, to] : next)
      if (states.contains(to)) result.insert(from);
    return result;
  }
  [[nodiscard]] Naive fixpoint(Naive states, const Naive& within, bool backwards) const {
    std::erase_if(states, [&](StateId id) { return !within.contains(id); });
    for (std::size_t before = states.size() + 1; before != states.size();) {
      before = states.size();
      for (const StateId id : backwards ? preimage(states) : image(states))
        if (within.contains(id)) states.insert(id);
    }
    return states;
  }
};

Naive all_of(const Reachable& graph) {
  Naive result;
  for (StateId id = 0; id < graph.size(); ++id) result.insert(id);
  return result;
}

void check_steps(std::mt19937& random, const Reachable& graph) {
  const auto list = random_steps(random, graph.net());
  const Steps steps(graph, list);
  const Moves moves(graph, list);
  const Naive some = random_subset(random, graph.size());
  const Naive inside = random_subset(random, graph.size());
  const Set states = from_naive(graph.size(), some);
  const Set within = from_naive(graph.size(), inside);
  CHECK(naive(image(graph, states, steps)) == moves.image(some));
  CHECK(naive(preimage(graph, states, steps)) == moves.preimage(some));
  const Naive closed = moves.fixpoint(some, all_of(graph), false);
  CHECK(naive(closure(graph, states, steps, nullptr)) == closed);
  CHECK(naive(closure(graph, states, steps, &within)) == moves.fixpoint(some, inside, false));
  CHECK(naive(backward_closure(graph, states, steps, within)) ==
        moves.fixpoint(some, inside, true));
  const auto counted = std::count_if(moves.next.begin(), moves.next.end(),
                                     [&](const auto& move) { return some.contains(move.first); });
  CHECK(count_steps(graph, states, steps) == static_cast<std::uint64_t>(counted));
}

// What can go on for ever inside the set, and a marking of it that comes back to itself.
void check_cycle(std::mt19937& random, const Reachable& graph) {
  const auto list = random_steps(random, graph.net());
  const Moves moves(graph, list);
  const Naive some = random_subset(random, graph.size());
  Naive core = some;
  for (std::size_t before = core.size() + 1; before != core.size();) {
    before = core.size();
    const Naive going = moves.preimage(core);
    std::erase_if(core, [&](StateId id) { return !going.contains(id); });
  }
  const StateId found = find_cycle(graph, from_naive(graph.size(), some), Steps(graph, list));
  CHECK((found == petri::kNoState) == core.empty());
  if (found != petri::kNoState)
    CHECK(moves.fixpoint(moves.image({found}), some, false).contains(found));
}

void check_path(std::mt19937& random, const Reachable& graph) {
  const auto list = random_steps(random, graph.net());
  const Moves moves(graph, list);
  const Naive inside = random_subset(random, graph.size());
  const Naive from = random_subset(random, graph.size());
  const auto target = static_cast<StateId>(uniform(random, 0, static_cast<int>(graph.size()) - 1));
  const bool at_once = uniform(random, 0, 1) == 0;
  const auto found = find_path(graph, target, Steps(graph, list), from_naive(graph.size(), inside),
                               from_naive(graph.size(), from), at_once);
  // Layers backwards, until one has a source or nothing is new.
  std::optional<std::size_t> distance;
  if (at_once && from.contains(target)) distance = 0;
  Naive seen{target};
  Naive layer{target};
  for (std::size_t steps = 1; !distance && !layer.empty(); ++steps) {
    Naive before = moves.preimage(layer);
    if (std::ranges::any_of(before, [&](StateId id) { return from.contains(id); }))
      distance = steps;
    std::erase_if(before, [&](StateId id) { return seen.contains(id) || !inside.contains(id); });
    seen.insert(before.begin(), before.end());
    layer = std::move(before);
  }
  CHECK(found.has_value() == distance.has_value());
  if (!found || !distance) return;
  CHECK(found->firings.size() == *distance && from.contains(found->start));
  petri::Marking marking = graph.marking(found->start);
  for (std::size_t i = 0; i < found->firings.size(); ++i) {
    CHECK(i == 0 || inside.contains(graph.number(marking)));
    CHECK(std::ranges::any_of(list, [&](const search::Step& step) {
      petri::Marking after;
      return step.transition == found->firings[i] &&
             search::take(graph.net(), step, marking, after);
    }));
    const petri::Marking before = marking;
    CHECK(search::take(graph.net(), {found->firings[i], {}, {}}, before, marking));
  }
  CHECK(graph.number(marking) == target);
}

void check_values(std::mt19937& random, const Reachable& graph) {
  const auto place = [&] {
    return static_cast<std::uint32_t>(
        uniform(random, 0, static_cast<int>(graph.net().places()) - 1));
  };
  const Terms terms{{place(), uniform(random, -3, 3)}, {place(), uniform(random, -3, 3)}};
  const auto transition = static_cast<std::uint32_t>(
      uniform(random, 0, static_cast<int>(graph.net().transitions.size()) - 1));
  const petri::Atom atoms[] = {petri::Comparison{terms, petri::Relation::le, 1},
                               petri::Fireable{{transition}}, petri::Dead{}, petri::Fireable{{}}};
  for (const petri::Atom& atom : atoms) {
    const Truth truth(graph, atom);
    for (int i = 0; i < 4; ++i) {  // first one by one, then from the whole
      const Naive some = random_subset(random, graph.size());
      Naive expected = some;
      std::erase_if(expected, [&](StateId id) {
        return !petri::holds(atom, graph.layout(), graph.packed(id),
                             graph.net().transitions.size());
      });
      CHECK(naive(truth.among(from_naive(graph.size(), some))) == expected);
    }
  }
  const Naive some = random_subset(random, graph.size());
  if (some.empty()) return;
  std::vector<std::int64_t> sums;
  petri::Marking most(graph.net().places());
  for (const StateId id : some) {
    const petri::Marking marking = graph.marking(id);
    std::int64_t sum = 0;
    for (const auto& [p, coefficient] : terms) sum += coefficient * marking[p];
    sums.push_back(sum);
    for (std::size_t p = 0; p < most.size(); ++p) most[p] = std::max(most[p], marking[p]);
  }
  const Set states = from_naive(graph.size(), some);
  CHECK(largest_sum(graph, states, terms) == *std::max_element(sums.begin(), sums.end()));
  CHECK(largest_tokens(graph, states) == most);
  CHECK(states.smallest() == *some.begin());
}

void check_bytes(std::mt19937& random, const Reachable& graph) {
  const Set states = from_naive(graph.size(), random_subset(random, graph.size()));
  const std::string text = serialise(graph, states);
  std::vector<unsigned char> bytes(text.begin(), text.end());
  CHECK(deserialise(graph, bytes) == states);
  const auto index =
      static_cast<std::size_t>(uniform(random, 0, static_cast<int>(bytes.size()) - 1));
  bytes[index] = static_cast<unsigned char>(uniform(random, 0, 255));
  try {
    const std::string again = serialise(graph, deserialise(graph, bytes));
    CHECK(again == std::string(bytes.begin(), bytes.end()));
  } catch (const MalformedSet&) {
  }
  bytes.resize(index);
  bool refused = false;
  try {
    deserialise(graph, bytes);
  } catch (const MalformedSet&) {
    refused = true;
  }
  CHECK(refused);
}

void compare_with_naive(std::mt19937& random, const petri::Net& net) {
  const auto expected = naive_explore(net, kNaiveLimit);
  if (!expected) return;
  const Enumeration found = enumerate(net, kNoLimits, {});
  CHECK(found.ending == Ending::complete);
  const Reachable& graph = *found.reachable;
  CHECK(graph.size() == expected->markings.size() && graph.edge_count() == expected->edges);
  for (const petri::Marking& marking : expected->markings)
    CHECK(graph.marking(graph.number(marking)) == marking);
  petri::Marking absent = net.initial;
  absent[0] += 1'000'000;
  CHECK(graph.number(absent) == petri::kNoState);
  check_steps(random, graph);
  check_cycle(random, graph);
  check_path(random, graph);
  check_values(random, graph);
  check_bytes(random, graph);
}

// 2 to the power of `count` markings.
petri::Net toggles(std::uint32_t count) {
  petri::Net net;
  for (std::uint32_t i = 0; i < count; ++i) {
    net.initial.insert(net.initial.end(), {1, 0});
    net.transitions.push_back({{{2 * i, 1}}, {{2 * i + 1, 1}}});
    net.transitions.push_back({{{2 * i + 1, 1}}, {{2 * i, 1}}});
  }
  return net;
}

}  // namespace

TEST(bit_sets_are_sets) {
  std::mt19937 random(17);
  const int cases = mpisog::tests::random_cases(2000);
  for (int i = 0; i < cases; ++i) {
    const auto universe = static_cast<StateId>(uniform(random, 1, 400));
    const Naive one = random_subset(random, universe);
    const Naive other = random_subset(random, universe);
    const Set a = from_naive(universe, one);
    const Set b = from_naive(universe, other);
    Naive united;
    Naive common;
    Naive rest;
    std::ranges::set_union(one, other, std::inserter(united, united.end()));
    std::ranges::set_intersection(one, other, std::inserter(common, common.end()));
    std::ranges::set_difference(one, other, std::inserter(rest, rest.end()));
    CHECK(naive(unite(a, b)) == united);
    CHECK(naive(intersect(a, b)) == common);
    CHECK(naive(subtract(a, b)) == rest);
    CHECK((a == b) == (one == other));
    const Set again = unite(subtract(a, b), intersect(b, a));
    CHECK(again == a && again.hash() == a.hash());
    const auto first = static_cast<StateId>(uniform(random, 0, 400));
    Naive tail;
    a.visit_from(first, [&](StateId id) { return tail.insert(id).second; });
    CHECK(tail == Naive(one.lower_bound(first), one.end()));
    for (StateId id = 0; id < universe + 2; ++id) CHECK(a.contains(id) == one.contains(id));
  }
}

TEST(random_nets_agree_with_naive_sets) {
  std::mt19937 random(19);
  const int cases = mpisog::tests::random_cases(1500);
  for (int i = 0; i < cases; ++i) compare_with_naive(random, random_net(random));
}

TEST(enumerations_end_where_they_should) {
  CHECK(enumerate(toggles(10), {1024, ~std::uint64_t{0}}, {}).ending == Ending::complete);
  CHECK(enumerate(toggles(10), {1023, ~std::uint64_t{0}}, {}).ending == Ending::too_many);
  CHECK(enumerate(toggles(10), {1024, 5000}, {}).ending == Ending::too_many);
  CHECK(enumerate(toggles(20), kNoLimits, [](const auto&) { return true; }).ending ==
        Ending::stopped);
  const Enumeration source = enumerate({{0}, {{{}, {{0, 1}}}}}, kNoLimits, {});
  CHECK(source.ending == Ending::unbounded && source.unbounded_place == 0 && !source.reachable);
}

TEST(sets_and_steps_of_other_nets_are_refused) {
  const auto small = enumerate(toggles(2), kNoLimits, {}).reachable;
  const auto large = enumerate(toggles(3), kNoLimits, {}).reachable;
  const auto refused = [](auto&& operation) {
    try {
      operation();
    } catch (const std::invalid_argument&) {
      return true;
    } catch (const std::out_of_range&) {
      return true;
    }
    return false;
  };
  const Steps steps(*large, {{0, {}, {}}});
  CHECK(refused([&] { image(*small, Set(small->size()), steps); }));
  CHECK(refused([&] { image(*large, Set(small->size()), steps); }));
  CHECK(refused([&] { unite(Set(small->size()), Set(large->size())); }));
  CHECK(refused([&] { Steps(*small, {{4, {}, {}}}); }));
  CHECK(refused([&] { Steps(*small, {{0, {{4, 1}}, {}}}); }));
  CHECK(refused([&] { Truth(*small, petri::Fireable{{4}}); }));
}

TEST(threads_share_sets_and_atoms) {
  const auto graph = enumerate(toggles(10), kNoLimits, {}).reachable;
  const Truth truth(*graph, petri::Comparison{{{0, 1}}, petri::Relation::ge, 1});
  const Steps steps(*graph, {{0, {}, {}}, {2, {}, {}}, {3, {}, {}}});
  const Set start = Set::of_members(graph->size(), {0});
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      for (int round = 0; round < 300; ++round) {
        CHECK(truth.among(closure(*graph, start, steps, nullptr)).count() == 2);
        CHECK(start.hash() != 0);
      }
    });
  for (std::thread& thread : threads) thread.join();
}
