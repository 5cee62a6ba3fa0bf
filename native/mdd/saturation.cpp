// Closure by saturation: a node is closed under the events of the levels below it before the events
// whose topmost level is its own are fired, and what a firing gives below is closed at once.
#include "growing_row.hpp"
#include "operations.hpp"

namespace mpisog::mdd {

namespace {

constexpr std::uint32_t kAhead = 6;  // edges that are asked for in advance

class Closure {
 public:
  Closure(Context& context, const Relation& relation) : context_(context), relation_(relation) {}

  NodeId close(Level level, NodeId node);
  NodeId fire(SuffixId suffix, Level level, NodeId node);

 private:
  NodeId close_row(Level level, GrowingRow& row);
  void fire_ahead(Level level, GrowingRow& row);
  bool sweep(Level level, GrowingRow& row, const EventGroup& group, std::uint32_t bit);
  std::uint32_t fire_edge(Level level, GrowingRow& row, std::uint32_t i, const TopEvent& event);
  NodeId fire_all(SuffixId suffix, Level level, const NodeView& node);
  bool is_known(SuffixId suffix, Level level, NodeId node, NodeId& result) const;

  Context& context_;
  const Relation& relation_;
};

NodeId run_close(Context& context, const Task& task) {
  return Closure(context, *static_cast<const Relation*>(task.object)).close(task.a, task.b);
}

NodeId run_fire(Context& context, const Task& task) {
  return Closure(context, *static_cast<const Relation*>(task.object)).fire(task.a, task.b, task.c);
}

NodeId Closure::close(Level level, NodeId node_id) {
  if (node_id <= kTrue || relation_.is_closed_from(level)) return node_id;
  NodeId result = kEmpty;
  if (context_.recall(Op::kTagged, relation_.tag(), node_id, result)) return result;
  const Keep keep(context_, node_id);
  context_.poll();
  const NodeView node = context_.store.view(node_id);
  GrowingRow row(context_, node.size);
  for (std::uint32_t i = 0; i < node.size; ++i) {
    if (node.child(i) != kEmpty)
      row.push(node.value(i), node.child(i), all_pending(relation_, level));
  }
  {
    TaskScope tasks(context_);
    for (std::uint32_t i = 0; i < row.size(); ++i) {
      if (context_.parallel && row.size() > 1) {
        tasks.spawn(run_close, &relation_, level + 1, row.child(i), 0, &row.child(i));
      } else {
        row.child(i) = close(level + 1, row.child(i));
      }
    }
    tasks.wait();
  }
  result = close_row(level, row);
  context_.remember(Op::kTagged, relation_.tag(), node_id, result);
  return result;
}

// What can be told without computing: nothing to do, guards that no marking meets, results in the
// cache.
bool Closure::is_known(SuffixId suffix_id, Level level, NodeId node_id, NodeId& result) const {
  result = node_id;
  if (node_id == kEmpty || suffix_id == kDone) return true;
  const Suffix& suffix = relation_.suffix(suffix_id);
  const NodeView node = context_.store.view(node_id);
  result = kEmpty;
  if (!suffix.may_fire(level, node.signature)) return true;
  if (level == suffix.level &&
      (node.value(node.size - 1) < suffix.at_least || node.value(0) > suffix.at_most))
    return true;
  return context_.recall(Op::kTagged, suffix.tag, node_id, result);
}

NodeId Closure::fire(SuffixId suffix_id, Level level, NodeId node_id) {
  NodeId result = kEmpty;
  if (is_known(suffix_id, level, node_id, result)) return result;
  const Keep keep(context_, node_id);
  context_.poll();
  result = fire_all(suffix_id, level, context_.store.view(node_id));
  context_.remember(Op::kTagged, relation_.suffix(suffix_id).tag, node_id, result);
  return result;
}

NodeId Closure::fire_all(SuffixId suffix_id, Level level, const NodeView& node) {
  const Suffix& suffix = relation_.suffix(suffix_id);
  const bool touched = level == suffix.level;
  const SuffixId below = touched ? suffix.next : suffix_id;
  const std::uint32_t tag = below != kDone ? relation_.suffix(below).tag : 0;
  const std::uint32_t pending = all_pending(relation_, level);
  GrowingRow row(context_, node.size);
  TaskScope tasks(context_);
  for (std::uint32_t i = 0; i < node.size; ++i) {
    if (i + kAhead < node.size && below != kDone) {
      context_.store.prefetch(node.child(i + kAhead));
      context_.cache.prefetch(Op::kTagged, tag, node.child(i + kAhead));
    }
    const Value value = node.value(i);
    if (node.child(i) == kEmpty || (touched && (value < suffix.at_least || value > suffix.at_most)))
      continue;
    const Value target = touched ? shifted(value, suffix.delta) : value;
    NodeId fired = kEmpty;
    if (!context_.parallel) {
      fired = fire(below, level + 1, node.child(i));
    } else if (!is_known(below, level + 1, node.child(i), fired)) {
      row.push(target, kEmpty, pending);
      tasks.spawn(run_fire, &relation_, below, level + 1, node.child(i),
                  &row.child(row.size() - 1));
      continue;
    }
    if (fired != kEmpty) row.push(target, fired, pending);
  }
  tasks.wait();
  if (context_.parallel) row.drop_empty();
  return close_row(level, row);
}

NodeId Closure::close_row(Level level, GrowingRow& row) {
  if (row.size() == 0) return kEmpty;
  const std::vector<EventGroup>& groups = relation_.groups(level);
  if (context_.parallel && row.size() > 1 && !groups.empty()) fire_ahead(level, row);
  for (bool changed = !groups.empty(); changed;) {
    changed = false;
    for (std::size_t g = 0; g < groups.size(); ++g)
      changed |= sweep(level, row, groups[g], 1U << g);
  }
  return row.make();
}

// Sweeps follow chains of firings and so are sequential. Most firings do not change the edge that
// the next one starts from, though: doing them all at once beforehand leaves the sweep with results
// that are in the cache.
void Closure::fire_ahead(Level level, GrowingRow& row) {
  const std::size_t mark = context_.roots.size();
  {
    TaskScope tasks(context_);
    for (const EventGroup& group : relation_.groups(level)) {
      for (const TopEvent& event : group.events) {
        for (std::uint32_t i = 0; i < row.size(); ++i) {
          NodeId known = kEmpty;
          if (row.value(i) < event.at_least || row.value(i) > event.at_most) continue;
          if (is_known(event.below, level + 1, row.child(i), known)) continue;
          NodeId* const slot = context_.roots.push(1);
          *slot = kEmpty;
          tasks.spawn(run_fire, &relation_, event.below, level + 1, row.child(i), slot);
        }
      }
    }
    tasks.wait();
  }
  context_.roots.pop_to(mark);
}

// Fires one group on all edges that need it; true if there were any.
bool Closure::sweep(Level level, GrowingRow& row, const EventGroup& group, std::uint32_t bit) {
  bool fired = false;
  const SuffixId below = group.events.front().below;
  const std::uint32_t tag = below != kDone ? relation_.suffix(below).tag : 0;
  const auto visit = [&](std::uint32_t& i) {
    if ((row.pending(i) & bit) == 0) return;
    const std::uint32_t ahead = group.upwards ? i + kAhead : i - kAhead;
    if (below != kDone && ahead < row.size()) {
      context_.store.prefetch(row.child(ahead));
      context_.cache.prefetch(Op::kTagged, tag, row.child(ahead));
    }
    row.pending(i) &= ~bit;
    fired = true;
    for (const TopEvent& event : group.events) i = fire_edge(level, row, i, event);
  };
  row.sweep(group.upwards, visit);
  return fired;
}

// Returns where the edge is afterwards.
std::uint32_t Closure::fire_edge(Level level, GrowingRow& row, std::uint32_t i,
                                 const TopEvent& event) {
  const Value value = row.value(i);
  if (value < event.at_least || value > event.at_most) return i;
  context_.poll();  // a place without a bound can keep this loop busy for ever
  const NodeId fired = fire(event.below, level + 1, row.child(i));
  if (fired == kEmpty) return i;
  const Value target = shifted(value, event.delta);
  return row.absorb(i, target, event.delta, fired, all_pending(relation_, level));
}

}  // namespace

NodeId saturate(Context& context, const Relation& relation, Level level, NodeId node) {
  return Closure(context, relation).close(level, node);
}

}  // namespace mpisog::mdd
