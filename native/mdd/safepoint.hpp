// Who works on the kernel at the moment, and how to stop them all for maintenance.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>

namespace mpisog::mdd {

class Safepoint {
 public:
  // Bits of the attention word that working threads look at whenever they start a new computation.
  enum Attention : unsigned { kPause = 1, kGrowTable = 2, kGrowCache = 4, kCollect = 8 };

  bool needs_attention() const { return attention_.load(std::memory_order_relaxed) != 0; }
  void request(unsigned bits) { attention_.fetch_or(bits, std::memory_order_relaxed); }
  unsigned requests() const { return attention_.load(std::memory_order_relaxed); }

  void enter() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !pausing_; });
    ++active_;
  }
  void leave() {
    const std::lock_guard lock(mutex_);
    --active_;
    if (pausing_) changed_.notify_all();
  }

  // Runs work(requests) while every other thread stands still, or stands still for another thread
  // that got there first. The caller is an active thread.
  template <class Work>
  void stop_and(Work work) {
    std::unique_lock lock(mutex_);
    --active_;
    if (pausing_) {
      changed_.notify_all();
      while (pausing_) {
        if (shared_ != nullptr) help(lock);
        changed_.wait(lock, [this] { return !pausing_ || shared_ != nullptr; });
      }
      ++active_;
      return;
    }
    pausing_ = true;
    request(kPause);
    changed_.wait(lock, [this] { return active_ == 0; });
    lock.unlock();
    const Resume resume{*this};
    work(requests());
  }

  // For the work of stop_and: runs do_part for every part, together with the threads that stand
  // still. No part may throw.
  void share(std::size_t parts, const std::function<void(std::size_t)>& do_part) {
    std::unique_lock lock(mutex_);
    Shared shared{do_part, parts};
    shared_ = &shared;
    changed_.notify_all();
    help(lock);
    changed_.wait(lock, [&] { return shared.helpers == 0; });
  }

 private:
  struct Shared {
    const std::function<void(std::size_t)>& do_part;
    std::size_t parts;
    std::atomic<std::size_t> next{0};
    int helpers = 0;
  };
  void help(std::unique_lock<std::mutex>& lock) {
    Shared& shared = *shared_;
    ++shared.helpers;
    lock.unlock();
    for (std::size_t part = 0; (part = shared.next.fetch_add(1)) < shared.parts;)
      shared.do_part(part);
    lock.lock();
    shared_ = nullptr;  // no part is left for those who come now
    if (--shared.helpers == 0) changed_.notify_all();
  }

  struct Resume {  // also when the work fails
    Safepoint& safepoint;
    ~Resume() {
      const std::lock_guard lock(safepoint.mutex_);
      safepoint.attention_.store(0, std::memory_order_relaxed);
      safepoint.pausing_ = false;
      ++safepoint.active_;
      safepoint.changed_.notify_all();
    }
  };

  std::atomic<unsigned> attention_{0};
  std::mutex mutex_;
  std::condition_variable changed_;
  int active_ = 0;
  bool pausing_ = false;
  Shared* shared_ = nullptr;
};

}  // namespace mpisog::mdd
