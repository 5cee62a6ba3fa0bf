// The edges of a node while it is being closed.
#pragma once

#include <algorithm>
#include <cstring>

#include "context.hpp"
#include "operations.hpp"
#include "relation.hpp"

namespace mpisog::mdd {

// Edges of a node that is being closed. A bit for each event group tells which edges have changed
// since the group was fired on them. There is room at both ends because firing extends the range of
// values either way.
class GrowingRow {
 public:
  GrowingRow(Context& context, std::uint32_t expected)
      : context_(context),
        roots_mark_(context.roots.size()),
        scratch_mark_(context.scratch.size()) {
    allocate(expected + 2 * kSlack);
    begin_ = kSlack;
  }
  ~GrowingRow() {
    context_.roots.pop_to(roots_mark_);
    context_.scratch.pop_to(scratch_mark_);
  }
  GrowingRow(const GrowingRow&) = delete;
  GrowingRow& operator=(const GrowingRow&) = delete;

  std::uint32_t size() const { return size_; }
  Value value(std::uint32_t i) const { return values_[begin_ + i]; }
  NodeId& child(std::uint32_t i) { return children_[begin_ + i]; }
  std::uint32_t& pending(std::uint32_t i) { return pending_[begin_ + i]; }

  void push(Value value, NodeId child, std::uint32_t pending) {
    place(size_, value, child, pending);
  }

  void place(std::uint32_t position, Value value, NodeId child, std::uint32_t pending) {
    if (begin_ == 0 || begin_ + size_ == capacity_) enlarge();
    if (position == 0) {
      --begin_;
    } else {
      move_up(position);
    }
    const std::uint32_t at = begin_ + position;
    values_[at] = value;
    children_[at] = child;
    pending_[at] = pending;
    ++size_;
  }

  // Adds what a firing leads to from edge i, to be fired on if it is new; returns where that edge
  // is afterwards: a new edge in front of it moves it.
  std::uint32_t absorb(std::uint32_t i, Value target, std::int64_t delta, NodeId fired,
                       std::uint32_t pending) {
    const std::uint32_t position = find(target, std::int64_t{i} + delta);
    if (!holds(position, target)) {
      place(position, target, fired, pending);
      return position <= i ? i + 1 : i;
    }
    const NodeId merged = unite(context_, child(position), fired);
    if (merged != child(position)) {
      child(position) = merged;
      this->pending(position) = pending;
    }
    return i;
  }

  // Visits the edges in one direction; the visitor keeps its index where the edge is afterwards.
  template <class Visit>
  void sweep(bool upwards, const Visit& visit) {
    if (upwards) {
      for (std::uint32_t i = 0; i < size_; ++i) visit(i);
      return;
    }
    for (std::uint32_t i = size_; i > 0; --i) {
      std::uint32_t at = i - 1;
      visit(at);
      i = at + 1;
    }
  }
  void drop_empty() {
    std::uint32_t kept = begin_;
    for (std::uint32_t i = begin_; i < begin_ + size_; ++i) {
      if (children_[i] == kEmpty) continue;
      children_[kept] = children_[i];
      pending_[kept] = pending_[i];
      values_[kept++] = values_[i];
    }
    std::fill(children_ + kept, children_ + begin_ + size_, kEmpty);
    size_ = kept - begin_;
  }
  NodeId make() const { return context_.make(values_ + begin_, children_ + begin_, size_); }

 private:
  static constexpr std::uint32_t kSlack = 4;

  // Position of the value, or where it belongs; the guess is right for most firings.
  std::uint32_t find(Value value, std::int64_t guess) const {
    const Value* const first = values_ + begin_;
    if (guess >= 0 && guess < size_ && first[guess] == value)
      return static_cast<std::uint32_t>(guess);
    if (size_ > 0 && value > first[size_ - 1]) return size_;
    return static_cast<std::uint32_t>(std::lower_bound(first, first + size_, value) - first);
  }
  bool holds(std::uint32_t position, Value value) const {
    return position < size_ && values_[begin_ + position] == value;
  }

  void allocate(std::uint32_t capacity) {
    capacity_ = capacity;
    children_ = context_.roots.push(capacity);
    std::memset(children_, 0, capacity * sizeof(NodeId));
    values_ = context_.scratch.push(2 * std::size_t{capacity});
    pending_ = values_ + capacity;
  }
  void enlarge() {
    const NodeId* const children = children_ + begin_;
    const Value* const values = values_ + begin_;
    const std::uint32_t* const pending = pending_ + begin_;
    allocate(size_ + 2 * (size_ / 2 + kSlack));
    begin_ = size_ / 2 + kSlack;
    std::copy(children, children + size_, children_ + begin_);
    std::copy(values, values + size_, values_ + begin_);
    std::copy(pending, pending + size_, pending_ + begin_);
  }
  void move_up(std::uint32_t position) {
    const std::uint32_t at = begin_ + position;
    const std::uint32_t end = begin_ + size_;
    std::copy_backward(children_ + at, children_ + end, children_ + end + 1);
    std::copy_backward(values_ + at, values_ + end, values_ + end + 1);
    std::copy_backward(pending_ + at, pending_ + end, pending_ + end + 1);
  }

  Context& context_;
  std::size_t roots_mark_, scratch_mark_;
  NodeId* children_ = nullptr;
  Value* values_ = nullptr;
  std::uint32_t* pending_ = nullptr;
  std::uint32_t begin_ = 0;
  std::uint32_t size_ = 0;
  std::uint32_t capacity_ = 0;
};

// One bit for each group of events of a level.
inline std::uint32_t all_pending(const Relation& relation, Level level) {
  const std::size_t groups = relation.groups(level).size();
  return groups >= 32 ? 0xFFFFFFFFU : (1U << groups) - 1;
}

}  // namespace mpisog::mdd
