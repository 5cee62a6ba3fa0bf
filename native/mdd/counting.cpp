#include "counting.hpp"

#include <algorithm>

#include "memory/limit.hpp"
#include "traversal.hpp"

namespace mpisog::mdd {

namespace {

struct TooSmall {};  // the chosen number of limbs does not suffice

// One number of a fixed number of limbs for each node.
class Numbers {
 public:
  Numbers(std::size_t count, std::size_t limbs) : limbs_(limbs), data_(allowed(count * limbs)) {}
  std::uint64_t* at(std::size_t index) { return data_.data() + index * limbs_; }
  const std::uint64_t* at(std::size_t index) const { return data_.data() + index * limbs_; }
  void clear(std::size_t index) { std::fill_n(at(index), limbs_, 0); }
  void add(std::size_t index, const std::uint64_t* other) { add_to(at(index), other, limbs_); }

  static void add_to(std::uint64_t* sum, const std::uint64_t* other, std::size_t limbs) {
    unsigned __int128 carry = 0;
    for (std::size_t i = 0; i < limbs; ++i) {
      carry += static_cast<unsigned __int128>(sum[i]) + other[i];
      sum[i] = static_cast<std::uint64_t>(carry);
      carry >>= 64;
    }
    if (carry != 0) throw TooSmall{};
  }

 private:
  // Where there are many levels, the numbers can be far larger than the diagram.
  static std::size_t allowed(std::size_t words) {
    if (!memory::fits(words * sizeof(std::uint64_t)))
      throw OutOfMemory("the memory limit is reached");
    return words;
  }

  std::size_t limbs_;
  std::vector<std::uint64_t> data_;
};

bool is_zero(const std::uint64_t* number, std::size_t limbs) {
  return std::all_of(number, number + limbs, [](std::uint64_t limb) { return limb == 0; });
}

// The product is known to fit when both factors describe paths through one node of a set that was
// counted.
void add_product(std::uint64_t* sum, const std::uint64_t* a, const std::uint64_t* b,
                 std::size_t limbs) {
  std::vector<std::uint64_t> product(limbs, 0);
  for (std::size_t i = 0; i < limbs; ++i) {
    unsigned __int128 carry = 0;
    for (std::size_t j = 0; i + j < limbs; ++j) {
      carry += static_cast<unsigned __int128>(a[i]) * b[j] + product[i + j];
      product[i + j] = static_cast<std::uint64_t>(carry);
      carry >>= 64;
    }
  }
  Numbers::add_to(sum, product.data(), limbs);
}

std::vector<std::uint64_t> one_of(std::size_t limbs) {
  std::vector<std::uint64_t> one(limbs, 0);
  one[0] = 1;
  return one;
}

// Number of ways from each node down to the terminal.
Numbers ways_down(Context& context, const Traversal& nodes, std::size_t limbs) {
  Numbers ways(nodes.size(), limbs);
  const auto one = one_of(limbs);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    context.look();
    const NodeView node = context.store.view(nodes.node(i));
    for (std::uint32_t k = 0; k < node.size; ++k) {
      const NodeId child = node.child(k);
      if (child != kEmpty)
        ways.add(i, child == kTrue ? one.data() : ways.at(nodes.index_of(child)));
    }
  }
  return ways;
}

// Number of ways from the root to each node. Parents come later than their children in the
// traversal.
Numbers ways_from_root(Context& context, const Traversal& nodes,
                       const std::vector<std::vector<std::uint32_t>>& by_level, std::size_t limbs) {
  Numbers ways(nodes.size(), limbs);
  ways.at(nodes.size() - 1)[0] = 1;
  for (const auto& level : by_level) {
    for (const std::uint32_t i : level) {
      context.look();
      const NodeView node = context.store.view(nodes.node(i));
      for (std::uint32_t k = 0; k < node.size; ++k) {
        if (node.child(k) > kTrue) ways.add(nodes.index_of(node.child(k)), ways.at(i));
      }
    }
  }
  return ways;
}

// Calls attempt(limbs) with more and more limbs until the numbers fit.
template <class Attempt>
auto with_enough_limbs(Attempt attempt) {
  for (std::size_t limbs = 1;; limbs *= 2) {
    try {
      return attempt(limbs);
    } catch (const TooSmall&) {
    }
  }
}

class StepCounter {
 public:
  StepCounter(Context& context, Level levels, const Traversal& nodes, std::size_t limbs)
      : context_(context),
        nodes_(nodes),
        limbs_(limbs),
        by_level_(nodes.by_level(levels)),
        down_(ways_down(context, nodes, limbs)),
        from_root_(ways_from_root(context, nodes, by_level_, limbs)),
        enabled_(nodes.size(), limbs),
        one_(one_of(limbs)) {}

