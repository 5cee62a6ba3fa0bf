#include "team/pool.hpp"

#include <algorithm>
#include <new>

#include "mdd/types.hpp"

namespace mpisog::team {

namespace {

bool is_full(const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const mdd::OutOfMemory&) {
    return true;
  } catch (const std::bad_alloc&) {
    return true;
  } catch (...) {
    return false;
  }
}

}  // namespace

Pool::Pool(sog::Builder& sets, Builder::Settings settings, unsigned threads,
           std::function<void()> cancel)
    : builder_(sets, std::move(settings)), cancel_(std::move(cancel)), mutex_(builder_.mutex()) {
  figures_.busy.resize(std::max(1U, threads));
  try {
    for (unsigned i = 0; i < threads; ++i) threads_.emplace_back([this, i] { run(i); });
  } catch (...) {
    end();
    throw;
  }
}

void Pool::end() noexcept {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
    builder_.tasks.clear();
  }
  work_.notify_all();
  if (!threads_.empty() && cancel_) cancel_();
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
}

std::size_t Pool::receive(Rank source, std::string_view messages) {
  const std::lock_guard lock(mutex_);
  const std::size_t count = builder_.receive(source, messages);
  tell(0);
  return count;
}

std::vector<Outbox::Packet> Pool::outgoing() {
  const std::lock_guard lock(mutex_);
  return builder_.outbox.take();
}

void Pool::wait(std::chrono::duration<double> most) {
  Lock lock(mutex_);
  if (builder_.outbox.empty() && !failure_) news_.wait_for(lock, most);
}

bool Pool::work() {
  {
    Lock lock(mutex_);
    if (const std::shared_ptr<Task> task = take()) {
      perform(*task, 0, lock);
      return true;
    }
  }
  look_for_work();
  return false;
}

void Pool::look_for_work() {
  const std::lock_guard lock(mutex_);
  const bool has_some = builder_.tasks.waiting() > 0 || working_ == figures_.busy.size();
  if (!has_some && !ended_ && !failure_) builder_.steal();
}

void Pool::run(std::size_t thread) {
  Lock lock(mutex_);
  while (!ended_) {
    if (const std::shared_ptr<Task> task = take()) {
      perform(*task, thread, lock);
    } else {
      ++idle_;
      work_.wait(lock);
      --idle_;
    }
  }
}

std::shared_ptr<Task> Pool::take() {
  if (ended_ || failure_) return nullptr;
  std::shared_ptr<Task> task = builder_.tasks.take();
  if (task) ++working_;
  return task;
}

// Others may have the lock while the task computes.
void Pool::perform(Task& task, std::size_t thread, Lock& lock) {
  const auto started = std::chrono::steady_clock::now();
  lock.unlock();
  std::exception_ptr failure;
  try {
    builder_.compute(task);
  } catch (...) {
    failure = std::current_exception();
  }
  lock.lock();
  --working_;
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - started;
  figures_.busy[thread] += took.count();
  figures_.seconds[static_cast<std::size_t>(task.kind)] += took.count();
  if (ended_) return;
  try {
    if (!failure)
      builder_.finish(task);
    else if (!is_full(failure) || !builder_.relieve(task))
      std::rethrow_exception(failure);
  } catch (...) {
    if (!failure_) failure_ = std::current_exception();
  }
  tell(1);  // who has finished a task takes the next one
}

// Wakes those for whom there is something now.
void Pool::tell(std::size_t taken) {
  const std::size_t waiting = builder_.tasks.waiting();
  for (std::size_t i = 0; i < idle_ && i + taken < waiting; ++i) work_.notify_one();
  if (builder_.outbox.urgent() || failure_) news_.notify_one();
}

std::exception_ptr Pool::failure() {
  const std::lock_guard lock(mutex_);
  return failure_;
}

std::size_t Pool::waiting() {
  const std::lock_guard lock(mutex_);
  return builder_.tasks.waiting();
}

Pool::Figures Pool::figures() {
  const std::lock_guard lock(mutex_);
  Figures found = figures_;
  found.built = builder_.built;
  found.held = builder_.held();
  found.edges = builder_.edges;
  found.asked = builder_.asked;
  found.waiting = builder_.tasks.waiting();
  found.table_bytes = builder_.table_bytes();
  found.message_bytes = builder_.outbox.bytes();
  return found;
}

}  // namespace mpisog::team
