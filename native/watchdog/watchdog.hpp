// The last resort when a limit or a signal has passed and nothing has stopped: a thread that says
// what is known and ends the process.
//
// It needs nothing of the rest of the process: what it says was prepared beforehand, it takes no
// lock that others hold for long, and it ends the process without running destructors.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace mpisog::watchdog {

// Where prepared bytes go: to a file that is written anew, or to a descriptor when there is no
// path.
struct Output {
  int descriptor = -1;
  std::string path;
  std::string bytes;
};

struct LastWords {
  std::vector<Output> outputs;
  int exit_code = 0;
};

using Clock = std::chrono::steady_clock;

class Watchdog {
 public:
  // `grace`: how long after a limit or a signal the work may go on. A byte that can be read from
  // `signals` means that a signal has come.
  Watchdog(std::chrono::milliseconds grace, int signals);
  ~Watchdog();
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

  // From now on: at most `seconds` and the grace, at most `memory` bytes resident and a little more
  // (0: any). What held before no longer does; a signal that has come still counts.
  void expect(std::optional<double> seconds, std::size_t memory, LastWords words);

 private:
  void budget();
  bool signal_came();
  bool too_late(Clock::time_point now) const;
  [[noreturn]] void end_process();

  const std::chrono::milliseconds grace_;
  const int signals_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<Clock::time_point> deadline_;
  std::optional<Clock::time_point> signalled_;
  std::size_t memory_ = 0;
  LastWords words_;
  bool ending_ = false;
  std::thread thread_;
};

}  // namespace mpisog::watchdog
