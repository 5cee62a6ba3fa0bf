// Builds a graph as far as one formula asks for it, or ahead of that, with a pool of threads.
//
// The thread that pulls is one of them: what it needs and nobody has begun it does itself; while
// others do what it needs it takes further tasks. Tasks are done outside the one lock.
#pragma once

#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <thread>
#include <vector>

#include "sog/graph.hpp"

namespace mpisog::sog {

// What a label that repeats for ever means to the formula (mpisog/sog/stuttering.py).
struct Staying {
  bool matters = true;   // whether a run stays there must be known
  bool may_end = false;  // a run may be taken to stay without asking whether it can
};

class Explorer {
 public:
  struct Hooks {
    std::function<Staying(const Label&)> staying;
    std::function<bool()> stop;   // asked now and then, by the thread that pulls only
    std::function<void()> hurry;  // ends what other threads are doing: nobody needs it any more
  };
  struct Options {
    unsigned threads = 1;  // the one that pulls among them
    bool run_ahead = false;
  };

  // What its threads have done; the one that pulls comes first.
  struct Figures {
    std::uint64_t built = 0;             // from entry sets, aggregates known before among them
    double building = 0, expanding = 0;  // seconds
    std::vector<double> busy;            // seconds by thread
  };

  Explorer(Graph& graph, Hooks hooks, Options options);
  ~Explorer() { end(); }
  Explorer(const Explorer&) = delete;
  Explorer& operator=(const Explorer&) = delete;

  // Ends the other threads; what is asked for later is built by who asks.
  void end() noexcept;

  // All of these are for one thread, the one that pulls. They throw what building throws, in
  // whatever thread that was, or Stopped.
  Number initial();
  // The aggregates that follow when one is left in a mode, each once.
  std::vector<Number> targets(Number number, Mode mode);
  // The same if it is there already: never takes long.
  std::optional<std::vector<Number>> known_targets(Number number, Mode mode);
  // Of an aggregate that was given before: does not change.
  const Graph::Node& node(Number number);
  bool may_end(LabelId label);
  // For any thread.
  [[nodiscard]] Figures figures() const;

 private:
  enum class Kind : std::uint8_t { build, expand };
  struct Task {
    Kind kind;
    std::uint32_t number;  // of the entry set or the aggregate
  };
  using Lock = std::unique_lock<std::mutex>;

  void work(std::size_t thread);
  void run(Task task, std::size_t thread, Lock& lock);
  void run_here(Task task, Lock& lock);
  void build(std::uint32_t number, Lock& lock);
  void expand(Number number, Lock& lock);
  void finish(std::span<const Task> wanted, Lock& lock);
  void wait(Lock& lock);
  void ask_about(const Expansion& ways, Lock& lock);
  void ask_about(LabelId label, Lock& lock);
  void follow(Number number);
  const std::vector<Entry>& entered(Number number, Mode mode);
  std::uint32_t number_of(const Entry& entry);
  void put(Task task);
  std::optional<Task> take();
  Graph::Progress& progress(Task task);
  bool done(Task task);
  void wake(std::size_t tasks);
  void rethrow() const;

  Graph& graph_;
  Hooks hooks_;
  Options options_;
  std::uint32_t self_;                // its number among the graph's explorers
  std::mutex& mutex_;                 // the graph's: for its records and all that follows
  std::condition_variable work_;      // for threads without a task
  std::condition_variable progress_;  // for the thread that pulls
  std::vector<Task> urgent_, ahead_;  // stacks; what has begun meanwhile is passed over
  std::vector<std::optional<Staying>> staying_;  // by label
  std::size_t idle_ = 0, busy_ = 0;
  bool pulling_waits_ = false;
  bool ending_ = false;
  std::exception_ptr failure_;
  Figures figures_;
  std::vector<std::thread> threads_;
};

}  // namespace mpisog::sog
