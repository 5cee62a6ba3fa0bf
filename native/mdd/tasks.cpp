#include "tasks.hpp"

#include <thread>

#include "context.hpp"
#include "core.hpp"

namespace mpisog::mdd {

TaskDeque::TaskDeque() = default;
TaskDeque::~TaskDeque() = default;

bool TaskDeque::push(Task::Function run, const void* object, std::uint32_t a, std::uint32_t b,
                     std::uint32_t c, NodeId* result, Operation* operation) {
  if (!tasks_) tasks_ = std::make_unique<Task[]>(kCapacity);
  if (tail_ == kCapacity) return false;
  Task& task = tasks_[tail_++];
  task.run = run;
  task.object = object;
  task.a = a;
  task.b = b;
  task.c = c;
  task.result = result;
  task.operation = operation;
  task.done.store(false, std::memory_order_relaxed);
  if (wanted_.load(std::memory_order_relaxed)) share();
  return true;
}

void TaskDeque::share() {
  const std::lock_guard lock(mutex_);
  wanted_.store(false, std::memory_order_relaxed);
  if (head_ == split_) split_ += (tail_ - split_ + 1) / 2;
}

Task* TaskDeque::pop() {
  if (tail_ > split_) return &tasks_[--tail_];
  const std::lock_guard lock(mutex_);
  if (head_ == split_) return nullptr;
  --split_;
  return &tasks_[--tail_];
}

void TaskDeque::drop_stolen() {
  const std::lock_guard lock(mutex_);
  head_ = split_ = --tail_;
}

Task* TaskDeque::steal(Context& thief) {
  const std::lock_guard lock(mutex_);
  if (head_ == split_) {
    wanted_.store(true, std::memory_order_relaxed);
    return nullptr;
  }
  Task& task = tasks_[head_++];
  task.thief = &thief;
  return &task;
}

void TaskScope::spawn(Task::Function run, const void* object, std::uint32_t a, std::uint32_t b,
                      std::uint32_t c, NodeId* result) {
  if (context_.tasks.push(run, object, a, b, c, result, context_.operation)) {
    ++open_;
    return;
  }
  Task task;
  task.object = object;
  task.a = a;
  task.b = b;
  task.c = c;
  *result = run(context_, task);
}

void TaskScope::wait() {
  while (open_ > 0) {
    if (Task* task = context_.tasks.pop()) {
      --open_;
      const Task copy_of_arguments{task->run,    task->object, task->a, task->b, task->c,
                                   task->result, nullptr,      nullptr, {}};
      *copy_of_arguments.result = copy_of_arguments.run(context_, copy_of_arguments);
    } else {
      wait_for_thief();
      --open_;
      if (context_.operation->failed()) context_.operation->rethrow();
    }
  }
}

// Helps the thief meanwhile: its tasks are parts of the stolen one, so the stack stays as deep as
// the diagram.
void TaskScope::wait_for_thief() {
  Task& task = context_.tasks.stolen();
  unsigned idle = 0;
  while (!task.done.load(std::memory_order_acquire)) {
    if (context_.core.run_stolen_from(context_, task)) {
      idle = 0;
    } else if (++idle > 64) {
      std::this_thread::yield();
    }
    if (context_.safepoint.needs_attention()) context_.core.maintain();
  }
  context_.tasks.drop_stolen();
}

TaskScope::~TaskScope() {
  if (open_ == 0) return;
  context_.operation->abandon();  // only when unwinding: thieves need not finish
  for (; open_ > 0; --open_) {
    if (context_.tasks.pop() == nullptr) wait_for_thief();
  }
}

}  // namespace mpisog::mdd
