#include "core.hpp"

#include <pthread.h>

#include <algorithm>
#include <chrono>

#include "deep_stack.hpp"

namespace mpisog::mdd {

namespace {

constexpr std::size_t kInitialCacheEntries = std::size_t{1} << 12;
constexpr std::size_t kCacheShare = 4;  // at most a quarter of the budget
constexpr std::size_t kFingerprintShare = 16;
constexpr std::size_t kCacheEntryBytes = 16;
constexpr std::size_t kMaxFormTags = std::size_t{1} << 20;

}  // namespace

Core::Core(const Options& given)
    : options(given),
      store(given.memory_budget_bytes, given.shared || given.workers > 1, given.levels),
      cache(kInitialCacheEntries,
            std::max(kInitialCacheEntries,
                     given.memory_budget_bytes / kCacheShare / kCacheEntryBytes),
            given.shared || given.workers > 1),
      fingerprints(given.memory_budget_bytes / kFingerprintShare),
      collect_above_(given.memory_budget_bytes / 2),
      grow_above_(store.table_size() / 2) {
  table_bytes_ = store.table_bytes();
  cache_bytes_ = cache.bytes();
}

Core::~Core() {
  {
    const std::lock_guard lock(helpers_mutex_);
    stopping_ = true;
  }
  helpers_wake_.notify_all();
  for (pthread_t thread : helper_threads_) pthread_join(thread, nullptr);
}

void Core::run(const char* phase, const std::function<void(Context&)>& work) {
  if (!is_deep()) return run_here(phase, work);
  const auto ask = [this] { return options.cancel && options.cancel(); };
  // Here too: many operations that take a moment each would never be asked about.
  if (ask()) throw Cancelled();
  run_on_deep_stack(options.levels, [&] { run_here(phase, work); }, ask);
}

void Core::run_here(const char* phase, const std::function<void(Context&)>& work) {
  Context& context = acquire_context();
  Operation operation;
  struct Session {  // ends the operation whatever happens
    Core& core;
    Context& context;
    ~Session() {
      context.operation = nullptr;
      context.flush();
      context.roots.pop_to(0);
      context.scratch.pop_to(0);
      core.safepoint.leave();
      core.operations_.fetch_sub(1, std::memory_order_relaxed);
      core.phase_.store("idle", std::memory_order_relaxed);
      core.release_context(context);
    }
  };
  phase_.store(phase, std::memory_order_relaxed);
  operations_.fetch_add(1, std::memory_order_relaxed);
  safepoint.enter();
  const Session session{*this, context};
  context.operation = &operation;
  if (options.workers > 1) start_helpers();
  if (exhausted_.load(std::memory_order_relaxed)) {
    safepoint.request(Safepoint::kCollect);
    maintain();
  }
  work(context);
}

Context& Core::acquire_context() {
  if (Context* spare = spare_context_.exchange(nullptr, std::memory_order_acquire)) return *spare;
  const std::lock_guard lock(contexts_mutex_);
  if (free_contexts_.empty()) {
    if (contexts_.size() == kMaxContexts) throw Error("too many threads use one kernel");
    contexts_.push_back(std::make_unique<Context>(*this));
    known_contexts_[contexts_.size() - 1].store(contexts_.back().get(), std::memory_order_release);
    context_count_.store(contexts_.size(), std::memory_order_release);
    return *contexts_.back();
  }
  Context& context = *free_contexts_.back();
  free_contexts_.pop_back();
  return context;
}

void Core::release_context(Context& context) {
  Context* none = nullptr;
  if (spare_context_.compare_exchange_strong(none, &context, std::memory_order_release)) return;
  const std::lock_guard lock(contexts_mutex_);
  free_contexts_.push_back(&context);
}

const Suffix* Core::plain_suffix(const Event& event) {
  const std::lock_guard lock(plain_mutex_);
  return plain_.find(plain_.add(event, 0));
}

std::uint32_t Core::form_tag(const std::vector<std::int64_t>& form) {
  const std::lock_guard lock(plain_mutex_);
  // Forgetting is safe, because a tag is never given out twice.
  if (form_tags_.size() > kMaxFormTags) form_tags_.clear();
  const auto [place, is_new] = form_tags_.try_emplace(form, 0);
  if (is_new) place->second = tags.fetch_add(1, std::memory_order_relaxed);
  return place->second;
}

// Helpers
// ---------------------------------------------------------------------------------------------------------

void Core::start_helpers() {
  const std::lock_guard lock(helpers_mutex_);
  if (!helpers_started_) {
    helpers_started_ = true;
    for (unsigned i = 1; i < options.workers; ++i) {
      helper_threads_.push_back(start_deep_thread(options.levels, [this] { help(); }));
    }
  }
  helpers_wake_.notify_all();
}

void Core::help() {
  Context& context = acquire_context();
  unsigned failures = 0;
  while (!stopping_.load(std::memory_order_relaxed)) {
    if (operations_.load(std::memory_order_relaxed) == 0) {
      std::unique_lock lock(helpers_mutex_);
      helpers_wake_.wait(
          lock, [this] { return stopping_ || operations_.load(std::memory_order_relaxed) > 0; });
    }
    if (help_once(context)) {
      failures = 0;
    } else if (++failures > 1000) {
      std::this_thread::sleep_for(std::chrono::microseconds(50));
    } else if (failures > 50) {
      std::this_thread::yield();
    }
  }
}

bool Core::help_once(Context& context) {
  const std::size_t count = context_count_.load(std::memory_order_acquire);
  for (std::size_t i = 0; i < count; ++i) {
    Context* victim = known_contexts_[i].load(std::memory_order_acquire);
    if (victim == &context) continue;
    if (Task* task = victim->tasks.steal(context)) {
      safepoint.enter();
      run_task(context, *task);
      safepoint.leave();
      task->done.store(true, std::memory_order_release);
      return true;
    }
  }
  return false;
}

bool Core::run_stolen_from(Context& helper, const Task& task) {
  Task* part = task.thief->tasks.steal(helper);
  if (part == nullptr) return false;
  run_task(helper, *part);
  part->done.store(true, std::memory_order_release);
  return true;
}

// The owner of the task waits and keeps its operands rooted, so they need no protection here.
void Core::run_task(Context& context, Task& task) {
  Operation* const previous = context.operation;
  context.operation = task.operation;
  NodeId result = kEmpty;
  try {
    if (!task.operation->failed()) result = task.run(context, task);
  } catch (...) {
    task.operation->fail(std::current_exception());
  }
  *task.result = result;
  context.operation = previous;
}

}  // namespace mpisog::mdd
