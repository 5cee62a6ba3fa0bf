#include "mclcd/stack.hpp"

#include <algorithm>
#include <utility>

namespace mpisog::mclcd {

namespace {

// Fewer than this are not worth the trouble of handing over.
constexpr std::uint32_t kWorthSharing = 16;

}  // namespace

WorkStack::~WorkStack() {
  // One by one: a chain that takes itself down recursively may be too long for the call stack.
  while (top_) put_away(std::exchange(top_, std::move(top_->below)));
  for (Link& block : shared_) put_away(std::move(block));
  if (spare_) account_.give_back(sizeof(Block));
}

WorkStack::Link WorkStack::make() {
  if (spare_) return std::move(spare_);
  account_.take(sizeof(Block));
  try {
    return std::make_unique_for_overwrite<Block>();
  } catch (...) {
    account_.give_back(sizeof(Block));
    throw;
  }
}

void WorkStack::put_away(Link block) {
  if (!spare_) {
    block->size = 0;
    spare_ = std::move(block);
  } else {
    account_.give_back(sizeof(Block));
  }
}

void WorkStack::put_on_top(Link block) {
  block->below = std::move(top_);
  top_ = std::move(block);
}

void WorkStack::push(StateId id) {
  if (!top_ || top_->size == top_->ids.size()) put_on_top(make());
  top_->ids[top_->size++] = id;
}

StateId WorkStack::pop() {
  while (top_ && top_->size == 0) {
    Link below = std::move(top_->below);
    put_away(std::exchange(top_, std::move(below)));
  }
  if (!top_) {
    Link block = take_shared();
    if (!block) return petri::kNoState;
    put_on_top(std::move(block));
  }
  return top_->ids[--top_->size];
}

void WorkStack::share() {
  if (has_shared() || !top_) return;
  Link block;
  if (top_->below) {
    block = std::move(top_->below);
    top_->below = std::move(block->below);
  } else if (top_->size >= kWorthSharing) {
    block = make();
    const std::uint32_t half = top_->size / 2;
    std::copy_n(top_->ids.begin(), half, block->ids.begin());
    std::copy(top_->ids.begin() + half, top_->ids.begin() + top_->size, top_->ids.begin());
    block->size = half;
    top_->size -= half;
  } else {
    return;
  }
  const std::lock_guard lock(mutex_);
  shared_.push_back(std::move(block));
  shared_count_.store(shared_.size(), std::memory_order_release);
}

WorkStack::Link WorkStack::take_shared() {
  if (!has_shared()) return {};
  const std::lock_guard lock(mutex_);
  if (shared_.empty()) return {};
  Link block = std::move(shared_.back());
  shared_.pop_back();
  shared_count_.store(shared_.size(), std::memory_order_release);
  return block;
}

bool WorkStack::steal_from(WorkStack& victim) {
  Link block = victim.take_shared();
  if (!block) return false;
  put_on_top(std::move(block));
  return true;
}

}  // namespace mpisog::mclcd
