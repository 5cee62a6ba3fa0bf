// References to nodes from outside of operations: what they name survives collections.
//
// Every result that leaves an operation takes a slot of its own, which the copies of its handle
// count in. So nothing is looked up, and several slots may name one node.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <vector>

#include "memory/limit.hpp"
#include "types.hpp"

namespace mpisog::mdd {

struct Root {
  std::atomic<std::uint32_t> handles{0};  // 0: the slot is free
  NodeId node = kEmpty;

  // By any thread that has a handle, also while others collect garbage.
  void retain() { handles.fetch_add(1, std::memory_order_relaxed); }
  void release() { handles.fetch_sub(1, std::memory_order_release); }
};

// Slots of one context. Any thread may free one; only the owner of the context takes them, inside
// an operation, so that no collection comes in between.
class Roots {
 public:
  Root& take(NodeId node) {
    Root* root = next();
    while (root->handles.load(std::memory_order_acquire) != 0) root = next();
    root->node = node;
    root->handles.store(1, std::memory_order_relaxed);
    ++taken_;
    return *root;
  }

  // For collections. Handles may go meanwhile: then a node is kept for longer than need be.
  template <class Visit>
  void for_each(Visit visit) const {
    for (const Chunk& chunk : chunks_)
      for (std::size_t i = 0; i < chunk.size; ++i)
        if (chunk.slots[i].handles.load(std::memory_order_relaxed) != 0) visit(chunk.slots[i].node);
  }

 private:
  static constexpr std::size_t kFirstSlots = 512;
  struct Chunk {
    std::unique_ptr<Root[]> slots;
    std::size_t size;
  };

  Root* next() {
    if (at_ == end_) go_on();
    return at_++;
  }
  // Round after round; a round that has found few free slots is followed by a longer one.
  void go_on() {
    if (++chunk_ >= chunks_.size()) {
      if (2 * taken_ <= slots_) grow();
      taken_ = 0;
      chunk_ = 0;
    }
    at_ = chunks_[chunk_].slots.get();
    end_ = at_ + chunks_[chunk_].size;
  }
  void grow() {
    const std::size_t more = slots_ == 0 ? kFirstSlots : slots_;
    meter_.add(more * sizeof(Root));
    chunks_.push_back({std::make_unique<Root[]>(more), more});
    slots_ += more;
  }

  std::vector<Chunk> chunks_;
  std::size_t chunk_ = 0;
  Root* at_ = nullptr;
  Root* end_ = nullptr;
  std::size_t slots_ = 0, taken_ = 0;  // of all chunks; in this round
  memory::Meter meter_;
};

}  // namespace mpisog::mdd
