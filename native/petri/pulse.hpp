// The heartbeat of long native work: progress goes out, the wish to stop comes in.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>

namespace mpisog::petri {

struct Progress {
  std::uint64_t states = 0;
  std::uint64_t edges = 0;
  std::uint64_t bytes = 0;
};

// Calls `beat` about ten times a second; once it returns true, stopped() stays true.
class Pulse {
 public:
  using Beat = std::function<bool(const Progress&)>;

  explicit Pulse(Beat beat) : beat_(std::move(beat)) {}

  // Cheap enough for every expansion: the clock is read on one call in 128.
  template <class MakeProgress>
  bool check(MakeProgress&& make_progress) {
    if (stopped_ || (++calls_ & 127U) != 0) return stopped_;
    const auto now = Clock::now();
    if (now - last_ < std::chrono::milliseconds(100)) return false;
    last_ = now;
    stopped_ = beat_ && beat_(make_progress());
    return stopped_;
  }

  void stop() noexcept { stopped_ = true; }
  [[nodiscard]] bool stopped() const noexcept { return stopped_; }

 private:
  using Clock = std::chrono::steady_clock;

  Beat beat_;
  Clock::time_point last_ = Clock::now();
  std::uint32_t calls_ = 0;
  bool stopped_ = false;
};

}  // namespace mpisog::petri
