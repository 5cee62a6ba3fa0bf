#include "traversal.hpp"

namespace mpisog::mdd {

Traversal::Traversal(Context& context, NodeId root) {
  struct Frame {
    NodeId node;
    std::uint32_t next;
  };
  std::vector<Frame> stack;
  if (root > kTrue && add_pending(root)) stack.push_back({root, 0});
  while (!stack.empty()) {
    context.look();
    Frame& frame = stack.back();
    const NodeView node = context.store.view(frame.node);
    NodeId child = kEmpty;
    while (frame.next < node.size && child == kEmpty) {
      child = node.child(frame.next++);
      if (child <= kTrue || !add_pending(child)) child = kEmpty;
    }
    if (child != kEmpty) {
      stack.push_back({child, 0});
      continue;
    }
    *indices_.find(frame.node) = static_cast<std::uint32_t>(nodes_.size());
    nodes_.push_back(frame.node);
    levels_.push_back(static_cast<Level>(stack.size() - 1));
    stack.pop_back();
  }
}

bool Traversal::add_pending(NodeId node) {
  if (indices_.find(node) != nullptr) return false;
  indices_.add(node, 0);
  return true;
}

std::vector<std::vector<std::uint32_t>> Traversal::by_level(Level levels) const {
  std::vector<std::vector<std::uint32_t>> result(levels);
  for (std::size_t i = 0; i < size(); ++i)
    result[levels_[i]].push_back(static_cast<std::uint32_t>(i));
  return result;
}

}  // namespace mpisog::mdd
