// Everything behind the public interface: storage, cache, threads, roots.
#pragma once

#include <pthread.h>

#include <atomic>
#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "context.hpp"
#include "fingerprint.hpp"
#include "memory/limit.hpp"
#include "node_store.hpp"
#include "op_cache.hpp"
#include "relation.hpp"
#include "safepoint.hpp"
#include "types.hpp"

namespace mpisog::mdd {

class Core {
 public:
  explicit Core(const Options& options);
  ~Core();

  const Options options;
  NodeStore store;
  OpCache cache;
  Safepoint safepoint;
  Fingerprints fingerprints;
  std::atomic<std::uint32_t> tags{1};

  // Runs work(context) as one operation of the calling thread, on a stack that is deep enough.
  void run(const char* phase, const std::function<void(Context&)>& work);

  void maintain();  // the caller is an active thread whose nodes are all rooted
  void check_memory() const {
    if (exhausted_.load(std::memory_order_relaxed))
      throw OutOfMemory("the memory budget of the decision diagrams is used up");
  }
  // The stack of a deep recursion is memory that no store asks for.
  void check_stack() const {
    if (is_deep() && !memory::fits(0)) throw OutOfMemory("the memory limit is reached");
  }
  void count_fresh(std::size_t nodes, std::size_t entries);
  bool run_stolen_from(Context& helper, const Task& task);

  void collect_now();
  Statistics statistics() const;

  // Suffixes of events fired on their own, without a relation.
  const Suffix* plain_suffix(const Event& normalised_event);
  // Key in the operation cache for what is left of a linear form: its terms (a key of their own)
  // and the rest of the constant.
  std::uint32_t form_tag(const std::vector<std::int64_t>& form);

 private:
  static constexpr Level kDeepLevels = 1000;  // from here on the caller's stack may be too small
  [[nodiscard]] bool is_deep() const { return options.levels >= kDeepLevels; }

  Context& acquire_context();
  void release_context(Context& context);
  void run_here(const char* phase, const std::function<void(Context&)>& work);
  void start_helpers();
  void help();
  bool help_once(Context& context);
  static void run_task(Context& context, Task& task);
  void serve(unsigned requests);
  void collect();
  void mark();
  void grow_table_if_affordable();
  void touch_together(std::span<std::byte> unused);
  std::size_t total_bytes() const {
    return store.occupied_bytes() + store.table_bytes() + cache.bytes();
  }

  static constexpr std::size_t kMaxContexts = 256;

  std::mutex contexts_mutex_;
  std::vector<std::unique_ptr<Context>> contexts_;
  std::vector<Context*> free_contexts_;
  std::atomic<Context*> spare_context_{nullptr};  // one of the free ones, without the mutex
  std::atomic<Context*> known_contexts_[kMaxContexts] = {};
  std::atomic<std::size_t> context_count_{0};

  std::atomic<std::size_t> nodes_{0};
  std::atomic<std::size_t> fresh_entries_{0};
  std::atomic<std::size_t> computations_{0};
  std::atomic<std::size_t> collections_{0};
  std::atomic<std::size_t> peak_bytes_{0};
  std::atomic<std::size_t> live_bytes_{0};
  std::atomic<std::size_t> table_bytes_{0},
      cache_bytes_{0};  // copies that other threads may read at any time
  std::atomic<const char*> phase_{"idle"};
  std::atomic<bool> exhausted_{false};
  std::size_t collect_above_;
  std::size_t grow_above_;

  mutable std::mutex plain_mutex_;
  SuffixTable plain_{tags};
  std::map<std::vector<std::int64_t>, std::uint32_t> form_tags_;

  std::mutex helpers_mutex_;
  std::condition_variable helpers_wake_;
  std::atomic<int> operations_{0};
  std::atomic<bool> stopping_{false};
  std::vector<pthread_t> helper_threads_;
  bool helpers_started_ = false;
};

}  // namespace mpisog::mdd
