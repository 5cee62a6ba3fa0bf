// Labels: selection and closure under random conditions against explicit search.
#include "check.hpp"
#include "oracle.hpp"

using namespace mpisog;
using namespace mpisog::test;

namespace {

bool meets(const ldd::Condition& condition, const ldd::Marking& marking) {
  if (condition.comparison) return holds(*condition.comparison, marking) == condition.truth;
  return std::any_of(condition.enabled.begin(), condition.enabled.end(),
                     [&](const auto& e) { return is_enabled(e, marking); }) == condition.truth;
}

std::vector<ldd::Condition> random_label(Random& random, ldd::Level levels, ldd::Value limit) {
  std::vector<ldd::Condition> label;
  for (std::uint32_t i = below(random, 4); i > 0; --i) {
    ldd::Condition condition{std::nullopt, {}, below(random, 2) == 0};
    if (below(random, 2) == 0) {
      condition.comparison = random_constraint(random, levels);
    } else if (below(random, 8) != 0) {
      condition.enabled = random_events(random, levels, limit);
    }
    label.push_back(condition);
  }
  return label;
}

void check_random_labels(unsigned seed, unsigned rounds, unsigned workers) {
  Random random(seed);
  std::size_t cut = 0;  // closures that the label made smaller, but not empty
  for (unsigned round = 0; round < rounds; ++round) {
    const ldd::Level levels = 1 + below(random, 5);
    const ldd::Value limit = 2 + below(random, 4);
    ldd::Kernel kernel({.levels = levels, .workers = workers, .cancel = {}});
    const std::vector<ldd::Event> events = random_events(random, levels, limit);
    const ldd::RelationPtr relation = kernel.relation(events);
    const std::vector<ldd::Condition> label = random_label(random, levels, limit);
    const auto allowed = [&](const ldd::Marking& marking) {
      return std::all_of(label.begin(), label.end(),
                         [&](const auto& condition) { return meets(condition, marking); });
    };
    const ldd::LabelledPtr labelled = kernel.labelled(relation, label);
    const ldd::LabelPtr alone = kernel.label(label);
    for (int repeat = 0; repeat < 3; ++repeat) {  // later ones find results of earlier ones
      const Explicit markings = random_markings(random, levels, limit, 1 + below(random, 5));
      const ldd::Set set = symbolic(kernel, markings);
      const Explicit reached = closure(markings, events, allowed);
      CHECK(explicit_of(kernel, kernel.closure_labelled(set, *labelled)) == reached);
      CHECK(explicit_of(kernel, kernel.select(set, *alone)) == selected(markings, allowed));
      const Explicit all = closure(markings, events);
      CHECK(explicit_of(kernel, kernel.closure(set, *relation)) == all);
      cut += !reached.empty() && reached.size() < all.size() ? 1 : 0;
    }
  }
  CHECK(cut > rounds / 10);
}

// Pairs of places side by side: whether some pair is equal takes few states, but when all first
// halves come before all second halves every combination is one.
void check_complex_label() {
  const ldd::Level pairs = 20;
  ldd::Kernel kernel({.levels = 2 * pairs, .cancel = {}});
  std::vector<ldd::Event> both;
  std::vector<ldd::Event> filling;
  for (ldd::Level i = 0; i < pairs; ++i) {
    both.push_back({{i, 1, ldd::kNoLimit, 0}, {pairs + i, 1, ldd::kNoLimit, 0}});
    for (const ldd::Level level : {i, pairs + i}) filling.push_back({{level, 0, 0, 1}});
  }
  const ldd::Set all =
      kernel.closure(kernel.singleton(ldd::Marking(2 * pairs, 0)), *kernel.relation(filling));
  const ldd::LabelPtr label = kernel.label({{std::nullopt, both, true}});
  ldd::Marking marking(2 * pairs, 0);
  marking[3] = marking[pairs + 3] = 1;
  const auto check_small_sets = [&] {
    CHECK(!kernel.select(kernel.singleton(marking), *label).empty());
    CHECK(kernel.select(kernel.singleton(ldd::Marking(2 * pairs, 0)), *label).empty());
  };
  check_small_sets();
  CHECK_THROWS(kernel.select(all, *label), ldd::TooComplex);
  CHECK_THROWS(kernel.select(all, *label), ldd::TooComplex);
  check_small_sets();  // what was known before stays known
}

}  // namespace

int main() {
  check_random_labels(1, 600, 1);
  check_random_labels(2, 60, 3);
  check_complex_label();
  std::puts("ok");
  return 0;
}
