// Work stealing. A thread pushes the parts of a computation as tasks and pops them again in reverse
// order; a thread without work takes the oldest task of another one. Tasks are private to their
// owner until somebody asks for work, so that the usual push and pop need no synchronisation.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>

#include "types.hpp"

namespace mpisog::mdd {

struct Context;

// One call of the public interface, shared by all threads that help with it.
class Operation {
 public:
  void fail(std::exception_ptr reason) {
    const std::lock_guard lock(mutex_);
    if (!reason_) reason_ = std::move(reason);
    failed_.store(true, std::memory_order_release);
  }
  bool failed() const { return failed_.load(std::memory_order_acquire); }
  void abandon() { failed_.store(true, std::memory_order_release); }
  void rethrow() {
    const std::lock_guard lock(mutex_);
    if (reason_) std::rethrow_exception(reason_);
    throw Cancelled();
  }

 private:
  std::atomic<bool> failed_{false};
  std::mutex mutex_;
  std::exception_ptr reason_;
};

struct Task {
  using Function = NodeId (*)(Context&, const Task&);
  Function run = nullptr;
  const void* object = nullptr;
  std::uint32_t a = 0, b = 0, c = 0;
  NodeId* result = nullptr;
  Operation* operation = nullptr;
  Context* thief = nullptr;
  std::atomic<bool> done{false};
};

class TaskDeque {
 public:
  TaskDeque();
  ~TaskDeque();

  // Owner only. False: no room, the caller runs the task itself.
  bool push(Task::Function run, const void* object, std::uint32_t a, std::uint32_t b,
            std::uint32_t c, NodeId* result, Operation* operation);
  // Owner only. The task pushed last, if nobody has taken it; it is then removed. Null: it was
  // stolen.
  Task* pop();
  // Owner only. After pop returned null: the stolen task, and its removal once it is done.
  Task& stolen() { return tasks_[tail_ - 1]; }
  void drop_stolen();

  Task* steal(Context& thief);  // any other thread; null when there is nothing to take

 private:
  static constexpr std::uint32_t kCapacity = 1 << 14;
  void share();

  std::unique_ptr<Task[]> tasks_;
  std::uint32_t tail_ = 0;   // owner only
  std::uint32_t split_ = 0;  // written by the owner under the mutex: tasks below are for all
  std::uint32_t head_ = 0;   // under the mutex: tasks below are stolen
  std::atomic<bool> wanted_{false};
  std::mutex mutex_;
};

// Pushes tasks and waits for all of them, in reverse order, also when a computation fails.
class TaskScope {
 public:
  explicit TaskScope(Context& context) : context_(context) {}
  ~TaskScope();
  TaskScope(const TaskScope&) = delete;
  TaskScope& operator=(const TaskScope&) = delete;

  void spawn(Task::Function run, const void* object, std::uint32_t a, std::uint32_t b,
             std::uint32_t c, NodeId* result);
  void wait();

 private:
  void wait_for_thief();

  Context& context_;
  std::uint32_t open_ = 0;
};

}  // namespace mpisog::mdd
