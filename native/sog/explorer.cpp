#include "sog/explorer.hpp"

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <utility>

#include "sog/stopped.hpp"

namespace mpisog::sog {

namespace {
constexpr auto kBetweenLooks = std::chrono::milliseconds(50);
constexpr std::size_t kPulling = 0;  // the thread that pulls, among the figures
}  // namespace

Explorer::Explorer(Graph& graph, Hooks hooks, Options options)
    : graph_(graph),
      hooks_(std::move(hooks)),
      options_(options),
      self_(graph.new_explorer()),
      mutex_(graph.mutex()) {
  figures_.busy.resize(std::max(1U, options_.threads));
  try {
    for (unsigned i = 1; i < options_.threads; ++i) threads_.emplace_back([this, i] { work(i); });
  } catch (...) {
    end();
    throw;
  }
}

void Explorer::end() noexcept {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
    options_.run_ahead = false;
    urgent_.clear();
    ahead_.clear();
    if (busy_ > 0 && hooks_.hurry) hooks_.hurry();
  }
  work_.notify_all();
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
  self_ = graph_.new_explorer();  // what the threads began and did not finish is free again
}

// Threads
// -------------------------------------------------------------------------------------------------

void Explorer::work(std::size_t thread) {
  Lock lock(mutex_);
  while (!ending_ && !failure_) {
    if (const std::optional<Task> task = take()) {
      ++busy_;
      try {
        run(*task, thread, lock);
      } catch (...) {
        if (!failure_ && !ending_) failure_ = std::current_exception();
      }
      --busy_;
      if (pulling_waits_) progress_.notify_one();
    } else {
      ++idle_;
      work_.wait(lock);
      --idle_;
    }
  }
}

