// Closure among the markings with a label: saturation that follows the label on its way down.
//
// As in the plain closure a node is closed below before its own events are fired. What is allowed
// below depends on the values above, so results are kept for each state of the label.
#include "growing_row.hpp"
#include "operations.hpp"

namespace mpisog::mdd {

namespace {

class LabelledClosure {
 public:
  LabelledClosure(Context& context, const Relation& relation, Label& label)
      : context_(context), relation_(relation), walk_(label) {}

  using State = Label::State;
  // What is reachable from the node's markings with the label.
  NodeId close(State state, Level level, NodeId node);

 private:
  NodeId fire(State state, SuffixId suffix, Level level, NodeId node);
  NodeId fire_all(State state, SuffixId suffix, Level level, NodeId node);
  bool may_fire(const Suffix& suffix, Level level, NodeId node) const;
  NodeId close_row(State state, Level level, GrowingRow& row);
  bool sweep(State state, Level level, GrowingRow& row, const EventGroup& group, std::uint32_t bit);
  std::uint32_t fire_edge(State state, Level level, GrowingRow& row, std::uint32_t i,
                          const TopEvent& event);
  State below(State state, Level level, Value value) { return walk_.below(state, level, value); }
  std::uint32_t close_tag(State state) const {
    return state.id == Label::kEverything ? relation_.tag() : state.tag;
  }

  Context& context_;
  const Relation& relation_;
  LabelWalk walk_;
};

NodeId LabelledClosure::close(State state, Level level, NodeId node_id) {
  if (node_id == kEmpty || state.id == Label::kNothing) return kEmpty;
  if (state.id == Label::kEverything) return saturate(context_, relation_, level, node_id);
  NodeId result = kEmpty;
  if (context_.recall(Op::kTagged, state.tag, node_id, result)) return result;
  const Keep keep(context_, node_id);
  context_.poll();
  const NodeView node = context_.store.view(node_id);
  GrowingRow row(context_, node.size);
  for (std::uint32_t i = 0; i < node.size; ++i) {
    const Value value = node.value(i);
    const NodeId child = close(below(state, level, value), level + 1, node.child(i));
    if (child != kEmpty) row.push(value, child, all_pending(relation_, level));
  }
  result = close_row(state, level, row);
  context_.remember(Op::kTagged, state.tag, node_id, result);
  return result;
}

bool LabelledClosure::may_fire(const Suffix& suffix, Level level, NodeId node_id) const {
  const NodeView node = context_.store.view(node_id);
  if (!suffix.may_fire(level, node.signature)) return false;
  return level != suffix.level ||
         (node.value(node.size - 1) >= suffix.at_least && node.value(0) <= suffix.at_most);
}

// Unlike in the plain closure the node is closed for the label of the marking before the firing,
// which may allow less than the one after it.
NodeId LabelledClosure::fire(State state, SuffixId suffix_id, Level level, NodeId node_id) {
  if (node_id == kEmpty || state.id == Label::kNothing) return kEmpty;
  if (suffix_id == kDone) return close(state, level, node_id);
  const Suffix& suffix = relation_.suffix(suffix_id);
  if (!may_fire(suffix, level, node_id)) return kEmpty;
  const std::uint32_t tag = state.id == Label::kEverything ? suffix.tag : state.tag + 1 + suffix_id;
  NodeId result = kEmpty;
  if (context_.recall(Op::kTagged, tag, node_id, result)) return result;
  const Keep keep(context_, node_id);
  context_.poll();
  result = fire_all(state, suffix_id, level, node_id);
  context_.remember(Op::kTagged, tag, node_id, result);
  return result;
}

NodeId LabelledClosure::fire_all(State state, SuffixId suffix_id, Level level, NodeId node_id) {
  const Suffix& suffix = relation_.suffix(suffix_id);
  const bool touched = level == suffix.level;
  const SuffixId left = touched ? suffix.next : suffix_id;
  const NodeView node = context_.store.view(node_id);
  GrowingRow row(context_, node.size);
  for (std::uint32_t i = 0; i < node.size; ++i) {
    const Value value = node.value(i);
    if (touched && (value < suffix.at_least || value > suffix.at_most)) continue;
    const Value target = touched ? shifted(value, suffix.delta) : value;
    const NodeId fired = fire(below(state, level, target), left, level + 1, node.child(i));
    if (fired != kEmpty) row.push(target, fired, all_pending(relation_, level));
  }
  return close_row(state, level, row);
}

NodeId LabelledClosure::close_row(State state, Level level, GrowingRow& row) {
  if (row.size() == 0) return kEmpty;
  const std::vector<EventGroup>& groups = relation_.groups(level);
  for (bool changed = !groups.empty(); changed;) {
    changed = false;
    for (std::size_t g = 0; g < groups.size(); ++g)
      changed |= sweep(state, level, row, groups[g], 1U << g);
  }
  const NodeId result = row.make();
  context_.remember(Op::kTagged, close_tag(state), result, result);  // firings will ask
  return result;
}

// Fires one group on all edges that need it; true if there were any.
bool LabelledClosure::sweep(State state, Level level, GrowingRow& row, const EventGroup& group,
                            std::uint32_t bit) {
  bool fired = false;
  const auto visit = [&](std::uint32_t& i) {
    if ((row.pending(i) & bit) == 0) return;
    row.pending(i) &= ~bit;
    fired = true;
    for (const TopEvent& event : group.events) i = fire_edge(state, level, row, i, event);
  };
  row.sweep(group.upwards, visit);
  return fired;
}

// Returns where the edge is afterwards.
std::uint32_t LabelledClosure::fire_edge(State state, Level level, GrowingRow& row, std::uint32_t i,
                                         const TopEvent& event) {
  const Value value = row.value(i);
  if (value < event.at_least || value > event.at_most) return i;
  context_.poll();
  const Value target = shifted(value, event.delta);
  const State there = below(state, level, target);
  const bool closed = event.below == kDone && there.id == below(state, level, value).id;
  const NodeId fired = closed ? row.child(i) : fire(there, event.below, level + 1, row.child(i));
  if (fired == kEmpty) return i;
  return row.absorb(i, target, event.delta, fired, all_pending(relation_, level));
}

}  // namespace

NodeId saturate_labelled(Context& context, const Relation& relation, Label& label, NodeId node) {
  return LabelledClosure(context, relation, label).close(label.start(), 0, node);
}

}  // namespace mpisog::mdd
