// Selection of markings by a linear comparison.
#include <algorithm>
#include <unordered_map>

#include "core.hpp"
#include "operations.hpp"

namespace mpisog::ldd {

namespace {

using Wide = __int128;  // sums of coefficient * tokens over thousands of places

// The constraint as sum (relation) constant with a relation that is one of three.
enum class Shape : std::uint8_t { kAtMost, kEqual, kDifferent };

class LinearFilter {
 public:
  LinearFilter(Context& context, const LinearConstraint& constraint);
  NodeId apply(NodeId node) { return apply(0, 0, constant_, node); }

 private:
  NodeId apply(std::size_t position, Level level, Wide rest, NodeId node);
  bool decided(std::size_t position, Wide rest, bool& holds) const;
  std::uint32_t tag(std::size_t position, Wide rest);

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
  Shape shape_;
  Wide constant_;
  std::vector<LinearTerm> terms_;
  std::vector<bool> rest_not_negative_,
      rest_not_positive_;  // signs of all coefficients from a position on
  std::unordered_map<Key, std::uint32_t, Hash> tags_;
};

std::vector<LinearTerm> merged_terms(std::vector<LinearTerm> terms) {
  std::sort(terms.begin(), terms.end(),
            [](const LinearTerm& a, const LinearTerm& b) { return a.level < b.level; });
  std::vector<LinearTerm> merged;
  for (const LinearTerm& term : terms) {
    if (!merged.empty() && merged.back().level == term.level) {
      merged.back().coefficient += term.coefficient;
    } else {
      merged.push_back(term);
    }
  }
  std::erase_if(merged, [](const LinearTerm& t) { return t.coefficient == 0; });
  return merged;
}

LinearFilter::LinearFilter(Context& context, const LinearConstraint& constraint)
    : context_(context),
      shape_(Shape::kAtMost),
      constant_(constraint.constant),
      terms_(merged_terms(constraint.terms)) {
  bool negate = false;
  switch (constraint.comparison) {
    case Comparison::kLess:
      constant_ -= 1;
      break;
    case Comparison::kLessEqual:
      break;
    case Comparison::kEqual:
      shape_ = Shape::kEqual;
      break;
    case Comparison::kNotEqual:
      shape_ = Shape::kDifferent;
      break;
    case Comparison::kGreaterEqual:
      negate = true;
      break;
    case Comparison::kGreater:
      negate = true;
      constant_ += 1;
      break;
  }
  if (negate) {
    constant_ = -constant_;
    for (LinearTerm& term : terms_) term.coefficient = -term.coefficient;
  }
  rest_not_negative_.assign(terms_.size() + 1, true);
  rest_not_positive_.assign(terms_.size() + 1, true);
  for (std::size_t i = terms_.size(); i-- > 0;) {
    rest_not_negative_[i] = rest_not_negative_[i + 1] && terms_[i].coefficient >= 0;
    rest_not_positive_[i] = rest_not_positive_[i + 1] && terms_[i].coefficient <= 0;
  }
}

// What is left of the sum is at least (at most) 0 when no coefficient is negative (positive).
bool LinearFilter::decided(std::size_t position, Wide rest, bool& holds) const {
  const bool at_least_zero = rest_not_negative_[position];
  const bool at_most_zero = rest_not_positive_[position];
  const bool never_reached = (at_least_zero && rest < 0) || (at_most_zero && rest > 0);
  if (shape_ == Shape::kAtMost) {
    holds = at_most_zero && rest >= 0;
    return holds || (at_least_zero && rest < 0);
  }
  holds = (shape_ == Shape::kDifferent) == never_reached;
  if (never_reached) return true;
  holds = shape_ == Shape::kEqual;
  return position == terms_.size();  // nothing left: the rest is 0 here
}

std::uint32_t LinearFilter::tag(std::size_t position, Wide rest) {
  const auto [place, is_new] = tags_.try_emplace(Key{position, rest}, 0);
  if (is_new) {
    std::vector<std::int64_t> form{static_cast<std::int64_t>(shape_),
                                   static_cast<std::int64_t>(rest >> 64),
                                   static_cast<std::int64_t>(rest)};
    for (std::size_t i = position; i < terms_.size(); ++i) {
      form.push_back(terms_[i].level);
      form.push_back(terms_[i].coefficient);
    }
    place->second = context_.core.form_tag(form);
  }
  return place->second;
}

NodeId LinearFilter::apply(std::size_t position, Level level, Wide rest, NodeId node_id) {
  if (node_id == kEmpty) return kEmpty;
  bool holds = false;
  if (decided(position, rest, holds)) return holds ? node_id : kEmpty;
  const std::uint32_t key = tag(position, rest);
  NodeId result = kEmpty;
  if (context_.recall(Op::kTagged, key, node_id, result)) return result;
  const Keep keep(context_, node_id);
  context_.poll();
  const NodeView node = context_.store.view(node_id);
  Row row(context_, node.size);
  const bool touched = terms_[position].level == level;
  for (std::uint32_t i = 0; i < node.size; ++i) {
    const Wide spent = touched ? Wide{terms_[position].coefficient} * node.value(i) : 0;
    const NodeId child =
        apply(position + (touched ? 1 : 0), level + 1, rest - spent, node.child(i));
    if (child != kEmpty) row.push(node.value(i), child);
  }
  result = row.make();
  context_.remember(Op::kTagged, key, node_id, result);
  return result;
}

}  // namespace

NodeId filter_linear(Context& context, const LinearConstraint& constraint, NodeId node) {
  return LinearFilter(context, constraint).apply(node);
}

}  // namespace mpisog::ldd
