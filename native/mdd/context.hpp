// What one working thread owns: its part of the arena, the stacks of intermediate results, its
// tasks.
#pragma once

#include <algorithm>
#include <cstring>

#include "memory.hpp"
#include "node_store.hpp"
#include "op_cache.hpp"
#include "roots.hpp"
#include "safepoint.hpp"
#include "tasks.hpp"

namespace mpisog::mdd {

class Core;

// A stack of numbers that never moves, so that other threads can be given the address of a slot.
class NumberStack {
 public:
  explicit NumberStack(std::size_t budget)
      : memory_(std::clamp(budget, kLeastBytes, kMostBytes)),
        base_(memory_.as<std::uint32_t>()),
        capacity_(memory_.bytes() / sizeof(std::uint32_t)) {}
  std::uint32_t* top() const { return base_ + size_; }
  std::uint32_t* base() const { return base_; }
  std::size_t size() const { return size_; }
  std::uint32_t* push(std::size_t count) {
    std::uint32_t* slots = top();
    if (count > capacity_ - size_) throw OutOfMemory("the stack of intermediate results is full");
    size_ += count;
    return slots;
  }
  void pop_to(std::size_t size) { size_ = size; }

 private:
  static constexpr std::size_t kLeastBytes = std::size_t{1} << 20;
  static constexpr std::size_t kMostBytes = std::size_t{1} << 30;
  Reservation memory_;
  std::uint32_t* base_;
  std::size_t capacity_;
  std::size_t size_ = 0;
};

struct alignas(128) Context {
  explicit Context(Core& owner);

  Core& core;
  NodeStore& store;
  OpCache& cache;
  Safepoint& safepoint;
  bool parallel;

  NumberStack roots;    // nodes that intermediate results need: collections keep them
  NumberStack scratch;  // other numbers
  Roots handles;        // nodes that sets outside of operations name
  Region region;
  TaskDeque tasks;
  Operation* operation = nullptr;

  // Called when a computation starts that is not in the cache, with all nodes it needs on the roots
  // stack.
  void poll() {
    if (safepoint.needs_attention() || --polls_left_ == 0) poll_slowly();
  }
  // Called now and then by long walks that make no nodes; they may end with Cancelled.
  void look() {
    if (--looks_left_ == 0) look_slowly();
  }
  bool recall(Op op, std::uint32_t x, std::uint32_t y, NodeId& result) const {
    return cache.find(op, x, y, result);
  }
  void remember(Op op, std::uint32_t x, std::uint32_t y, NodeId result) {
    cache.store(op, x, y, result);
    if (++fresh_entries_ == kFlush) flush_entries();
  }
  NodeId make(const Value* values, const NodeId* children, std::uint32_t size) {
    if (size == 0) return kEmpty;
    bool is_new = false;
    const NodeId id = store.intern(region, values, children, size, is_new);
    if (is_new && ++fresh_nodes_ == kFlush) flush_nodes();
    return id;
  }
  void flush() {
    flush_nodes();
    flush_entries();
  }
  NodeId make_single(Value value, NodeId child) { return make(&value, &child, 1); }

 private:
  static constexpr unsigned kFlush = 64;
  static constexpr unsigned kLooks = 4096;
  void poll_slowly();
  void look_slowly();
  void flush_nodes();
  void flush_entries();

  unsigned polls_left_ = kComputationsBetweenPolls;
  unsigned looks_left_ = kLooks;
  unsigned fresh_nodes_ = 0;
  unsigned fresh_entries_ = 0;
};

// Keeps nodes alive while a computation needs them.
class Keep {
 public:
  Keep(Context& context, NodeId a) : context_(context), mark_(context.roots.size()) {
    *context.roots.push(1) = a;
  }
  Keep(Context& context, NodeId a, NodeId b) : context_(context), mark_(context.roots.size()) {
    std::uint32_t* slots = context.roots.push(2);
    slots[0] = a;
    slots[1] = b;
  }
  ~Keep() { context_.roots.pop_to(mark_); }
  Keep(const Keep&) = delete;
  Keep& operator=(const Keep&) = delete;
  void replace(NodeId a) { context_.roots.base()[mark_] = a; }

 private:
  Context& context_;
  std::size_t mark_;
};

// The edges of a node under construction, on the stacks of the thread. Only the topmost row may
// grow.
class Row {
 public:
  Row(Context& context, std::size_t capacity)
      : context_(context),
        roots_mark_(context.roots.size()),
        scratch_mark_(context.scratch.size()) {
    children = context.roots.push(capacity);
    values = context.scratch.push(capacity);
    // A collection looks at all slots: leftovers of earlier rows must not be there.
    std::memset(children, 0, capacity * sizeof(NodeId));
  }
  ~Row() {
    context_.roots.pop_to(roots_mark_);
    context_.scratch.pop_to(scratch_mark_);
  }
  Row(const Row&) = delete;
  Row& operator=(const Row&) = delete;

  void push(Value value, NodeId child) {
    values[size] = value;
    children[size++] = child;
  }
  void drop_empty() {
    std::uint32_t kept = 0;
    for (std::uint32_t i = 0; i < size; ++i) {
      if (children[i] == kEmpty) continue;
      children[kept] = children[i];
      values[kept++] = values[i];
    }
    size = kept;
  }
  NodeId make() const { return context_.make(values, children, size); }

  NodeId* children;
  Value* values;
  std::uint32_t size = 0;

 private:
  Context& context_;
  std::size_t roots_mark_, scratch_mark_;
};

}  // namespace mpisog::mdd
