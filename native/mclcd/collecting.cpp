// The collecting phase of variant rpg: markings that no son is left of are tested.
#include "mclcd/backward.hpp"

namespace mpisog::mclcd {

namespace {

constexpr std::uint32_t kScanned = 1024;  // markings that a thread takes at a time
constexpr std::size_t kTests = 16;        // tests that go on at the same time
constexpr std::uint32_t kFirings = 8;     // firings that one looks up after the first is cleared

// Not cleared, and no marking that it is the father of is left. A dead marking has no successor
// that is no son, and so is none.
bool is_candidate(Label label) {
  return (label & (kCleared | kOther)) == kOther &&
         ((label & kTested) != 0 || (label & kCounter) == 0);
}

}  // namespace

bool Backward::collect() {
  Store& store = graph_.store();
  store.rewind();
  collected_.store(false);
  team_.run([&](unsigned worker) {
    for (unsigned i = 0; i < team_.threads(); ++i)
      for (;;) {
        const Range range = store.take((worker + i) % team_.threads(), kScanned);
        if (range.count == 0) break;
        test_range(worker, range);
      }
  });
  return collected_.load();
}

void Backward::test_range(unsigned worker, Range range) {
  std::vector<Test>& tests = workers_[worker].tests;
  for (StateId id = range.first; id < range.first + range.count && !team_.ending(); ++id) {
    const Label label = graph_.store().label(id).load(std::memory_order_relaxed);
    if (!is_candidate(label)) continue;
    tests.push_back({id, (label & kTested) != 0 ? label & kCounter : 0});
    if (tests.size() == kTests) run_tests(worker);
  }
  run_tests(worker);
}

// Several tests at a time: each waits for memory while the others are fired.
void Backward::run_tests(unsigned worker) {
  Worker& own = workers_[worker];
  while (!own.tests.empty()) {
    own.firings.clear();
    own.tried.clear();
    for (Test& test : own.tests) fire_some(own, test);
    graph_.prefetch(own.firings);
    std::uint32_t begin = 0;
    std::erase_if(own.tests,
                  [&](Test& test) { return judge(worker, test, std::exchange(begin, test.end)); });
  }
}

void Backward::fire_some(Worker& worker, Test& test) const {
  const petri::Layout& layout = graph_.layout();
  const Word* from = graph_.store().at(test.id);
  Label tried = 0;
  std::uint32_t fired = 0;
  graph_.candidates().visit(layout, from, [&](std::uint32_t t) {
    if (++tried <= test.bookmark || !layout.enabled(from, t)) return true;
    graph_.fire(from, t, worker.firings);
    worker.tried.push_back(tried);
    return ++fired < test.firings;
  });
  test.exhausted = fired < test.firings;
  test.end = static_cast<std::uint32_t>(worker.firings.hashes.size());
}

// True when the test is over. What is cleared stays so: a test that fails goes on there next time,
// and the label says where. What passes is cleared in the next phase, so that what is collected
// does not depend on the order.
bool Backward::judge(unsigned worker, Test& test, std::uint32_t begin) {
  const Store& store = graph_.store();
  const Worker& own = workers_[worker];
  for (std::uint32_t i = begin; i < test.end; ++i) {
    const StateId target = store.find(graph_.words_of(own.firings, i), own.firings.hashes[i]);
    Tally::add(tallies_[worker].recomputed, 1);
    if ((store.label(target).load(std::memory_order_relaxed) & kCleared) == 0) {
      const auto label = store.label(test.id);
      const Label before = label.load(std::memory_order_relaxed) & ~kCounter;
      label.store(before | kTested | (own.tried[i] - 1), std::memory_order_relaxed);
      return true;
    }
    test.bookmark = own.tried[i];
  }
  if (!test.exhausted) {
    test.firings = kFirings;
    return false;
  }
  stacks_[worker].push(test.id);
  collected_.store(true, std::memory_order_relaxed);
  return true;
}

}  // namespace mpisog::mclcd
