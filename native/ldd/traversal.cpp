#include "traversal.hpp"

#include "op_cache.hpp"

namespace mpisog::ldd {

Traversal::Traversal(const NodeStore& store, NodeId root) : table_(64) {
  struct Frame {
    NodeId node;
    std::uint32_t next;
  };
  std::vector<Frame> stack;
  if (root > kTrue && add_pending(root)) stack.push_back({root, 0});
  while (!stack.empty()) {
    Frame& frame = stack.back();
    const NodeView node = store.view(frame.node);
    NodeId child = kEmpty;
    while (frame.next < node.size && child == kEmpty) {
      child = node.child(frame.next++);
      if (child <= kTrue || !add_pending(child)) child = kEmpty;
    }
    if (child != kEmpty) {
      stack.push_back({child, 0});
      continue;
    }
    table_[slot_of(frame.node)].index = static_cast<std::uint32_t>(nodes_.size());
    nodes_.push_back(frame.node);
    levels_.push_back(static_cast<Level>(stack.size() - 1));
    stack.pop_back();
  }
}

std::size_t Traversal::slot_of(NodeId node) const {
  const std::size_t mask = table_.size() - 1;
  std::size_t slot = mix(node, 1) & mask;
  while (table_[slot].node != kEmpty && table_[slot].node != node) slot = (slot + 1) & mask;
  return slot;
}

bool Traversal::add_pending(NodeId node) {
  const std::size_t slot = slot_of(node);
  if (table_[slot].node != kEmpty) return false;
  table_[slot].node = node;
  if (++used_ * 2 > table_.size()) grow();
  return true;
}

void Traversal::grow() {
  std::vector<Slot> old(table_.size() * 2);
  old.swap(table_);
  for (const Slot& slot : old) {
    if (slot.node != kEmpty) table_[slot_of(slot.node)] = slot;
  }
}

std::vector<std::vector<std::uint32_t>> Traversal::by_level(Level levels) const {
  std::vector<std::vector<std::uint32_t>> result(levels);
  for (std::size_t i = 0; i < size(); ++i)
    result[levels_[i]].push_back(static_cast<std::uint32_t>(i));
  return result;
}

}  // namespace mpisog::ldd
