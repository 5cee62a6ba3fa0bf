// The kernel as Python holds it, and how Python stops it.
#pragma once

#include <nanobind/nanobind.h>

#include <atomic>
#include <chrono>
#include <memory>

#include "mdd/kernel.hpp"

namespace mpisog::bind {

namespace nb = nanobind;
namespace mdd = mpisog::mdd;

// True in threads that came from Python. Only they may ask Python whether to stop: a worker that
// waits for the GIL would make the others wait for it.
inline thread_local bool from_python = false;

// Asks a Python callback, about ten times a second, whether to stop; then running operations end.
class Supervisor {
 public:
  explicit Supervisor(nb::object callback) : callback_(std::move(callback)) {}

  bool stop() {
    if (!callback_.is_none() && from_python && due()) ask();
    return stopped_.load(std::memory_order_relaxed);
  }
  // Running operations end soon, until this is reset.
  void cancel() { stopped_.store(true, std::memory_order_relaxed); }
  void reset() { stopped_.store(false, std::memory_order_relaxed); }
  void budget(const mdd::Kernel& kernel) { kernel_ = &kernel; }

 private:
  using Clock = std::chrono::steady_clock;

  bool due() {
    const auto now = Clock::now().time_since_epoch().count();
    auto next = next_.load(std::memory_order_relaxed);
    const auto later = now + Clock::duration(std::chrono::milliseconds(100)).count();
    return now >= next && next_.compare_exchange_strong(next, later, std::memory_order_relaxed);
  }
  void ask() {
    const mdd::Statistics figures = kernel_->statistics();
    const nb::gil_scoped_acquire gil;
    try {
      if (nb::cast<bool>(callback_(figures.nodes, figures.computations)))
        stopped_.store(true, std::memory_order_relaxed);
    } catch (nb::python_error& error) {
      error.discard_as_unraisable("progress callback");
      stopped_.store(true, std::memory_order_relaxed);
    }
  }

  nb::object callback_;
  const mdd::Kernel* kernel_ = nullptr;
  std::atomic<bool> stopped_{false};
  std::atomic<Clock::rep> next_{0};
};

class Sets {
 public:
  Sets(mdd::Level levels, std::size_t memory, unsigned workers, nb::object callback)
      : supervisor_(std::make_shared<Supervisor>(std::move(callback))),
        kernel_({.levels = levels,
                 .memory_budget_bytes = memory,
                 .workers = workers,
                 .shared = true,
                 .cancel = [supervisor = supervisor_] { return supervisor->stop(); }}) {
    supervisor_->budget(kernel_);
  }

  // Runs an operation without the GIL.
  template <class Operation>
  auto run(Operation&& operation) {
    const nb::gil_scoped_release release;
    const struct Flag {
      Flag() { from_python = true; }
      ~Flag() { from_python = false; }
    } flag;
    return operation(kernel_);
  }
  mdd::Kernel& kernel() { return kernel_; }
  Supervisor& supervisor() { return *supervisor_; }

 private:
  std::shared_ptr<Supervisor> supervisor_;
  mdd::Kernel kernel_;
};

}  // namespace mpisog::bind
