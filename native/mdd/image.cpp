// Successors under a single event, without closure.
#include "operations.hpp"

namespace mpisog::mdd {

namespace {

NodeId run_fire_once(Context& context, const Task& task) {
  return fire_once(context, static_cast<const Suffix*>(task.object), task.a, task.b);
}

}  // namespace

NodeId fire_once(Context& context, const Suffix* suffix_at, Level level, NodeId node_id) {
  if (node_id == kEmpty || suffix_at == nullptr) return node_id;
  const Suffix& suffix = *suffix_at;
  if (!suffix.may_fire(level, context.store.view(node_id).signature)) return kEmpty;
  NodeId result = kEmpty;
  if (context.recall(Op::kTagged, suffix.tag, node_id, result)) return result;
  const Keep keep(context, node_id);
  context.poll();
  const NodeView node = context.store.view(node_id);
  Row row(context, node.size);
  TaskScope tasks(context);
  const bool touched = level == suffix.level;
  const Suffix* const below = touched ? suffix.next_suffix : suffix_at;
  for (std::uint32_t i = 0; i < node.size; ++i) {
    const NodeId child = node.child(i);
    const Value value = node.value(i);
    if (child == kEmpty || (touched && (value < suffix.at_least || value > suffix.at_most)))
      continue;
    row.push(touched ? shifted(value, suffix.delta) : value, kEmpty);
    NodeId* slot = &row.children[row.size - 1];
    if (context.parallel && below != nullptr) {
      tasks.spawn(run_fire_once, below, level + 1, child, 0, slot);
    } else {
      *slot = fire_once(context, below, level + 1, child);
    }
  }
  tasks.wait();
  row.drop_empty();
  result = row.make();
  context.remember(Op::kTagged, suffix.tag, node_id, result);
  return result;
}

}  // namespace mpisog::mdd
