// Threads that do the phases of one job together, and the caller that budgets over them.
//
// The caller does no work: it calls `poll` every few milliseconds, whatever the threads are doing,
// and that may end the job. A phase ends for all threads when it ends for each.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <stdexcept>

namespace mpisog::mclcd {

// The poll has ended the job.
class Stopped : public std::runtime_error {
 public:
  Stopped() : std::runtime_error("stopped") {}
};

class Team {
 public:
  using Poll = std::function<bool()>;
  using Work = std::function<void(unsigned worker)>;

  Team(unsigned threads, Poll poll) : threads_(threads), poll_(std::move(poll)) {}

  // Every thread does its part of a phase. Throws what a thread has thrown, and Stopped.
  void run(const Work& work) { run_on(threads_, work); }
  // One thread does all, and the caller budgets as before.
  void run_alone(const std::function<void()>& work) {
    run_on(1, [&](unsigned) { work(); });
  }

  [[nodiscard]] unsigned threads() const noexcept { return threads_; }

  // For the threads of a phase: it is to end at once. Cheap enough for every marking.
  [[nodiscard]] bool ending() const noexcept { return ending_.load(std::memory_order_relaxed); }
  void end_phase() noexcept;
  // Waits until all threads of the phase are here; the last one runs `alone` before they go on.
  // False when the phase is to end.
  bool meet(const std::function<void()>& alone = {});

 private:
  void run_on(unsigned threads, const Work& work);
  void take_part(const Work& work, unsigned worker) noexcept;
  void budget(std::unique_lock<std::mutex>& lock);
  [[nodiscard]] bool poll();

  const unsigned threads_;
  Poll poll_;
  // Phases may be shorter than the time between two polls, and many.
  std::chrono::steady_clock::time_point next_poll_ = std::chrono::steady_clock::now();
  std::atomic<bool> ending_ = false;
  bool stopped_ = false;

  std::mutex mutex_;
  std::condition_variable finished_;
  std::condition_variable met_;
  unsigned active_ = 0;   // threads that are still in the phase
  unsigned waiting_ = 0;  // of these, those in meet()
  std::uint64_t meetings_ = 0;
  unsigned members_ = 0;
  std::exception_ptr failure_;
};

// Tells when no thread has work and so none can come.
class Quiet {
 public:
  explicit Quiet(unsigned threads) : threads_(threads) {}

  // Before every phase but the first.
  void begin() noexcept { idle_.store(0); }
  // `work` does some and says whether there was any; `maybe_work` looks without taking any;
  // `pause` is called often. Ends when all threads are without work, or the phase ends.
  template <class DoWork, class MaybeWork, class Pause>
  void work(const Team& team, DoWork&& do_work, MaybeWork&& maybe_work, Pause&& pause) {
    while (!team.ending()) {
      pause();
      if (do_work()) continue;
      idle_.fetch_add(1);
      if (!wait(team, maybe_work, pause)) return;
    }
  }
  [[nodiscard]] bool somebody_idle() const noexcept {
    return idle_.load(std::memory_order_relaxed) != 0;
  }

 private:
  // True when there may be work again.
  template <class MaybeWork, class Pause>
  bool wait(const Team& team, MaybeWork&& maybe_work, Pause&& pause) {
    for (unsigned looks = 0;; ++looks) {
      if (team.ending() || idle_.load() == threads_) return false;
      pause();
      if (maybe_work()) {
        idle_.fetch_sub(1);
        return true;
      }
      rest(looks);
    }
  }
  static void rest(unsigned looks);

  const unsigned threads_;
  std::atomic<unsigned> idle_ = 0;
};

}  // namespace mpisog::mclcd
