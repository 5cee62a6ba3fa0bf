// Events that wait, least local configurations first, and a table of those that were reached.
//
// What is added behind an event is larger, so all events of one size are known when their turn
// comes. Only those of equal marks need be compared further: others do not decide about each other.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

#include "unfolding/process.hpp"

namespace mpisog::unfolding {

class Queue {
 public:
  explicit Queue(Process& process) : process_(process) {}
  Queue(const Queue&) = delete;
  Queue& operator=(const Queue&) = delete;
  ~Queue() { process_.limits().release(reserved_); }

  // `key` is the same for equal marks.
  void push(std::uint32_t event, std::uint64_t key);
  // Goes through all that is waiting and will be. `cut(event, key)` decides whether nothing is to
  // be built behind an event, given those that were grown so far; if not, `grow(event, key)` comes.
  template <class Cut, class Grow>
  void run(Cut&& cut, Grow&& grow);

 private:
  struct Waiting {
    std::uint64_t key;
    std::uint32_t event;
    bool operator<(const Waiting& other) const {
      return key != other.key ? key < other.key : event < other.event;
    }
  };
  using Waitings = std::vector<Waiting>;

  Process& process_;
  std::map<std::uint32_t, Waitings> by_size_;
  std::size_t reserved_ = 0;
};

inline void Queue::push(std::uint32_t event, std::uint64_t key) {
  Waitings& list = by_size_[process_.events[event].size];
  if (list.size() == list.capacity()) {
    const std::size_t more = std::max<std::size_t>(16, list.size());
    process_.limits().reserve((list.size() + more) * sizeof(Waiting));
    const std::size_t before = list.size() * sizeof(Waiting);
    list.reserve(list.size() + more);
    process_.limits().release(before);
    reserved_ += (list.capacity() * sizeof(Waiting)) - before;
  }
  list.push_back({key, event});
  ++process_.figures.queued;
}

template <class Cut, class Grow>
void Queue::run(Cut&& cut, Grow&& grow) {
  while (!by_size_.empty()) {
    Waitings now = std::move(by_size_.begin()->second);
    by_size_.erase(by_size_.begin());
    // There may be tens of millions of them: the budget is asked in between.
    std::sort(now.begin(), now.end(), [&](const Waiting& a, const Waiting& b) {
      process_.limits().work(1, process_.figures);
      return a < b;
    });
    for (auto begin = now.begin(); begin != now.end();) {
      const std::uint64_t key = begin->key;
      auto end = std::find_if(begin, now.end(), [&](const Waiting& w) { return w.key != key; });
      process_.figures.queued -= static_cast<std::size_t>(end - begin);
      const auto left = std::remove_if(
          begin, end, [&](const Waiting& waiting) { return cut(waiting.event, key); });
      if (left - begin > 1)
        std::sort(begin, left, [&](const Waiting& a, const Waiting& b) {
          return process_.precedes(a.event, b.event);
        });
      for (auto waiting = begin; waiting != left; ++waiting)
        if (waiting == begin || !cut(waiting->event, key)) grow(waiting->event, key);
      begin = end;
    }
    const std::size_t bytes = now.capacity() * sizeof(Waiting);
    process_.limits().release(bytes);
    reserved_ -= bytes;
  }
}

// Grown events by the key of their mark.
class MarkTable {
 public:
  explicit MarkTable(Process& process) : process_(process) {}
  MarkTable(const MarkTable&) = delete;
  MarkTable& operator=(const MarkTable&) = delete;
  ~MarkTable() { process_.limits().release(heads_.size() * sizeof(std::uint32_t)); }

  void insert(std::uint32_t event, std::uint64_t key) {
    if (++count_ > heads_.size()) resize(std::max<std::size_t>(64, 2 * heads_.size()));
    link(event, key);
  }

  template <class Visit>
  void visit(std::uint64_t key, Visit&& visitor) const {
    if (heads_.empty()) return;
    for (std::uint32_t e = heads_[key & (heads_.size() - 1)]; e != kNone;
         e = process_.events[e].next_alike)
      if (process_.events[e].key == key) visitor(e);
  }

 private:
  void link(std::uint32_t event, std::uint64_t key) {
    std::uint32_t& head = heads_[key & (heads_.size() - 1)];
    process_.events[event].next_alike = head;
    process_.events[event].key = key;
    head = event;
  }
  void resize(std::size_t size) {
    process_.limits().reserve(size * sizeof(std::uint32_t));
    process_.limits().release(heads_.size() * sizeof(std::uint32_t));
    std::vector<std::uint32_t> before(size, kNone);
    before.swap(heads_);
    for (std::uint32_t e : before)
      while (e != kNone) {
        const std::uint32_t next = process_.events[e].next_alike;
        link(e, process_.events[e].key);
        e = next;
      }
  }

  Process& process_;
  std::vector<std::uint32_t> heads_;
  std::size_t count_ = 0;
};

}  // namespace mpisog::unfolding
