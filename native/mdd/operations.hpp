// The recursive computations. They run inside an operation of the kernel, on nodes of one kernel.
#pragma once

#include <cstdint>
#include <vector>

#include "context.hpp"
#include "label.hpp"
#include "relation.hpp"

namespace mpisog::mdd {

NodeId unite(Context& context, NodeId a, NodeId b);
NodeId intersect(Context& context, NodeId a, NodeId b);
NodeId subtract(Context& context, NodeId a, NodeId b);
bool is_subset(Context& context, NodeId a, NodeId b);
NodeId from_markings(Context& context, Level levels, std::vector<const Marking*> markings);

// Successors under one event, given by its first suffix (null: nothing to do).
NodeId fire_once(Context& context, const Suffix* suffix, Level level, NodeId node);

// Least set that contains the node's markings and is closed under the relation.
NodeId saturate(Context& context, const Relation& relation, Level level, NodeId node);

// The same among the markings with a label only: what is reachable without ever leaving it.
NodeId saturate_labelled(Context& context, const Relation& relation, Label& label, NodeId node);

// Markings that satisfy a linear constraint.
NodeId filter_linear(Context& context, const LinearConstraint& constraint, NodeId node);

// The tokens after a firing.
inline Value shifted(Value value, std::int64_t delta) {
  const std::int64_t result = std::int64_t{value} + delta;
  if (result > kNoLimit) throw ValueOverflow();
  return static_cast<Value>(result);
}

// Markings with a label of which every state has one key.
NodeId select(Context& context, Label& label, NodeId node);

// Calls visit(value, child of a, child of b) in ascending order of values; kEmpty where a node has
// no child.
template <class Visit>
void merge_edges(const NodeView& a, const NodeView& b, Visit visit) {
  std::uint32_t i = 0;
  std::uint32_t j = 0;
  while (i < a.size && j < b.size) {
    const Value x = a.value(i);
    const Value y = b.value(j);
    if (x < y) {
      visit(x, a.child(i++), kEmpty);
    } else if (y < x) {
      visit(y, kEmpty, b.child(j++));
    } else {
      visit(x, a.child(i++), b.child(j++));
    }
  }
  for (; i < a.size; ++i) visit(a.value(i), a.child(i), kEmpty);
  for (; j < b.size; ++j) visit(b.value(j), kEmpty, b.child(j));
}

}  // namespace mpisog::mdd
