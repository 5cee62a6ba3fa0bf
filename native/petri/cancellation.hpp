// The heartbeat of long native work: progress goes out, the wish to stop comes in.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>

namespace mpisog::petri {

struct Progress {
  std::uint64_t states = 0;
  std::uint64_t edges = 0;
  std::uint64_t bytes = 0;
};

// Calls `poll` some twenty times a second; once it returns true, stopped() stays true.
class CancellationToken {
 public:
  using Poll = std::function<bool(const Progress&)>;

  explicit CancellationToken(Poll poll) : poll_(std::move(poll)) {}

  // Cheap enough for every expansion: the clock is read about once a millisecond, after as many
  // calls as the last ones have taken; on a large net that is every call.
  template <class MakeProgress>
  bool check(MakeProgress&& make_progress) {
    if (stopped_ || --calls_left_ != 0) return stopped_;
    return check_now(make_progress);
  }

  // The same after work that takes long by itself: the clock is read at once.
  template <class MakeProgress>
  bool check_now(MakeProgress&& make_progress) {
    if (stopped_) return true;
    const auto now = Clock::now();
    const auto taken = now - looked_;
    looked_ = now;
    if (taken > std::chrono::milliseconds(2))
      stride_ = std::max(stride_ / 4, 1U);
    else if (taken < std::chrono::milliseconds(1))
      stride_ = std::min(stride_ * 2, kMostCalls);
    calls_left_ = stride_;
    if (now - last_ < std::chrono::milliseconds(50)) return false;
    last_ = now;
    stopped_ = poll_ && poll_(make_progress());
    return stopped_;
  }

  void stop() noexcept { stopped_ = true; }
  [[nodiscard]] bool stopped() const noexcept { return stopped_; }

 private:
  using Clock = std::chrono::steady_clock;

  static constexpr std::uint32_t kMostCalls = 128;

  Poll poll_;
  Clock::time_point last_ = Clock::now();  // poll
  Clock::time_point looked_ = last_;       // at the clock
  std::uint32_t stride_ = 1;
  std::uint32_t calls_left_ = 1;
  bool stopped_ = false;
};

}  // namespace mpisog::petri
