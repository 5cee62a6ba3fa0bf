// What goes wrong when the paper's listings are followed as printed, each with a net of its own.
#include "mclcd/labels.hpp"
#include "tests/mclcd/oracle.hpp"

using namespace mpisog;
using namespace mpisog::mclcd;
using namespace mpisog::tests;

namespace {

constexpr std::size_t kMemory = std::size_t{1} << 30;

const std::vector<Variant> kVariants{Variant::rg, Variant::rpg, Variant::no_graph};

petri::Atom marked(std::uint32_t place) {
  return petri::Comparison{{{place, 1}}, petri::Relation::ge, 1};
}

Predicate constant(bool truth) { return {{{}, {}}, truth ? 1U : 0U}; }
Predicate atom(std::uint32_t number) { return {{{}, {}, {number, 0, 1}}, 2}; }

// One token that walks through a graph: an edge is a transition.
using Edges = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

petri::Net walk(std::size_t places, const Edges& edges) {
  petri::Net net;
  net.initial.assign(places, 0);
  net.initial[0] = 1;
  for (const auto& [from, to] : edges) net.transitions.push_back({{{from, 1}}, {{to, 1}}});
  return net;
}

Outcome outcome(const petri::Net& net, std::vector<petri::Atom> atoms, const Property& property,
                Variant variant, unsigned threads) {
  return Check(net, std::move(atoms), property, {variant, threads, kMemory}, {}).run();
}

void expect(Outcome wanted, const petri::Net& net, std::vector<petri::Atom> atoms,
            const Property& property) {
  for (const Variant variant : kVariants)
    for (const unsigned threads : {1U, 4U})
      CHECK(outcome(net, atoms, property, variant, threads) == wanted);
}

const Property kLeadsTo{Form::leads_to, atom(0), atom(1)};

// 0 -> 1 -> ... -> n-1 and all other edges i -> j with i < j; the last place is dead.
petri::Net complete_acyclic(std::uint32_t n) {
  Edges edges;
  for (std::uint32_t i = 0; i < n; ++i)
    for (std::uint32_t j = i + 1; j < n; ++j) edges.emplace_back(i, j);
  return walk(n, edges);
}

}  // namespace

TEST(leads_to_looks_behind_phi) {
  // phi in 1, then psi in 2, which loops for ever.
  expect(Outcome::found, walk(3, {{0, 1}, {1, 2}, {2, 2}}), {marked(2), marked(1)}, kLeadsTo);
}

TEST(a_dead_marking_is_not_cleared) {
  // psi in 0, one way to phi in 1, the other to 2, where nothing happens any more.
  expect(Outcome::found, walk(3, {{0, 1}, {0, 2}}), {marked(0), marked(1)}, kLeadsTo);
  // The same when 2 is reached by somebody else first: rpg has to test 3.
  expect(Outcome::found, walk(5, {{0, 2}, {0, 4}, {4, 3}, {3, 2}, {3, 1}}), {marked(3), marked(1)},
         kLeadsTo);
  // psi itself may be what is dead.
  expect(Outcome::found, walk(2, {{0, 1}}), {marked(1), marked(0)}, kLeadsTo);
}

TEST(cleared_markings_are_not_counted_down) {
  // 1 has phi and sons that are cleared; 2, whose other successor it is, is tested in rpg and
  // must find it cleared.
  expect(Outcome::none,
         walk(6, {{0, 1}, {0, 2}, {1, 3}, {1, 4}, {3, 5}, {4, 5}, {2, 1}, {2, 5}, {5, 1}}),
         {marked(0), marked(1)}, kLeadsTo);
}

namespace {

// A label that another thread counts down as well, right after a step of this one.
class SharedLabel {
 public:
  SharedLabel(Label& label, int step, int& zeros) : label_(label), left_(step), zeros_(zeros) {}

  Label load(std::memory_order) const {
    const Label seen = label_;
    meddle();
    return seen;
  }
  Label fetch_sub(Label amount) const {
    const Label before = label_;
    label_ -= amount;
    meddle();
    return before;
  }

 private:
  void meddle() const {
    if (left_-- == 0) zeros_ += count_down(SharedLabel(label_, -1, zeros_)) ? 1 : 0;
  }

  Label& label_;
  mutable int left_;  // steps until the other thread comes
  int& zeros_;
};

}  // namespace

TEST(of_two_threads_that_count_down_one_sees_zero) {
  // Else a marking is cleared twice and tells its parents twice, or never.
  for (int step = 0; step < 2; ++step) {
    Label label = kSeed | 2;
    int zeros = 0;
    zeros += count_down(SharedLabel(label, step, zeros)) ? 1 : 0;
    CHECK(label == kSeed && zeros == 1);
  }
}

TEST(parallel_edges_count_as_often_as_they_are_told) {
  // Two ways from 0 to 1 and one from 1 to phi.
  const Property inevitable{Form::all_until, constant(true), atom(0)};
  expect(Outcome::none, walk(3, {{0, 1}, {0, 1}, {1, 2}}), {marked(2)}, inevitable);
  // One successor that phi follows must not make up for another that loops.
  expect(Outcome::found, walk(4, {{0, 1}, {0, 1}, {0, 3}, {3, 3}, {1, 2}}), {marked(2)},
         inevitable);
}

