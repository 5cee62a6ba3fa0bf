// Garbage collection, memory budgets, cancellation, serialisation.
#include <atomic>

#include "check.hpp"
#include "mdd/node_store.hpp"
#include "memory/limit.hpp"
#include "oracle.hpp"

using namespace mpisog;
using namespace mpisog::test;

namespace {

// Independent counters whose sums are tied only at the end: large diagrams from a small net.
std::vector<mdd::Event> shuffled_transfer(mdd::Level half) {
  std::vector<mdd::Event> events;
  for (mdd::Level level = 0; level < half; ++level) {
    events.push_back({{level, 1, mdd::kNoLimit, -1}, {half + level, 0, mdd::kNoLimit, 1}});
  }
  return events;
}

mdd::Marking full_half(mdd::Level half, mdd::Value tokens) {
  mdd::Marking marking(2 * half, 0);
  std::fill_n(marking.begin(), half, tokens);
  return marking;
}

void check_collections_during_operations() {
  constexpr mdd::Level kHalf = 6;
  mdd::Kernel roomy({.levels = 2 * kHalf, .cancel = {}});
  mdd::Kernel tight(
      {.levels = 2 * kHalf, .memory_budget_bytes = std::size_t{6} << 20, .cancel = {}});
  const auto close = [&](mdd::Kernel& kernel, mdd::Value tokens) {
    return kernel.closure(kernel.singleton(full_half(kHalf, tokens)),
                          *kernel.relation(shuffled_transfer(kHalf)));
  };
  const mdd::Set kept = close(tight, 3);
  for (int round = 0; round < 6; ++round) {
    const mdd::Set again = close(tight, 4);
    CHECK(tight.serialise(again) == roomy.serialise(close(roomy, 4)));
  }
  tight.collect_garbage();
  CHECK(tight.count(kept).decimal() == "4096");
  CHECK(tight.serialise(kept) == roomy.serialise(close(roomy, 3)));
  CHECK(tight.statistics().collections > 0);
  CHECK(roomy.statistics().collections == 0);
}

// Thousands of sets at once, of which some go and others come: collections keep just those that are
// left.
void check_many_sets() {
  constexpr mdd::Level kPlaces = 3;
  constexpr mdd::Value kRounds = 12, kMadeAtOnce = 700;
  mdd::Kernel kernel({.levels = kPlaces, .cancel = {}});
  std::vector<mdd::Set> sets;
  std::vector<mdd::Marking> markings;
  for (mdd::Value round = 0; round < kRounds; ++round) {
    for (mdd::Value i = 0; i < kMadeAtOnce; ++i) {
      markings.push_back({i, round, i + round});
      sets.push_back(kernel.singleton(markings.back()));
    }
    const std::vector<mdd::Set> copies(sets.begin(), sets.begin() + sets.size() / 2);
    for (std::size_t i = round % 3; i < sets.size(); i += 3) sets[i] = mdd::Set();
    kernel.collect_garbage();
    for (std::size_t i = 0; i < copies.size(); ++i)
      if (!copies[i].empty()) CHECK(kernel.contains(copies[i], markings[i]));
    for (std::size_t i = 0; i < sets.size(); ++i)
      if (!sets[i].empty()) CHECK(kernel.singleton(markings[i]) == sets[i]);
  }
  sets.clear();
  kernel.collect_garbage();
  CHECK(kernel.statistics().nodes == 0);
}

// Nodes are found again after the table has grown, also those at both ends, where rows of entries
// go on at the beginning.
void check_growing_table() {
  mdd::NodeStore store(std::size_t{1} << 26, false);
  mdd::Region region;
  constexpr mdd::Value kNodes = 200000;
  const auto intern = [&](mdd::Value value, bool& is_new) {
    const mdd::NodeId child = mdd::kTrue;
    return store.intern(region, &value, &child, 1, is_new);
  };
  std::vector<mdd::NodeId> ids;
  bool is_new = false;
  for (mdd::Value value = 0; value < kNodes; ++value) {
    if (ids.size() > store.table_size() / 8 * 7) store.grow_table();
    ids.push_back(intern(value, is_new));
    CHECK(is_new);
  }
  CHECK(store.table_size() > kNodes);
  for (mdd::Value value = 0; value < kNodes; ++value) {
    CHECK(intern(value, is_new) == ids[value]);
    CHECK(!is_new);
  }
  // Every second one goes.
  store.close_region(region);
  for (std::size_t i = 0; i < ids.size(); i += 2) store.mark_from(ids[i]);
  CHECK(store.keep_marked_in_table() == ids.size() / 2);
  store.sweep();
  for (mdd::Value value = 0; value < kNodes; ++value) {
    const mdd::NodeId id = intern(value, is_new);
    CHECK(is_new == (value % 2 == 1));
    CHECK(is_new || id == ids[value]);
  }
}

void check_out_of_memory(unsigned workers) {
  constexpr mdd::Level kHalf = 8;
  const std::size_t budget = std::size_t{8} << 20;
  mdd::Kernel kernel(
      {.levels = 2 * kHalf, .memory_budget_bytes = budget, .workers = workers, .cancel = {}});
  const mdd::RelationPtr relation = kernel.relation(shuffled_transfer(kHalf));
  const mdd::Set small = kernel.closure(kernel.singleton(full_half(kHalf, 1)), *relation);
  for (int round = 0; round < 3; ++round) {
    CHECK_THROWS(kernel.closure(kernel.singleton(full_half(kHalf, 9)), *relation),
                 mdd::OutOfMemory);
    CHECK(kernel.statistics().peak_bytes <= budget + budget / 4);
    CHECK(kernel.closure(kernel.singleton(full_half(kHalf, 1)), *relation) == small);
    CHECK(kernel.count(small).decimal() == "256");
  }
}

void check_cancellation() {
  std::atomic<bool> stop{false};
  mdd::Kernel kernel({.levels = 16, .cancel = [&] { return stop.load(); }});
  const mdd::RelationPtr relation = kernel.relation(shuffled_transfer(8));
  stop = true;
  CHECK_THROWS(kernel.closure(kernel.singleton(full_half(8, 9)), *relation), mdd::Cancelled);
  stop = false;
  CHECK(kernel.count(kernel.closure(kernel.singleton(full_half(8, 1)), *relation)).decimal() ==
        "256");
}

void check_round_trips() {
  Random random(5);
  for (int round = 0; round < 300; ++round) {
    const mdd::Level levels = below(random, 5);
    mdd::Kernel first({.levels = levels, .cancel = {}});
    mdd::Kernel second({.levels = levels, .workers = 2, .cancel = {}});
    const Explicit noise = random_markings(random, levels, 50, below(random, 20));
    const Explicit markings =
        random_markings(random, levels, round % 2 == 0 ? 3 : 400, below(random, 20));
    const mdd::Set other_history = symbolic(second, noise);
    const std::vector<std::uint8_t> bytes = first.serialise(symbolic(first, markings));
    CHECK(second.serialise(symbolic(second, markings)) == bytes);
    const mdd::Set copy = second.deserialise(bytes);
    CHECK(copy == symbolic(second, markings));
    const mdd::Fingerprint print = first.fingerprint(symbolic(first, markings));
    CHECK(second.fingerprint(copy) == print);
    second.collect_garbage();  // what is known of nodes must go with their numbers
    const mdd::Set again = symbolic(second, noise);
    CHECK(second.fingerprint(copy) == print);
    CHECK((second.fingerprint(again) == print) == (noise == markings));
  }
}

void check_malformed_bytes() {
  Random random(6);
  mdd::Kernel kernel({.levels = 3, .cancel = {}});
  const mdd::Set set = symbolic(kernel, random_markings(random, 3, 9, 30));
  const std::vector<std::uint8_t> good = kernel.serialise(set);
  for (std::size_t length = 0; length < good.size(); ++length) {
    CHECK_THROWS(kernel.deserialise(std::span(good.data(), length)), mdd::MalformedBytes);
  }
  for (int round = 0; round < 20000; ++round) {
    std::vector<std::uint8_t> bad = good;
    for (std::uint32_t changes = 1 + below(random, 3); changes > 0; --changes) {
      // Not the top bits of a count: a huge contiguous node is valid, and only runs out of memory.
      bad[below(random, static_cast<std::uint32_t>(bad.size()))] =
          static_cast<std::uint8_t>(below(random, 128));
    }
    try {
      CHECK(kernel.serialise(kernel.deserialise(bad)) == bad);
    } catch (const mdd::Error&) {
    }
  }
  CHECK(kernel.deserialise(good) == set);
  mdd::Kernel other({.levels = 4, .cancel = {}});
  CHECK_THROWS(other.deserialise(good), mdd::MalformedBytes);
}

void check_compactness() {
  mdd::Kernel kernel({.levels = 40, .cancel = {}});
  mdd::Marking marking(40, 0);
  marking[0] = 6;
  const mdd::Set set = kernel.closure(kernel.singleton(marking), *kernel.relation(ring(40)));
  CHECK(kernel.serialise(set).size() < 16 * kernel.node_count(set));
}

// One operation makes more nodes than the unique table has slots at first, before it can grow.
void check_deep_diagrams() {
  constexpr mdd::Level kLevels = 20000;
  mdd::Kernel kernel({.levels = kLevels, .cancel = {}});
  const mdd::Marking ones(kLevels, 1);
  const mdd::Set set = kernel.singleton(ones);
  CHECK(kernel.count(set).decimal() == "1");
  CHECK(kernel.contains(set, ones));
  CHECK(kernel.unite(set, kernel.singleton(mdd::Marking(kLevels, 2))) != set);
}

// What is left of a comparison of thousands of places must not be spelled out at every level.
void check_wide_comparisons() {
  constexpr mdd::Level kLevels = 8000;
  mdd::Kernel kernel({.levels = kLevels, .cancel = {}});
  mdd::LinearConstraint most{{}, mdd::Comparison::kEqual, kLevels};
  for (mdd::Level level = 0; level < kLevels; ++level) most.terms.push_back({level, 1});
  const mdd::Set set = kernel.singleton(mdd::Marking(kLevels, 1));
  const std::size_t before = memory::resident_bytes();
  CHECK(kernel.filter(set, most) == set);
#if !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)  // they have memory of their own
  CHECK(memory::resident_bytes() < before + (std::size_t{1} << 28));
#else
  (void)before;
#endif
}

void check_full_table() {
  mdd::NodeStore store(std::size_t{1} << 26, false);
  mdd::Region region;
  const auto fill = [&] {
    bool is_new = false;
    const mdd::NodeId child = mdd::kTrue;
    for (mdd::Value value = 0; value <= store.table_size(); ++value)
      store.intern(region, &value, &child, 1, is_new);
  };
  CHECK_THROWS(fill(), mdd::OutOfMemory);
}

// An operation that takes a moment is asked about too, or a loop of them would never end.
void check_cancelling_short_operations() {
  constexpr mdd::Level kLevels = 2000;  // such operations run on a stack of their own
  bool stop = false;
  mdd::Kernel kernel({.levels = kLevels, .cancel = [&] { return stop; }});
  const mdd::Set set = kernel.singleton(mdd::Marking(kLevels, 1));
  stop = true;
  CHECK_THROWS(kernel.unite(set, set), mdd::Cancelled);
  CHECK_THROWS(kernel.count(set), mdd::Cancelled);
}

// The limit of the process counts, whatever the kernel was promised.
void check_process_limit() {
  constexpr mdd::Level kHalf = 8;
  memory::set_limit(memory::resident_bytes() + (std::size_t{8} << 20));
  mdd::Kernel kernel(
      {.levels = 2 * kHalf, .memory_budget_bytes = std::size_t{1} << 32, .cancel = {}});
  CHECK_THROWS(kernel.closure(kernel.singleton(full_half(kHalf, 9)),
                              *kernel.relation(shuffled_transfer(kHalf))),
               mdd::OutOfMemory);
  memory::set_limit(0);
}

}  // namespace

int main() {
  check_growing_table();
  check_many_sets();
  check_collections_during_operations();
  check_out_of_memory(1);
  check_out_of_memory(2);
  check_cancellation();
  check_round_trips();
  check_malformed_bytes();
  check_compactness();
  check_deep_diagrams();
  check_wide_comparisons();
  check_full_table();
  check_cancelling_short_operations();
  check_process_limit();
  std::puts("ok");
  return 0;
}
