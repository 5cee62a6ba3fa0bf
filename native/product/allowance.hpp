// The time that a piece of work may take, with a heartbeat that may end it sooner.
#pragma once

#include <chrono>

#include "petri/cancellation.hpp"

namespace mpisog::product {

class Allowance {
 public:
  Allowance(petri::CancellationToken& cancellation, double seconds)
      : cancellation_(cancellation),
        deadline_(Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                     std::chrono::duration<double>(seconds))) {}

  // Cheap enough for every expansion: the clock is read on one call in 16.
  bool spent() {
    if (spent_) return true;
    if (cancellation_.check([] { return petri::Progress{}; })) return spent_ = true;
    if ((++calls_ & 15U) != 0) return false;
    return spent_ = Clock::now() >= deadline_;
  }

 private:
  using Clock = std::chrono::steady_clock;

  petri::CancellationToken& cancellation_;
  Clock::time_point deadline_;
  std::uint32_t calls_ = 0;
  bool spent_ = false;
};

}  // namespace mpisog::product
