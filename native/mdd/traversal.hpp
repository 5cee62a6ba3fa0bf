// The nodes of one set in canonical order.
#pragma once

#include <cstdint>
#include <vector>

#include "context.hpp"
#include "node_map.hpp"
#include "types.hpp"

namespace mpisog::mdd {

// Numbers the nodes below a root in post-order, children by ascending value: it depends on the set
// only.
class Traversal {
 public:
  Traversal(Context& context, NodeId root);

  std::size_t size() const { return nodes_.size(); }
  NodeId node(std::size_t index) const { return nodes_[index]; }
  Level level(std::size_t index) const { return levels_[index]; }
  std::uint32_t index_of(NodeId node) const { return *indices_.find(node); }
  std::vector<std::vector<std::uint32_t>> by_level(Level levels) const;

 private:
  bool add_pending(NodeId node);

  std::vector<NodeId> nodes_;
  std::vector<Level> levels_;
  NodeMap<std::uint32_t> indices_;
};

}  // namespace mpisog::mdd
