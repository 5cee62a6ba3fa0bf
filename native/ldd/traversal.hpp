// The nodes of one set in canonical order.
#pragma once

#include <cstdint>
#include <vector>

#include "node_store.hpp"
#include "types.hpp"

namespace mpisog::ldd {

// Numbers the nodes below a root in post-order, children by ascending value: it depends on the set
// only.
class Traversal {
 public:
  Traversal(const NodeStore& store, NodeId root);

  std::size_t size() const { return nodes_.size(); }
  NodeId node(std::size_t index) const { return nodes_[index]; }
  Level level(std::size_t index) const { return levels_[index]; }
  std::uint32_t index_of(NodeId node) const { return table_[slot_of(node)].index; }
  std::vector<std::vector<std::uint32_t>> by_level(Level levels) const;

 private:
  struct Slot {
    NodeId node = kEmpty;
    std::uint32_t index = 0;
  };
  std::size_t slot_of(NodeId node) const;
  bool add_pending(NodeId node);
  void grow();

  std::vector<NodeId> nodes_;
  std::vector<Level> levels_;
  std::vector<Slot> table_;
  std::size_t used_ = 0;
};

}  // namespace mpisog::ldd
