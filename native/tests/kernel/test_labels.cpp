// Labels: selection and closure under random conditions against explicit search.
#include "check.hpp"
#include "oracle.hpp"

using namespace mpisog;
using namespace mpisog::test;

namespace {

bool meets(const mdd::Condition& condition, const mdd::Marking& marking) {
  if (condition.comparison) return holds(*condition.comparison, marking) == condition.truth;
  return std::any_of(condition.enabled.begin(), condition.enabled.end(),
                     [&](const auto& e) { return is_enabled(e, marking); }) == condition.truth;
}

std::vector<mdd::Condition> random_label(Random& random, mdd::Level levels, mdd::Value limit) {
  std::vector<mdd::Condition> label;
  for (std::uint32_t i = below(random, 4); i > 0; --i) {
    mdd::Condition condition{std::nullopt, {}, below(random, 2) == 0};
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
    const mdd::Level levels = 1 + below(random, 5);
    const mdd::Value limit = 2 + below(random, 4);
    mdd::Kernel kernel({.levels = levels, .workers = workers, .cancel = {}});
    const std::vector<mdd::Event> events = random_events(random, levels, limit);
    const mdd::RelationPtr relation = kernel.relation(events);
    const std::vector<mdd::Condition> label = random_label(random, levels, limit);
    const auto allowed = [&](const mdd::Marking& marking) {
      return std::all_of(label.begin(), label.end(),
                         [&](const auto& condition) { return meets(condition, marking); });
    };
    const mdd::LabelledPtr labelled = kernel.labelled(relation, label);
    const mdd::LabelPtr alone = kernel.label(label);
    for (int repeat = 0; repeat < 3; ++repeat) {  // later ones find results of earlier ones
      const Explicit markings = random_markings(random, levels, limit, 1 + below(random, 5));
      const mdd::Set set = symbolic(kernel, markings);
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
  const mdd::Level pairs = 20;
  mdd::Kernel kernel({.levels = 2 * pairs, .cancel = {}});
  std::vector<mdd::Event> both;
  std::vector<mdd::Event> filling;
  for (mdd::Level i = 0; i < pairs; ++i) {
    both.push_back({{i, 1, mdd::kNoLimit, 0}, {pairs + i, 1, mdd::kNoLimit, 0}});
    for (const mdd::Level level : {i, pairs + i}) filling.push_back({{level, 0, 0, 1}});
  }
  const mdd::Set all =
      kernel.closure(kernel.singleton(mdd::Marking(2 * pairs, 0)), *kernel.relation(filling));
  const mdd::LabelPtr label = kernel.label({{std::nullopt, both, true}});
  mdd::Marking marking(2 * pairs, 0);
  marking[3] = marking[pairs + 3] = 1;
  const auto check_small_sets = [&] {
    CHECK(!kernel.select(kernel.singleton(marking), *label).empty());
    CHECK(kernel.select(kernel.singleton(mdd::Marking(2 * pairs, 0)), *label).empty());
  };
  check_small_sets();
  CHECK_THROWS(kernel.select(all, *label), mdd::TooComplex);
  CHECK_THROWS(kernel.select(all, *label), mdd::TooComplex);
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