  Natural count(const Event& event) {
    if (event.empty()) return Natural(down_.at(nodes_.size() - 1), limbs_);
    std::size_t term = event.size();
    const Level bottom = event.back().level;
    for (Level level = bottom + 1; level-- > event.front().level;) {
      const bool guarded = term > 0 && event[term - 1].level == level;
      if (guarded) --term;
      const Term guard = guarded ? event[term] : Term{};
      for (const std::uint32_t i : by_level_[level]) count_node(i, guard, level == bottom);
    }
    std::vector<std::uint64_t> sum(limbs_, 0);
    for (const std::uint32_t i : by_level_[event.front().level]) {
      if (!is_zero(enabled_.at(i), limbs_))
        add_product(sum.data(), from_root_.at(i), enabled_.at(i), limbs_);
    }
    return {sum.data(), limbs_};
  }

 private:
  void count_node(std::uint32_t i, const Term& guard, bool at_bottom) {
    context_.look();
    enabled_.clear(i);
    const NodeView node = context_.store.view(nodes_.node(i));
    for (std::uint32_t k = 0; k < node.size; ++k) {
      const NodeId child = node.child(k);
      const Value value = node.value(k);
      if (child == kEmpty || value < guard.at_least || value > guard.at_most) continue;
      if (child == kTrue) {
        enabled_.add(i, one_.data());
      } else {
        const std::uint32_t below = nodes_.index_of(child);
        enabled_.add(i, at_bottom ? down_.at(below) : enabled_.at(below));
      }
    }
  }

  Context& context_;
  const Traversal& nodes_;
  std::size_t limbs_;
  std::vector<std::vector<std::uint32_t>> by_level_;
  Numbers down_, from_root_, enabled_;
  std::vector<std::uint64_t> one_;
};

}  // namespace

Natural count_markings(Context& context, NodeId root) {
  if (root <= kTrue) return Natural(root);
  const Traversal nodes(context, root);
  return with_enough_limbs([&](std::size_t limbs) {
    const Numbers ways = ways_down(context, nodes, limbs);
    return Natural(ways.at(nodes.size() - 1), limbs);
  });
}

Natural count_steps(Context& context, Level levels, NodeId root, const std::vector<Event>& events) {
  if (root == kEmpty) return Natural();
  if (root == kTrue) return Natural(events.size());
  const Traversal nodes(context, root);
  return with_enough_limbs([&](std::size_t limbs) {
    StepCounter counter(context, levels, nodes, limbs);
    Natural total;
    for (const Event& event : events) total += counter.count(event);
    return total;
  });
}

std::vector<Value> largest_values(Context& context, Level levels, NodeId root) {
  std::vector<Value> largest(levels, 0);
  const Traversal nodes(context, root);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const NodeView node = context.store.view(nodes.node(i));
    Value& value = largest[nodes.level(i)];
    value = std::max(value, node.value(node.size - 1));  // the last entry is never a hole
  }
  return largest;
}

std::int64_t largest_sum(Context& context, NodeId root,
                         const std::vector<std::int64_t>& coefficients) {
  const Traversal nodes(context, root);
  std::vector<std::int64_t> best(nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const NodeView node = context.store.view(nodes.node(i));
    const std::int64_t coefficient = coefficients[nodes.level(i)];
    bool first = true;
    for (std::uint32_t k = 0; k < node.size; ++k) {
      const NodeId child = node.child(k);
      if (child == kEmpty) continue;
      const std::int64_t below = child == kTrue ? 0 : best[nodes.index_of(child)];
      const std::int64_t sum = coefficient * static_cast<std::int64_t>(node.value(k)) + below;
      if (first || sum > best[i]) best[i] = sum;
      first = false;
    }
  }
  return best.empty() ? 0 : best.back();
}

Marking nearest(Context& context, Level levels, NodeId root, const Marking& wished) {
  const Traversal nodes(context, root);
  std::vector<std::uint64_t> distance(nodes.size());
  std::vector<std::uint32_t> choice(nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const NodeView node = context.store.view(nodes.node(i));
    const Value here = wished[nodes.level(i)];
    bool first = true;
    for (std::uint32_t k = 0; k < node.size; ++k) {
      const NodeId child = node.child(k);
      if (child == kEmpty) continue;
      const Value value = node.value(k);
      const std::uint64_t below = child == kTrue ? 0 : distance[nodes.index_of(child)];
      const std::uint64_t total = below + (value > here ? value - here : here - value);
      if (!first && total >= distance[i]) continue;
      distance[i] = total;
      choice[i] = k;
      first = false;
    }
  }
  Marking marking(levels);
  NodeId id = root;
  for (Value& value : marking) {
    const std::uint32_t k = choice[nodes.index_of(id)];
    const NodeView node = context.store.view(id);
    value = node.value(k);
    id = node.child(k);
  }
  return marking;
}

}  // namespace mpisog::mdd
