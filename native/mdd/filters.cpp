// Selection of markings, by a linear comparison or by a label.
#include <unordered_map>

#include "core.hpp"
#include "linear_form.hpp"
#include "operations.hpp"

namespace mpisog::mdd {

namespace {

class LinearFilter {
 public:
  LinearFilter(Context& context, const LinearConstraint& constraint)
      : context_(context), form_(constraint) {}
  NodeId apply(NodeId node) { return apply(0, 0, form_.constant(), node); }

 private:
  NodeId apply(std::size_t position, Level level, Wide rest, NodeId node);
  std::uint32_t tag(std::size_t position, Wide rest);
  void name_suffixes();

  struct Key {
    std::size_t position;
    Wide rest;
    bool operator==(const Key&) const = default;
  };
  struct Hash {
    std::size_t operator()(const Key& key) const {
      return mix(static_cast<std::uint64_t>(key.rest) ^ static_cast<std::uint64_t>(key.rest >> 64),
                 key.position);
    }
  };

  Context& context_;
  LinearForm form_;
  std::vector<std::uint32_t> suffixes_;  // a tag for the terms from each position on
  std::unordered_map<Key, std::uint32_t, Hash> tags_;
};

std::uint32_t LinearFilter::tag(std::size_t position, Wide rest) {
  const auto [place, is_new] = tags_.try_emplace(Key{position, rest}, 0);
  if (is_new) {
    if (suffixes_.empty()) name_suffixes();
    place->second =
        context_.core.form_tag({suffixes_[position], static_cast<std::int64_t>(rest >> 64),
                                static_cast<std::int64_t>(rest), 0});
  }
  return place->second;
}

// From the end, so that the key of a suffix has a term and the tag of the rest: with thousands of
// terms, keys that spell out all that is left would take gigabytes.
void LinearFilter::name_suffixes() {
  const std::vector<LinearTerm>& terms = form_.terms();
  suffixes_.resize(terms.size() + 1);
  suffixes_.back() = context_.core.form_tag({static_cast<std::int64_t>(form_.shape())});
  for (std::size_t i = terms.size(); i-- > 0;)
    suffixes_[i] = context_.core.form_tag({terms[i].level, terms[i].coefficient, suffixes_[i + 1]});
}

NodeId LinearFilter::apply(std::size_t position, Level level, Wide rest, NodeId node_id) {
  if (node_id == kEmpty) return kEmpty;
  bool holds = false;
  if (form_.decided(position, rest, holds)) return holds ? node_id : kEmpty;
  const std::uint32_t key = tag(position, rest);
  NodeId result = kEmpty;
  if (context_.recall(Op::kTagged, key, node_id, result)) return result;
  const Keep keep(context_, node_id);
  context_.poll();
  const NodeView node = context_.store.view(node_id);
  Row row(context_, node.size);
  const LinearTerm& term = form_.terms()[position];
  const bool touched = term.level == level;
  for (std::uint32_t i = 0; i < node.size; ++i) {
    const Wide spent = touched ? Wide{term.coefficient} * node.value(i) : 0;
    const NodeId child =
        apply(position + (touched ? 1 : 0), level + 1, rest - spent, node.child(i));
    if (child != kEmpty) row.push(node.value(i), child);
  }
  result = row.make();
  context_.remember(Op::kTagged, key, node_id, result);
  return result;
}

NodeId select_below(Context& context, LabelWalk& walk, Label::State state, Level level,
                    NodeId node_id) {
  if (node_id == kEmpty || state.id == Label::kNothing) return kEmpty;
  if (state.id == Label::kEverything) return node_id;
  NodeId result = kEmpty;
  if (context.recall(Op::kTagged, state.tag, node_id, result)) return result;
  const Keep keep(context, node_id);
  context.poll();
  const NodeView node = context.store.view(node_id);
  Row row(context, node.size);
  for (std::uint32_t i = 0; i < node.size; ++i) {
    const Value value = node.value(i);
    const NodeId child =
        select_below(context, walk, walk.below(state, level, value), level + 1, node.child(i));
    if (child != kEmpty) row.push(value, child);
  }
  result = row.make();
  context.remember(Op::kTagged, state.tag, node_id, result);
  return result;
}

}  // namespace

NodeId select(Context& context, Label& label, NodeId node) {
  LabelWalk walk(label);
  return select_below(context, walk, label.start(), 0, node);
}

NodeId filter_linear(Context& context, const LinearConstraint& constraint, NodeId node) {
  return LinearFilter(context, constraint).apply(node);
}

}  // namespace mpisog::mdd
