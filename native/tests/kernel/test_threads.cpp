// Many threads on one kernel, helpers inside operations, collections in between.
#include <atomic>
#include <mutex>
#include <thread>

#include "check.hpp"
#include "mdd/safepoint.hpp"
#include "oracle.hpp"

using namespace mpisog;
using namespace mpisog::test;

namespace {

constexpr mdd::Level kLevels = 8;

struct Expected {
  std::vector<std::uint8_t> bytes;
  mdd::Fingerprint print;
};

Expected expected_of(mdd::Value tokens) {
  mdd::Kernel kernel({.levels = kLevels, .shared = false, .cancel = {}});
  mdd::Marking marking(kLevels, 0);
  marking[0] = tokens;
  const mdd::Set closed =
      kernel.closure(kernel.singleton(marking), *kernel.relation(ring(kLevels)));
  return {kernel.serialise(closed), kernel.fingerprint(closed)};
}

void check_threads(unsigned threads, unsigned workers, std::size_t budget) {
  mdd::Kernel kernel(
      {.levels = kLevels, .memory_budget_bytes = budget, .workers = workers, .cancel = {}});
  const mdd::RelationPtr relation = kernel.relation(ring(kLevels));
  // States of the label are made by whichever thread comes to them first.
  const mdd::LinearConstraint below_three{{{0, 1}, {2, 1}, {5, -1}}, mdd::Comparison::kLess, 3};
  const mdd::LabelledPtr labelled =
      kernel.labelled(relation, {{below_three, {}, true}, {std::nullopt, ring(kLevels), true}});
  std::vector<Expected> expected;
  for (mdd::Value tokens = 0; tokens < 7; ++tokens) expected.push_back(expected_of(tokens));
  std::atomic<bool> stop{false};
  std::vector<std::thread> pool;
  for (unsigned t = 0; t < threads; ++t) {
    pool.emplace_back([&, t] {
      Random random(t);
      for (int round = 0; round < 12; ++round) {
        const mdd::Value tokens = below(random, 7);
        mdd::Marking marking(kLevels, 0);
        marking[0] = tokens;
        const mdd::Set set = kernel.closure(kernel.singleton(marking), *relation);
        CHECK(kernel.serialise(set) == expected[tokens].bytes);
        CHECK(kernel.fingerprint(set) == expected[tokens].print);
        const mdd::Set kept = kernel.closure_labelled(kernel.filter(set, below_three), *labelled);
        CHECK(kernel.filter(kept, below_three) == kept);
        const mdd::Set part = kernel.filter(set, {{{0, 1}, {3, -1}}, mdd::Comparison::kGreater, 0});
        CHECK(kernel.unite(part, kernel.subtract(set, part)) == set);
        CHECK(kernel.intersect(part, kernel.subtract(set, part)).empty());
      }
    });
  }
  std::thread observer([&] {
    while (!stop) {
      CHECK(kernel.statistics().phase != nullptr);
      kernel.collect_garbage();
      std::this_thread::yield();
    }
  });
  for (std::thread& thread : pool) thread.join();
  stop = true;
  observer.join();
}

// Handles are copied and dropped by other threads than made the set, also between operations, while
// garbage is collected.
void check_handles_between_threads() {
  mdd::Kernel kernel({.levels = kLevels, .cancel = {}});
  const mdd::RelationPtr relation = kernel.relation(ring(kLevels));
  constexpr mdd::Value kSets = 7;
  std::vector<Expected> expected;
  std::vector<mdd::Set> shelf(kSets);
  std::vector<std::mutex> locks(kSets);
  for (mdd::Value tokens = 0; tokens < kSets; ++tokens) expected.push_back(expected_of(tokens));
  std::vector<std::thread> pool;
  for (unsigned t = 0; t < 4; ++t) {
    pool.emplace_back([&, t] {
      Random random(t);
      for (int round = 0; round < 150; ++round) {
        const mdd::Value tokens = 1 + below(random, kSets - 1);
        mdd::Marking marking(kLevels, 0);
        marking[0] = tokens;
        mdd::Set other;
        {
          const std::lock_guard lock(locks[tokens]);
          other = shelf[tokens];
        }
        const mdd::Set copied = other;
        other = mdd::Set();
        if (!copied.empty()) CHECK(kernel.serialise(copied) == expected[tokens].bytes);
        mdd::Set made = kernel.closure(kernel.singleton(marking), *relation);
        if (round % 8 == static_cast<int>(t)) kernel.collect_garbage();
        const std::lock_guard lock(locks[tokens]);
        shelf[tokens] = below(random, 3) == 0 ? mdd::Set() : std::move(made);
      }
    });
  }
  for (std::thread& thread : pool) thread.join();
  shelf.clear();
  kernel.collect_garbage();
  CHECK(kernel.statistics().nodes == 0);
}

void check_failures_with_helpers() {
  std::atomic<int> asked{0};
  mdd::Kernel kernel({.levels = kLevels, .workers = 3, .cancel = [&] { return ++asked > 4; }});
  mdd::Marking marking(kLevels, 0);
  marking[0] = 40;
  const mdd::RelationPtr relation = kernel.relation(ring(kLevels));
  CHECK_THROWS(kernel.closure(kernel.singleton(marking), *relation), mdd::Cancelled);
  asked = -1000000000;
  marking[0] = 5;
  CHECK(kernel.serialise(kernel.closure(kernel.singleton(marking), *relation)) ==
        expected_of(5).bytes);
}

// Every part is done once, by whoever stands still or has stopped the others, in every round.
void check_shared_work() {
  constexpr unsigned kThreads = 4;
  constexpr std::size_t kParts = 50;
  mdd::Safepoint safepoint;
  std::vector<std::size_t> done(kParts, 0);
  std::atomic<std::size_t> rounds{0};
  std::vector<std::thread> pool;
  for (unsigned t = 0; t < kThreads; ++t) {
    pool.emplace_back([&] {
      safepoint.enter();
      for (int round = 0; round < 200; ++round) {
        safepoint.request(mdd::Safepoint::kGrowTable);
        safepoint.stop_and([&](unsigned) {
          safepoint.share(kParts, [&](std::size_t part) { ++done[part]; });
          ++rounds;
          for (const std::size_t times : done) CHECK(times == rounds);
        });
      }
      safepoint.leave();
    });
  }
  for (std::thread& thread : pool) thread.join();
  CHECK(rounds >= 200);
  CHECK(safepoint.requests() == 0);
}

}  // namespace

int main() {
  check_threads(4, 1, std::size_t{1} << 30);
  check_threads(2, 3, std::size_t{1} << 30);
  check_threads(3, 2, std::size_t{4} << 20);
  check_handles_between_threads();
  check_failures_with_helpers();
  check_shared_work();
  std::puts("ok");
  return 0;
}
