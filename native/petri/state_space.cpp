#include "petri/state_space.hpp"

#include <algorithm>
#include <numeric>

#include "memory/limit.hpp"

namespace mpisog::petri {

namespace {

// From this size on a widened field doubles, so that re-encoding stays rare.
constexpr StateId kGenerousFrom = 1U << 20;

// Looking for a covered ancestor is bounded: this many markings back from the new one, and this
// many ancestors of each.
constexpr std::size_t kCoverEnds = 64;
constexpr std::size_t kCoverDepth = 100'000;

// Of the transitions that make fields wider at once, so many are looked at.
constexpr std::size_t kCoverTransitions = 16;

void apply(const Transition& transition, Marking& marking, std::int64_t sign) {
  for (const Arc& arc : transition.pre) marking[arc.place] -= sign * arc.weight;
  for (const Arc& arc : transition.post) marking[arc.place] += sign * arc.weight;
}

std::vector<std::uint32_t> all_of(const Net& net) {
  std::vector<std::uint32_t> transitions(net.transitions.size());
  std::iota(transitions.begin(), transitions.end(), 0U);
  return transitions;
}

}  // namespace

StateSpace::StateSpace(Net net, Bounds bounds)
    : net_(std::move(net)),
      bounds_(bounds),
      layout_(net_, Layout::initial_bits(net_)),
      store_(layout_.words()),
      all_(net_, all_of(net_)) {
  std::vector<Word> packed(layout_.words());
  layout_.pack(net_.initial, packed.data());
  store_.insert(packed.data(), hash_words(packed.data(), packed.size()), kNoState);
}

std::span<const Successor> StateSpace::expand(StateId id, const Candidates& transitions) {
  while (!fire_all(id, transitions)) widen(id, overflowing_);
  successors_.clear();
  const Word* words = words_.data();
  for (const Pending& pending : pending_) {
    const auto [target, fresh] = store_.insert(words, pending.hash, id);
    successors_.push_back({pending.transition, target, fresh});
    words += layout_.words();
  }
  return successors_;
}

bool StateSpace::fire_all(StateId id, const Candidates& transitions) {
  const std::size_t width = layout_.words();
  const Word* from = store_.at(id);
  pending_.clear();
  overflowing_.clear();
  transitions.visit(layout_, from, [&](std::uint32_t t) {
    if (!layout_.enabled(from, t)) return true;
    const std::size_t begin = pending_.size() * width;
    if (words_.size() < begin + width) {
      memory::require_room(words_, 2 * (begin + width) - words_.size());
      words_.resize(2 * (begin + width));
    }
    Word* to = words_.data() + begin;
    std::copy(from, from + width, to);
    if (!layout_.fire(to, t)) overflowing_.push_back(t);
    if (!overflowing_.empty()) return true;  // the rest only tells what else is too narrow
    const std::uint64_t hash = hash_words(to, width);
    store_.prefetch(hash);
    pending_.push_back({t, hash});
    return true;
  });
  return overflowing_.empty();
}

StateId StateSpace::fire(StateId id, std::uint32_t transition) {
  while (!fire_one(id, transition)) widen(id, std::span(&transition, 1));
  return store_.insert(words_.data(), hash_words(words_.data(), layout_.words()), id).id;
}

StateId StateSpace::peek(StateId id, std::uint32_t transition) {
  if (!fire_one(id, transition)) return kNoState;  // no marking so far has so many tokens
  return store_.find(words_.data(), hash_words(words_.data(), layout_.words()));
}

bool StateSpace::fire_one(StateId id, std::uint32_t transition) {
  const std::size_t width = layout_.words();
  if (words_.size() < width) words_.resize(width);
  std::copy_n(store_.at(id), width, words_.data());
  return layout_.fire(words_.data(), transition);
}

Marking StateSpace::marking(StateId id) const {
  Marking marking(net_.places());
  layout_.unpack(store_.at(id), marking);
  return marking;
}

// For all transitions together: on a large net a new layout takes longer than many firings.
void StateSpace::widen(StateId from, std::span<const std::uint32_t> transitions) {
  Marking tokens = marking(from);
  std::vector<unsigned> bits = layout_.bits();
  std::size_t grown = 0;
  for (const std::uint32_t t : transitions) {
    apply(net_.transitions[t], tokens, 1);
    for (const Arc& arc : net_.transitions[t].post) {
      const unsigned needed = bits_for(tokens[arc.place]);
      if (needed <= bits[arc.place]) continue;
      if (needed > kMaxFieldBits) throw UnboundedNet(arc.place);
      bits[arc.place] =
          store_.size() < kGenerousFrom ? needed : std::min(2 * needed, kMaxFieldBits);
      grown = arc.place;
    }
    apply(net_.transitions[t], tokens, -1);
  }
  Layout wider(net_, std::move(bits));
  store_.relayout(layout_, wider, net_.places());
  layout_ = std::move(wider);
  if (bounds_ == Bounds::ignored) return;
  for (const std::uint32_t t : transitions.first(std::min(transitions.size(), kCoverTransitions))) {
    apply(net_.transitions[t], tokens, 1);
    check_bounded(from, tokens, grown);
    apply(net_.transitions[t], tokens, -1);
  }
}

void StateSpace::check_bounded(StateId from, const Marking& reached, std::size_t place) const {
  std::vector<Word> packed(layout_.words());
  layout_.pack(reached, packed.data());
  const auto strictly_covers_ancestor = [&](const Word* upper, StateId ancestor) {
    for (std::size_t depth = 0; ancestor != kNoState && depth < kCoverDepth; ++depth) {
      const Word* lower = store_.at(ancestor);
      if (layout_.covers(upper, lower) && !std::equal(upper, upper + layout_.words(), lower))
        return true;
      ancestor = store_.parent(ancestor);
    }
    return false;
  };
  if (strictly_covers_ancestor(packed.data(), from)) throw UnboundedNet(place);
  // Growth may have been bought by a step that the last marking no longer covers; look further
  // back.
  for (std::size_t end = 0; from != kNoState && end < kCoverEnds; ++end) {
    const StateId parent = store_.parent(from);
    if (strictly_covers_ancestor(store_.at(from), parent)) throw UnboundedNet(place);
    from = parent;
  }
}

}  // namespace mpisog::petri
