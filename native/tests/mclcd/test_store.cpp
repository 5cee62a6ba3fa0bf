// The concurrent store, index and stacks by themselves.
#include <thread>

#include "mclcd/stack.hpp"
#include "mclcd/store.hpp"
#include "tests/mclcd/oracle.hpp"

using namespace mpisog;
using namespace mpisog::mclcd;

namespace {

constexpr std::size_t kMemory = std::size_t{1} << 30;
constexpr unsigned kThreads = 4;

template <class Work>
void in_threads(Work&& work) {
  std::vector<std::thread> threads;
  for (unsigned worker = 0; worker < kThreads; ++worker)
    threads.emplace_back([&work, worker] { work(worker); });
  for (std::thread& thread : threads) thread.join();
}

std::uint64_t hash(Word word) { return petri::hash_words(&word, 1); }

}  // namespace

TEST(a_marking_that_all_threads_insert_has_one_number) {
  MemoryAccount account(kMemory);
  Store store(account, kThreads, 1, false);
  constexpr Word kWords = 8'000;
  CHECK(store.index().claim_room(kThreads * kWords / 4));
  std::vector<std::vector<StateId>> numbers(kThreads, std::vector<StateId>(kWords));
  std::atomic<Word> fresh = 0;
  in_threads([&](unsigned worker) {
    for (Word i = 0; i < kWords; ++i) {
      const Word word = worker % 2 == 0 ? i : kWords - 1 - i;
      const auto [id, is_new] = store.insert(worker, &word, hash(word), worker);
      numbers[worker][word] = id;
      fresh += is_new ? 1 : 0;
    }
  });
  CHECK(fresh == kWords && store.size() == kWords);
  for (Word word = 0; word < kWords; ++word) {
    const StateId id = numbers[0][word];
    CHECK(*store.at(id) == word && store.father(id) < kThreads);
    CHECK(store.find(&word, hash(word)) == id);
    for (const auto& others : numbers) CHECK(others[word] == id);
  }
  const Word absent = kWords;
  CHECK(store.find(&absent, hash(absent)) == petri::kNoState);
}

TEST(every_marking_is_taken_once) {
  MemoryAccount account(kMemory);
  Store store(account, kThreads, 1, false);
  constexpr Word kWords = 8'000;
  CHECK(store.index().claim_room(kWords));
  for (Word word = 0; word < kWords; ++word)
    store.insert(static_cast<unsigned>(word % 2), &word, hash(word), 0);
  for (int again = 0; again < 2; ++again) {
    std::vector<std::atomic<int>> taken(kWords);
    in_threads([&](unsigned worker) {
      for (unsigned i = 0; i < kThreads; ++i)
        for (Range range; (range = store.take((worker + i) % kThreads, 7)).count != 0;)
          for (StateId id = range.first; id < range.first + range.count; ++id)
            ++taken[*store.at(id)];
    });
    CHECK(std::all_of(taken.begin(), taken.end(), [](const auto& times) { return times == 1; }));
    CHECK(!store.has_more(0) && !store.has_more(1));
    store.rewind();
  }
}

TEST(an_index_grows_and_keeps_everything) {
  MemoryAccount account(kMemory);
  Store store(account, 1, 1, false);
  constexpr Word kWords = 200'000;
  for (Word word = 0; word < kWords; ++word) {
    while (!store.index().claim_room(1)) {
      for (std::size_t shard = 0; shard < store.index().shards(); ++shard)
        store.index().grow_shard(shard);
      store.index().finish_growing();
    }
    CHECK(store.insert(0, &word, hash(word), 0).fresh);
  }
  for (Word word = 0; word < kWords; ++word)
    CHECK(*store.at(store.find(&word, hash(word))) == word);
  CHECK(account.used() < 60 * kWords);
}

TEST(what_is_shared_is_popped_once_by_somebody) {
  MemoryAccount account(kMemory);
  std::vector<std::unique_ptr<WorkStack>> stacks;
  for (unsigned worker = 0; worker < kThreads; ++worker)
    stacks.push_back(std::make_unique<WorkStack>(account));
  constexpr StateId kCount = 50'000;
  std::vector<std::atomic<int>> popped(kCount);
  std::atomic<StateId> left = kCount;
  in_threads([&](unsigned worker) {
    WorkStack& own = *stacks[worker];
    if (worker == 0)
      for (StateId id = 0; id < kCount; ++id) own.push(id);
    while (left > 0) {
      own.share();
      StateId id = own.pop();
      for (unsigned victim = 0; id == petri::kNoState && victim < kThreads; ++victim)
        if (victim != worker && own.steal_from(*stacks[victim])) id = own.pop();
      if (id == petri::kNoState) {
        std::this_thread::yield();
        continue;
      }
      ++popped[id];
      --left;
    }
  });
  CHECK(std::all_of(popped.begin(), popped.end(), [](const auto& times) { return times == 1; }));
  stacks.clear();
  CHECK(account.used() == 0);
}