TEST(the_initial_marking_is_expanded_once) {
  // It comes round again.
  const Property inevitable{Form::all_until, constant(true), atom(0)};
  expect(Outcome::found, walk(3, {{0, 1}, {1, 0}, {1, 2}}), {marked(2)}, inevitable);
  Check check(walk(2, {{0, 1}, {1, 0}}), {}, {}, {Variant::automatic, 1, kMemory}, {});
  CHECK(check.run() == Outcome::none);
  CHECK(check.figures().states == 2 && check.figures().edges == 2);
}

TEST(the_initial_marking_has_no_father) {
  // All is cleared, the initial marking too, whose father would be told next.
  expect(Outcome::none, walk(2, {{0, 1}, {1, 1}}), {marked(0), marked(1)}, kLeadsTo);
}

TEST(every_seed_has_to_be_cleared) {
  // Listing 11 takes what was cleared for the seeds. Of the seeds 1 and 3, one is.
  expect(Outcome::found, walk(4, {{0, 1}, {1, 2}, {0, 3}, {3, 3}}),
         {petri::Comparison{{{1, 1}, {3, 1}}, petri::Relation::ge, 1}, marked(2)}, kLeadsTo);
  // Of 0 and 3, none.
  expect(Outcome::found, walk(4, {{0, 1}, {1, 2}, {0, 3}, {3, 3}}),
         {petri::Comparison{{{0, 1}, {3, 1}}, petri::Relation::ge, 1}, marked(2)}, kLeadsTo);
}

TEST(phi_now_is_soon_enough) {
  // psi and phi hold together in 1, and never again.
  expect(Outcome::none, walk(3, {{0, 1}, {1, 2}, {2, 2}}), {marked(1), marked(1)}, kLeadsTo);
}

TEST(a_lasso_goes_on_through_what_is_not_cleared) {
  // The first transition of 0 leads to 1, from where phi in 2 is inevitable; the other one to 3.
  const auto expect_witness = [](const petri::Net& net, const Property& property) {
    for (const Variant variant : kVariants)
      for (const unsigned threads : {1U, 4U}) {
        Check check(net, {marked(0), marked(2)}, property, {variant, threads, kMemory}, {});
        CHECK(check.run() == Outcome::found);
        CHECK(is_witness(
            net, check.lasso(), property.form, [](const petri::Marking& m) { return m[0] == 1; },
            [](const petri::Marking& m) { return m[2] == 1; }));
      }
  };
  // Round a cycle.
  expect_witness(walk(4, {{0, 1}, {1, 2}, {0, 3}, {3, 0}}), kLeadsTo);
  // To a dead marking.
  expect_witness(walk(4, {{0, 1}, {1, 2}, {0, 3}}), kLeadsTo);
}

TEST(early_stops) {
  const Property until{Form::all_until, atom(0), atom(1)};
  // Neither psi nor phi in 1, although phi comes later.
  expect(Outcome::found, walk(3, {{0, 1}, {1, 2}}), {marked(0), marked(2)}, until);
  // Dead with psi and without phi.
  expect(Outcome::found, walk(2, {}), {marked(0), marked(1)}, until);
  // They are stops: most of these nets is never seen. Tokens move while one is in 0; when that has
  // left, psi is over, or everything is dead.
  petri::Net large = walk(42, {{0, 1}});
  for (std::uint32_t p = 2; p < 42; p += 2) {
    large.initial[p] = 1;
    large.transitions.push_back({{{0, 1}, {p, 1}}, {{0, 1}, {p + 1, 1}}});
  }
  for (const Property& property : {Property{Form::all_until, atom(0), atom(1)},
                                   Property{Form::all_until, constant(true), atom(1)},
                                   Property{Form::leads_to, constant(true), atom(1)}})
    for (const Variant variant : kVariants) {
      Check check(large, {marked(0), petri::Comparison{{{0, 1}}, petri::Relation::gt, 1}}, property,
                  {variant, 2, kMemory}, {});
      CHECK(check.run() == Outcome::found);
      CHECK(check.figures().states < 100'000);
    }
}

TEST(complete_acyclic_graphs_cost_rpg_a_round_for_each_marking) {
  for (const std::uint32_t n : {3U, 5U, 20U, 60U})
    for (const unsigned threads : {1U, 2U, 4U}) {
      const auto rounds = [&](Variant variant) {
        Check check(complete_acyclic(n), {petri::Dead{}},
                    {Form::all_until, constant(true), atom(0)}, {variant, threads, kMemory}, {});
        CHECK(check.run() == Outcome::none);
        return check.figures().rounds;
      };
      // With several threads, markings may be reached by others than the initial one first, and a
      // marking that is cleared while fathers are collected costs a round of its own.
      CHECK(rounds(Variant::rpg) <= (threads == 1 ? n - 1 : n));
      CHECK(threads > 1 || rounds(Variant::rpg) == n - 1);
      CHECK(rounds(Variant::rg) == 1);
      CHECK(rounds(Variant::no_graph) == 1);
    }
}
