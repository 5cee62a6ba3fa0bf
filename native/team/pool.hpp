// A builder with its threads, under one lock (mpisog/team/pool.py).
#pragma once

#include <array>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <thread>

#include "team/builder.hpp"

namespace mpisog::team {

// Threads that do a builder's tasks; with none, `work` does one in the caller's. The first
// exception of a thread is kept, and no more work is done after it.
class Pool {
 public:
  struct Figures {
    std::uint64_t built = 0, held = 0, edges = 0, asked = 0, waiting = 0;
    std::size_t table_bytes = 0, message_bytes = 0;
    std::array<double, 4> seconds{};  // by kind of task
    std::vector<double> busy;         // seconds by thread
  };

  // `cancel` makes what is being computed end soon.
  Pool(sog::Builder& sets, Builder::Settings settings, unsigned threads,
       std::function<void()> cancel);
  ~Pool() { end(); }
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  std::size_t receive(Rank source, std::string_view messages);
  std::vector<Outbox::Packet> outgoing();
  // Until there is something to send or to know, but no longer than that. What was not asked for
  // wakes no thread: it is sent when there is nothing else to wait for.
  void wait(std::chrono::duration<double> most);
  // Do one task here; when there is none, look for work elsewhere.
  bool work();
  // Ask another rank for some, if a thread has none.
  void look_for_work();
  void end() noexcept;
  [[nodiscard]] std::exception_ptr failure();
  [[nodiscard]] std::size_t waiting();
  [[nodiscard]] Figures figures();

 private:
  using Lock = std::unique_lock<std::mutex>;
  void run(std::size_t thread);
  std::shared_ptr<Task> take();
  void perform(Task& task, std::size_t thread, Lock& lock);
  void tell(std::size_t taken);

  Builder builder_;
  std::function<void()> cancel_;
  std::mutex& mutex_;
  std::condition_variable work_, news_;
  std::exception_ptr failure_;
  bool ended_ = false;
  std::size_t working_ = 0, idle_ = 0;
  Figures figures_;
  std::vector<std::thread> threads_;
};

}  // namespace mpisog::team
