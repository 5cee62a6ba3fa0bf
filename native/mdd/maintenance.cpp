// Growth of the tables and garbage collection. All of it happens while every working thread stands
// still at a point where the nodes it needs are on its stack of roots, also in the middle of long
// operations.
#include <algorithm>
#include <new>

#include "core.hpp"
#include "memory/limit.hpp"

namespace mpisog::mdd {

namespace {
constexpr std::size_t kModestCache = std::size_t{16} << 20;
constexpr std::size_t kTouchedAtOnce = std::size_t{16} << 20;
}  // namespace

Context::Context(Core& owner)
    : core(owner),
      store(owner.store),
      cache(owner.cache),
      safepoint(owner.safepoint),
      parallel(owner.options.workers > 1),
      roots(owner.options.memory_budget_bytes),
      scratch(owner.options.memory_budget_bytes) {}

void Context::poll_slowly() {
  if (safepoint.needs_attention()) core.maintain();
  core.check_memory();
  if (polls_left_ != 0) return;
  polls_left_ = kComputationsBetweenPolls;
  if (operation->failed()) operation->rethrow();
  core.check_stack();
  if (core.options.cancel && core.options.cancel()) throw Cancelled();
}

void Context::look_slowly() {
  looks_left_ = kLooks;
  core.check_stack();
  if (core.options.cancel && core.options.cancel()) throw Cancelled();
}

void Context::flush_nodes() {
  core.count_fresh(fresh_nodes_, 0);
  fresh_nodes_ = 0;
}

void Context::flush_entries() {
  core.count_fresh(0, fresh_entries_);
  fresh_entries_ = 0;
}

void Core::count_fresh(std::size_t nodes, std::size_t entries) {
  if (nodes > 0) {
    const std::size_t total = nodes_.fetch_add(nodes, std::memory_order_relaxed) + nodes;
    if (total > grow_above_) safepoint.request(Safepoint::kGrowTable);
    const std::size_t bytes = total_bytes();
    if (bytes > peak_bytes_.load(std::memory_order_relaxed))
      peak_bytes_.store(bytes, std::memory_order_relaxed);
    if (bytes > collect_above_) safepoint.request(Safepoint::kCollect);
  }
  if (entries > 0) {
    computations_.fetch_add(entries, std::memory_order_relaxed);
    const std::size_t total =
        fresh_entries_.fetch_add(entries, std::memory_order_relaxed) + entries;
    if (total > cache.size() / 2 && cache.can_grow()) safepoint.request(Safepoint::kGrowCache);
  }
}

void Core::maintain() {
  safepoint.stop_and([this](unsigned requests) {
    try {
      serve(requests);
    } catch (const OutOfMemory&) {
      exhausted_ = true;
    }
  });
}

void Core::serve(unsigned requests) {
  if ((requests & Safepoint::kCollect) != 0) collect();
  if ((requests & Safepoint::kGrowTable) != 0) grow_table_if_affordable();
  // A huge cache that is much larger than the diagrams costs more to touch than what it saves.
  // Small diagrams with many events need a cache that is larger than they are, though.
  const bool cache_is_small =
      cache.bytes() <= std::max(kModestCache, store.occupied_bytes() + store.table_bytes());
  if ((requests & Safepoint::kGrowCache) != 0) {
    const bool affordable = total_bytes() + 4 * cache.bytes() < collect_above_;
    if (cache.can_grow() && cache_is_small && affordable && memory::fits(cache.growth().size())) {
      touch_together(cache.growth());
      cache.grow();
    }
    fresh_entries_ = 0;  // also when it must not grow: asking at once again would stop all threads
  }
  table_bytes_ = store.table_bytes();
  cache_bytes_ = cache.bytes();
}

void Core::grow_table_if_affordable() {
  if (nodes_ <= grow_above_) return;
  if (store.can_grow_table() &&
      total_bytes() + store.table_bytes() <= options.memory_budget_bytes &&
      memory::fits(store.table_bytes())) {
    touch_together(store.table_growth());
    store.grow_table();
    grow_above_ = store.table_size() / 2;
    return;
  }
  // The table has to do: let it fill up further, but only if that leaves something to do until the
  // next time.
  collect();
  grow_above_ = store.table_size() / 4 * 3;
  if (nodes_ > store.table_size() / 8 * 5) exhausted_ = true;
}

// Fresh pages take longer than all the rest of growing: the threads that wait for it do their
// share.
void Core::touch_together(std::span<std::byte> unused) {
  const std::size_t parts = (unused.size() + kTouchedAtOnce - 1) / kTouchedAtOnce;
  safepoint.share(parts, [&](std::size_t part) {
    const std::size_t from = part * kTouchedAtOnce;
    touch(unused.subspan(from, std::min(kTouchedAtOnce, unused.size() - from)));
  });
}

void Core::mark() {
  for (std::size_t i = 0; i < context_count_; ++i) {
    const Context& context = *known_contexts_[i];
    for (std::size_t k = 0; k < context.roots.size(); ++k) store.mark_from(context.roots.base()[k]);
    context.handles.for_each([this](NodeId id) { store.mark_from(id); });
  }
}

void Core::collect() {
  for (std::size_t i = 0; i < context_count_; ++i)
    store.close_region(known_contexts_[i].load()->region);
  try {
    mark();
  } catch (const std::bad_alloc&) {
    store.unmark();
    throw OutOfMemory("there is no memory left to collect garbage");
  }
  fingerprints.forget();
  nodes_ = store.keep_marked_in_table();
  cache.keep_if([this](NodeId id) { return store.is_marked(id); });
  store.sweep();
  collections_.fetch_add(1, std::memory_order_relaxed);

  // Collecting again soon must be worth it: first let go of what can be computed again, and give up
  // when hardly anything could be freed.
  const std::size_t budget = options.memory_budget_bytes;
  const std::size_t much = budget / 4 * 3;
  if (total_bytes() > much) cache.shrink();
  const std::size_t live = total_bytes();
  live_bytes_ = live - cache.bytes();
  exhausted_ = live > much;
  collect_above_ = std::clamp(live * 2, budget / 2, budget / 16 * 15);
}

void Core::collect_now() {
  run("collect", [this](Context&) {
    safepoint.request(Safepoint::kCollect);
    maintain();
  });
}

Statistics Core::statistics() const {
  Statistics result;
  result.nodes = nodes_.load(std::memory_order_relaxed);
  result.bytes = store.occupied_bytes() + table_bytes_.load(std::memory_order_relaxed) +
                 cache_bytes_.load(std::memory_order_relaxed);
  result.peak_bytes = std::max(result.bytes, peak_bytes_.load(std::memory_order_relaxed));
  result.live_bytes = live_bytes_.load(std::memory_order_relaxed);
  result.cache_bytes = cache_bytes_.load(std::memory_order_relaxed);
  result.budget_bytes = options.memory_budget_bytes;
  result.collections = collections_.load(std::memory_order_relaxed);
  result.cache_entries = result.cache_bytes / 16;
  result.computations = computations_.load(std::memory_order_relaxed);
  result.phase = phase_.load(std::memory_order_relaxed);
  return result;
}

}  // namespace mpisog::mdd