// Has the lock before and after, also when it throws.
void Explorer::run(Task task, std::size_t thread, Lock& lock) {
  progress(task).begun_by = self_;
  const auto started = std::chrono::steady_clock::now();
  try {
    task.kind == Kind::build ? build(task.number, lock) : expand(task.number, lock);
  } catch (...) {
    if (!lock.owns_lock()) lock.lock();
    throw;
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - started;
  figures_.busy[thread] += took.count();
  (task.kind == Kind::build ? figures_.building : figures_.expanding) += took.count();
  figures_.built += task.kind == Kind::build ? 1 : 0;
}

void Explorer::run_here(Task task, Lock& lock) {
  try {
    run(task, kPulling, lock);
  } catch (...) {
    failure_ = std::current_exception();
    throw;
  }
}

void Explorer::build(std::uint32_t number, Lock& lock) {
  Graph::EntryRecord& record = graph_.entry(number);
  lock.unlock();
  Built built = graph_.builder().build(record.entry, record.stuttering);
  lock.lock();
  record.number = graph_.identify(std::move(built));
  if (options_.run_ahead) put({Kind::expand, record.number});
}

void Explorer::expand(Number number, Lock& lock) {
  Graph::Node& node = graph_.node(number);
  if (!node.expanded) {
    lock.unlock();
    Expansion ways = graph_.builder().expand(node.built.aggregate);
    lock.lock();
    graph_.expanded(number, std::move(ways));
  }
  ask_about(node.ways, lock);
  node.followed_by = self_;
  if (options_.run_ahead) follow(number);
}

// Puts what is behind an aggregate on the stack.
void Explorer::follow(Number number) {
  for (const Way& way : graph_.node(number).ways)
    for (const Entry& entry : way.entries) put({Kind::build, number_of(entry)});
}

void Explorer::ask_about(const Expansion& ways, Lock& lock) {
  for (const Way& way : ways)
    for (const Entry& entry : way.entries) ask_about(entry.label, lock);
}

void Explorer::ask_about(LabelId label, Lock& lock) {
  if (label >= staying_.size()) staying_.resize(label + 1);
  if (staying_[label]) return;
  lock.unlock();
  const Staying found = hooks_.staying(graph_.builder().label(label));
  lock.lock();
  staying_[label] = found;
}

// Tasks
// -------------------------------------------------------------------------------------------------

Graph::Progress& Explorer::progress(Task task) {
  return task.kind == Kind::build ? graph_.entry(task.number).progress
                                  : graph_.node(task.number).progress;
}

bool Explorer::done(Task task) {
  return task.kind == Kind::build ? graph_.entry(task.number).number != kNoNumber
                                  : graph_.node(task.number).followed_by == self_;
}

void Explorer::put(Task task) {
  Graph::Progress& known = progress(task);
  if (known.queued_by == self_ || known.begun_by == self_ || done(task)) return;
  known.queued_by = self_;
  ahead_.push_back(task);
  wake(1);
}

std::optional<Explorer::Task> Explorer::take() {
  for (std::vector<Task>* stack : {&urgent_, &ahead_}) {
    while (!stack->empty()) {
      const Task task = stack->back();
      stack->pop_back();
      if (progress(task).begun_by != self_ && !done(task)) return task;
    }
  }
  return std::nullopt;
}

void Explorer::wake(std::size_t tasks) {
  for (std::size_t i = 0; i < std::min(tasks, idle_); ++i) work_.notify_one();
}

void Explorer::rethrow() const {
  if (failure_) std::rethrow_exception(failure_);
}

// The thread that pulls
// -------------------------------------------------------------------------------------------------

void Explorer::finish(std::span<const Task> wanted, Lock& lock) {
  const auto untouched = [this](Task task) {
    return progress(task).begun_by != self_ && !done(task);
  };
  if (!threads_.empty() && wanted.size() > 1) {  // this thread begins with the first
    for (auto task = wanted.rbegin(); task != wanted.rend() - 1; ++task)
      if (untouched(*task)) urgent_.push_back(*task);
    wake(urgent_.size());
  }
  for (const Task task : wanted) {
    rethrow();
    if (untouched(task)) {
      lock.unlock();
      const bool stop = hooks_.stop && hooks_.stop();
      lock.lock();
      if (stop) throw Stopped();
      if (untouched(task)) run_here(task, lock);
    }
  }
  for (const Task task : wanted) {
    rethrow();
    while (!done(task)) {
      const std::optional<Task> other = take();
      other ? run_here(*other, lock) : wait(lock);
      rethrow();
    }
  }
}

void Explorer::wait(Lock& lock) {
  pulling_waits_ = true;
  progress_.wait_for(lock, kBetweenLooks);
  pulling_waits_ = false;
  lock.unlock();
  const bool stop = hooks_.stop && hooks_.stop();
  lock.lock();
  if (stop) throw Stopped();
}

Number Explorer::initial() {
  Lock lock(mutex_);
  lock.unlock();
  const Entry entry = graph_.builder().initial();
  lock.lock();
  ask_about(entry.label, lock);
  const Task building{Kind::build, number_of(entry)};
  finish({&building, 1}, lock);
  return graph_.entry(building.number).number;
}

// Of a label that the formula was asked about.
std::uint32_t Explorer::number_of(const Entry& entry) {
  return graph_.enter(entry, staying_[entry.label]->matters);
}

const std::vector<Entry>& Explorer::entered(Number number, Mode mode) {
  const Expansion& ways = graph_.node(number).ways;
  const auto way =
      std::find_if(ways.begin(), ways.end(), [&](const Way& one) { return one.mode == mode; });
  if (way == ways.end()) throw std::invalid_argument("an aggregate cannot be left in that mode");
  return way->entries;
}

std::vector<Number> Explorer::targets(Number number, Mode mode) {
  Lock lock(mutex_);
  const Task expansion{Kind::expand, number};
  finish({&expansion, 1}, lock);
  std::vector<Task> missing;
  for (const Entry& entry : entered(number, mode))
    if (const Task building{Kind::build, number_of(entry)}; !done(building))
      missing.push_back(building);
  finish(missing, lock);
  lock.unlock();
  return *known_targets(number, mode);
}

std::optional<std::vector<Number>> Explorer::known_targets(Number number, Mode mode) {
  const Lock lock(mutex_);
  if (!done({Kind::expand, number})) return std::nullopt;
  const std::uint64_t listing = graph_.new_listing();
  std::vector<Number> found;
  for (const Entry& entry : entered(number, mode)) {
    const Number target = graph_.entry(number_of(entry)).number;
    if (target == kNoNumber) return std::nullopt;
    Graph::Node& node = graph_.node(target);
    if (std::exchange(node.listed_in, listing) != listing) found.push_back(target);
  }
  return found;
}

const Graph::Node& Explorer::node(Number number) {
  const Lock lock(mutex_);
  return graph_.node(number);
}

Explorer::Figures Explorer::figures() const {
  const Lock lock(mutex_);
  return figures_;
}

bool Explorer::may_end(LabelId label) {
  const Lock lock(mutex_);
  return label < staying_.size() && staying_[label] && staying_[label]->may_end;
}

}  // namespace mpisog::sog
