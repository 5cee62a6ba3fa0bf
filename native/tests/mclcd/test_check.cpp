// Random nets and predicates: every form, every variant, several threads, against fixpoints.
#include "tests/mclcd/oracle.hpp"

using namespace mpisog;
using namespace mpisog::mclcd;
using namespace mpisog::tests;

namespace {

constexpr std::size_t kMarkings = 300;
constexpr std::size_t kMemory = std::size_t{1} << 30;

const std::vector<Variant> kVariants{Variant::rg, Variant::rpg, Variant::no_graph,
                                     Variant::automatic};

petri::Atom random_atom(std::mt19937& random, const petri::Net& net) {
  const auto place = static_cast<std::uint32_t>(random() % net.places());
  switch (random() % 8) {
    case 0:
      return petri::Dead{};
    case 1:
      return petri::Fireable{{static_cast<std::uint32_t>(random() % net.transitions.size())}};
    default: {
      const auto relation = static_cast<petri::Relation>(random() % 6);
      return petri::Comparison{{{place, 1}}, relation, static_cast<std::int64_t>(random() % 3)};
    }
  }
}

// Over the atoms 0 and 1: a constant, an atom, its negation, or both connected.
Predicate random_predicate(std::mt19937& random) {
  const auto a = static_cast<std::uint32_t>(random() % 2);
  const bool flip = random() % 2 == 0;
  const std::uint32_t low = flip ? 1 : 0;
  const std::uint32_t high = flip ? 0 : 1;
  switch (random() % 6) {
    case 0:
      return {{{}, {}}, static_cast<std::uint32_t>(random() % 2)};
    case 1:  // both
      return {{{}, {}, {1 - a, low, high}, {a, 0, 2}}, 3};
    case 2:  // either
      return {{{}, {}, {1 - a, low, high}, {a, 2, 1}}, 3};
    default:
      return {{{}, {}, {a, low, high}}, 2};
  }
}

struct Case {
  petri::Net net;
  std::vector<petri::Atom> atoms;
  Property property;

  bool holds(const Predicate& predicate, const petri::Marking& m) const {
    return true_in(predicate, atoms, net, m);
  }
};

void compare(const Case& c, const Explicit& graph, bool wanted, Options options) {
  Check check(c.net, c.atoms, c.property, options, {});
  const Outcome outcome = check.run();
  CHECK(outcome == (wanted ? Outcome::found : Outcome::none));
  if (outcome == Outcome::found)
    CHECK(is_witness(
        c.net, check.lasso(), c.property.form,
        [&](const petri::Marking& m) { return c.holds(c.property.psi, m); },
        [&](const petri::Marking& m) { return c.holds(c.property.phi, m); }));
  else if (c.property.form == Form::leads_to)
    CHECK(check.figures().states == graph.markings.size() && check.figures().edges == graph.edges);
}

}  // namespace

TEST(every_form_variant_and_number_of_threads_agrees_with_fixpoints) {
  std::mt19937 random(20);
  int found = 0;
  int none = 0;
  for (int i = 0; i < tests::random_cases(400); ++i) {
    Case c{tests::random_net(random), {}, {}};
    const auto graph = enumerate(c.net, kMarkings);
    if (!graph) continue;
    c.atoms = {random_atom(random, c.net), random_atom(random, c.net)};
    for (const Form form : {Form::exists_until, Form::all_until, Form::leads_to}) {
      c.property = {form, random_predicate(random), random_predicate(random)};
      const bool wanted = expected(*graph, form, select(*graph, c.property.psi, c.atoms, c.net),
                                   select(*graph, c.property.phi, c.atoms, c.net));
      ++(wanted ? found : none);
      for (const Variant variant : kVariants)
        for (const unsigned threads : {1U, 2U, 4U})
          compare(c, *graph, wanted, {variant, threads, kMemory});
    }
  }
  CHECK(found > none / 4 && none > found / 4);
}

TEST(counting_agrees_with_naive_exploration) {
  std::mt19937 random(21);
  for (int i = 0; i < tests::random_cases(300); ++i) {
    const petri::Net net = tests::random_net(random);
    const auto naive = naive_explore(net, 2000);
    if (!naive) continue;
    std::uint64_t in_marking = 0;
    std::uint64_t in_place = 0;
    for (const petri::Marking& m : naive->markings) {
      std::uint64_t total = 0;
      for (const auto tokens : m) {
        total += static_cast<std::uint64_t>(tokens);
        in_place = std::max(in_place, static_cast<std::uint64_t>(tokens));
      }
      in_marking = std::max(in_marking, total);
    }
    for (const unsigned threads : {1U, 3U}) {
      Check check(net, {}, {}, {Variant::automatic, threads, kMemory}, {});
      CHECK(check.run() == Outcome::none);
      const Figures figures = check.figures();
      CHECK(figures.states == naive->markings.size());
      CHECK(figures.edges == naive->edges);
      CHECK(figures.dead == naive->dead);
      CHECK(figures.max_tokens_in_marking == in_marking);
      CHECK(figures.max_tokens_in_place == in_place);
    }
  }
}

TEST(a_net_without_places_has_one_marking) {
  Check check({{}, {{{}, {}}}}, {}, {}, {Variant::automatic, 2, kMemory}, {});
  CHECK(check.run() == Outcome::none);
  CHECK(check.figures().states == 1 && check.figures().edges == 1 && check.figures().dead == 0);
}
