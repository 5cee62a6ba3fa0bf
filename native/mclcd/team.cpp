#include "mclcd/team.hpp"

#include <thread>
#include <vector>

namespace mpisog::mclcd {

namespace {

constexpr auto kPollEvery = std::chrono::milliseconds(20);
constexpr unsigned kLooksBeforeSleep = 64;
constexpr auto kSleep = std::chrono::microseconds(50);

}  // namespace

void Team::run_on(unsigned threads, const Work& work) {
  stopped_ = stopped_ || (std::chrono::steady_clock::now() >= next_poll_ && poll());
  if (stopped_) throw Stopped();
  ending_.store(false);
  failure_ = nullptr;
  active_ = members_ = threads;
  waiting_ = 0;
  std::vector<std::thread> started;
  started.reserve(threads);
  try {
    for (unsigned worker = 0; worker < threads; ++worker)
      started.emplace_back([this, &work, worker] { take_part(work, worker); });
  } catch (...) {  // the system gives no more threads
    {
      const std::lock_guard lock(mutex_);
      active_ -= threads - static_cast<unsigned>(started.size());
      failure_ = std::current_exception();
    }
    end_phase();
  }
  {
    std::unique_lock lock(mutex_);
    budget(lock);
  }
  for (std::thread& thread : started) thread.join();
  if (failure_) std::rethrow_exception(failure_);
  if (stopped_) throw Stopped();
}

void Team::budget(std::unique_lock<std::mutex>& lock) {
  while (!finished_.wait_until(lock, next_poll_, [this] { return active_ == 0; })) {
    lock.unlock();
    const bool stop = poll();
    if (stop) end_phase();
    lock.lock();
    stopped_ = stopped_ || stop;
  }
}

bool Team::poll() {
  next_poll_ = std::chrono::steady_clock::now() + kPollEvery;
  return poll_ && poll_();
}

void Team::take_part(const Work& work, unsigned worker) noexcept {
  std::exception_ptr failure;
  try {
    work(worker);
  } catch (...) {
    failure = std::current_exception();
    end_phase();
  }
  const std::lock_guard lock(mutex_);
  if (failure && !failure_) failure_ = failure;
  if (--active_ == 0) finished_.notify_all();
}

void Team::end_phase() noexcept {
  ending_.store(true);
  const std::lock_guard lock(mutex_);  // no thread goes to sleep between looking and waiting
  met_.notify_all();
}

bool Team::meet(const std::function<void()>& alone) {
  std::unique_lock lock(mutex_);
  const std::uint64_t meeting = meetings_;
  if (++waiting_ == members_) {
    waiting_ = 0;
    if (alone && !ending()) {
      lock.unlock();  // all others wait; it may take long and must not hold up the budget
      try {
        alone();
      } catch (...) {
        lock.lock();
        ++meetings_;
        met_.notify_all();
        throw;
      }
      lock.lock();
    }
    ++meetings_;
    met_.notify_all();
  } else {
    met_.wait(lock, [&] { return meetings_ != meeting || ending(); });
  }
  return !ending();
}

void Quiet::rest(unsigned looks) {
  if (looks < kLooksBeforeSleep)
    std::this_thread::yield();
  else
    std::this_thread::sleep_for(kSleep);
}

}  // namespace mpisog::mclcd
