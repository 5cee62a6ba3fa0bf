// Boolean operations. Each has the same shape: easy cases, cache, recursion over the edges, node,
// cache.
#include <algorithm>

#include "operations.hpp"

namespace mpisog::mdd {

namespace {

using BinaryFunction = NodeId (*)(Context&, NodeId, NodeId);

template <BinaryFunction function>
NodeId run_binary(Context& context, const Task& task) {
  return function(context, task.a, task.b);
}

// Drops the edges that turned out empty, and notices results that are one of the operands: these
// need no lookup.
NodeId finish(Row& row, const NodeView& a, NodeId a_id, const NodeView& b, NodeId b_id) {
  row.drop_empty();
  const std::uint32_t kept = row.size;
  if (kept == 0) return kEmpty;
  const auto is = [&](const NodeView& node) {
    return node.size == kept && node.value(0) == row.values[0] &&
           node.value(kept - 1) == row.values[kept - 1] &&
           std::equal(row.children, row.children + kept, node.children) &&
           (node.values == nullptr || std::equal(row.values, row.values + kept, node.values));
  };
  if (is(a)) return a_id;
  if (is(b)) return b_id;
  return row.make();
}

bool recall_either(Context& context, Op op, NodeId a, NodeId b, NodeId& result) {
  const bool swap = op != Op::kDifference && a > b;
  return swap ? context.recall(op, b, a, result) : context.recall(op, a, b, result);
}

// Combines the edges with the same value; keep_a and keep_b tell what becomes of edges that only
// one side has.
template <Op op, BinaryFunction function, bool keep_a, bool keep_b>
NodeId combine(Context& context, NodeId a_id, NodeId b_id) {
  const Keep keep(context, a_id, b_id);
  context.poll();
  const NodeView a = context.store.view(a_id);
  const NodeView b = context.store.view(b_id);
  Row row(context, std::size_t{a.size} + b.size);
  TaskScope tasks(context);
  merge_edges(a, b, [&](Value value, NodeId x, NodeId y) {
    if (x == kEmpty || y == kEmpty) {
      if (keep_a && x != kEmpty) row.push(value, x);
      if (keep_b && y != kEmpty) row.push(value, y);
    } else if (NodeId known = kEmpty;
               !context.parallel || x == y || recall_either(context, op, x, y, known)) {
      row.push(value, kEmpty);
      row.children[row.size - 1] = known != kEmpty ? known : function(context, x, y);
    } else {
      row.push(value, kEmpty);
      tasks.spawn(run_binary<function>, nullptr, x, y, 0, &row.children[row.size - 1]);
    }
  });
  tasks.wait();
  return finish(row, a, a_id, b, b_id);
}

}  // namespace

NodeId unite(Context& context, NodeId a, NodeId b) {
  if (a == b || b == kEmpty) return a;
  if (a == kEmpty) return b;
  if (a > b) std::swap(a, b);
  NodeId result = kEmpty;
  if (context.recall(Op::kUnion, a, b, result)) return result;
  result = combine<Op::kUnion, unite, true, true>(context, a, b);
  context.remember(Op::kUnion, a, b, result);
  return result;
}

NodeId intersect(Context& context, NodeId a, NodeId b) {
  if (a == b) return a;
  if (a == kEmpty || b == kEmpty) return kEmpty;
  if (a > b) std::swap(a, b);
  NodeId result = kEmpty;
  if (context.recall(Op::kIntersection, a, b, result)) return result;
  result = combine<Op::kIntersection, intersect, false, false>(context, a, b);
  context.remember(Op::kIntersection, a, b, result);
  return result;
}

NodeId subtract(Context& context, NodeId a, NodeId b) {
  if (a == b || a == kEmpty) return kEmpty;
  if (b == kEmpty) return a;
  NodeId result = kEmpty;
  if (context.recall(Op::kDifference, a, b, result)) return result;
  result = combine<Op::kDifference, subtract, true, false>(context, a, b);
  context.remember(Op::kDifference, a, b, result);
  return result;
}

bool is_subset(Context& context, NodeId a, NodeId b) {
  if (a == b || a == kEmpty) return true;
  if (b == kEmpty) return false;
  NodeId result = kEmpty;
  if (context.recall(Op::kSubset, a, b, result)) return result == kTrue;
  const Keep keep(context, a, b);
  context.poll();
  bool holds = true;
  merge_edges(context.store.view(a), context.store.view(b),
              [&](Value, NodeId x, NodeId y) { holds = holds && is_subset(context, x, y); });
  context.remember(Op::kSubset, a, b, holds ? kTrue : kEmpty);
  return holds;
}

namespace {

using MarkingIterator = std::vector<const Marking*>::const_iterator;

NodeId from_sorted(Context& context, Level level, Level levels, MarkingIterator first,
                   MarkingIterator last) {
  if (level == levels) return kTrue;
  context.poll();
  std::size_t distinct = 0;
  for (auto at = first; at != last; ++at) {
    if (at == first || (**at)[level] != (**(at - 1))[level]) ++distinct;
  }
  Row row(context, distinct);
  while (first != last) {
    const Value value = (**first)[level];
    const auto end =
        std::find_if(first, last, [&](const Marking* m) { return (*m)[level] != value; });
    row.push(value, kEmpty);
    row.children[row.size - 1] = from_sorted(context, level + 1, levels, first, end);
    first = end;
  }
  return row.make();
}

}  // namespace

NodeId from_markings(Context& context, Level levels, std::vector<const Marking*> markings) {
  std::sort(markings.begin(), markings.end(),
            [](const Marking* a, const Marking* b) { return *a < *b; });
  if (markings.empty()) return kEmpty;
  return from_sorted(context, 0, levels, markings.begin(), markings.end());
}

}  // namespace mpisog::mdd
