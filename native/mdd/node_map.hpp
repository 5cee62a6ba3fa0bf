// Values by node: a hash table for short-lived or rebuilt knowledge, without removal.
#pragma once

#include <cstdint>
#include <vector>

#include "memory.hpp"
#include "op_cache.hpp"
#include "types.hpp"

namespace mpisog::mdd {

template <class Value>
class NodeMap {
 public:
  // Null when the node has no value yet; valid until the next add.
  Value* find(NodeId node) {
    Slot& slot = slots_[slot_of(node)];
    return slot.node == node ? &slot.value : nullptr;
  }
  const Value* find(NodeId node) const { return const_cast<NodeMap*>(this)->find(node); }

  // Lookups of many nodes wait for memory mostly: asking in advance overlaps the waiting.
  void prefetch(NodeId node) const {
    __builtin_prefetch(&slots_[mix(node, 1) & (slots_.size() - 1)]);
  }

  // The node must not have a value.
  void add(NodeId node, const Value& value) {
    slots_[slot_of(node)] = {node, value};
    if (++used_ > slots_.size() / 4 * 3) grow();
  }
  std::size_t bytes() const { return slots_.size() * sizeof(Slot); }
  void clear() {
    slots_.assign(kFirstSlots, {});
    used_ = 0;
  }

 private:
  static constexpr std::size_t kFirstSlots = 64;
  struct Slot {
    NodeId node = kEmpty;
    Value value{};
  };
  std::size_t slot_of(NodeId node) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t slot = mix(node, 1) & mask;
    while (slots_[slot].node != kEmpty && slots_[slot].node != node) slot = (slot + 1) & mask;
    return slot;
  }
  using Slots = std::vector<Slot, PageAllocator<Slot>>;
  void grow() {
    Slots old(slots_.size() * 2);
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (slot.node != kEmpty) slots_[slot_of(slot.node)] = slot;
    }
  }

  Slots slots_ = Slots(kFirstSlots);
  std::size_t used_ = 0;
};

}  // namespace mpisog::mdd
