#include "petri/state_space.hpp"

#include <algorithm>
#include <numeric>

namespace mpisog::petri {

namespace {

// From this size on a widened field doubles, so that re-encoding stays rare.
constexpr StateId kGenerousFrom = 1U << 20;

// Looking for a covered ancestor is bounded: this many markings back from the new one, and this
// many ancestors of each.
constexpr std::size_t kCoverEnds = 64;
constexpr std::size_t kCoverDepth = 100'000;

std::vector<std::uint32_t> all_of(const Net& net) {
  std::vector<std::uint32_t> transitions(net.transitions.size());
  std::iota(transitions.begin(), transitions.end(), 0U);
  return transitions;
}

}  // namespace

StateSpace::StateSpace(Net net)
    : net_(std::move(net)),
      layout_(net_, Layout::initial_bits(net_)),
      store_(layout_.words()),
      all_(net_, all_of(net_)) {
  std::vector<Word> packed(layout_.words());
  layout_.pack(net_.initial, packed.data());
  store_.insert(packed.data(), hash_words(packed.data(), packed.size()), kNoState);
}

std::span<const Successor> StateSpace::expand(StateId id, const Candidates& transitions) {
  while (const auto overflowed = fire_all(id, transitions)) widen(id, *overflowed);
  successors_.clear();
  const Word* words = words_.data();
  for (const Pending& pending : pending_) {
    const auto [target, fresh] = store_.insert(words, pending.hash, id);
    successors_.push_back({pending.transition, target, fresh});
    words += layout_.words();
  }
  return successors_;
}

std::optional<std::uint32_t> StateSpace::fire_all(StateId id, const Candidates& transitions) {
  const std::size_t width = layout_.words();
  const Word* from = store_.at(id);
  pending_.clear();
  std::optional<std::uint32_t> overflowed;
  transitions.visit(layout_, from, [&](std::uint32_t t) {
    if (!layout_.enabled(from, t)) return true;
    const std::size_t begin = pending_.size() * width;
    if (words_.size() < begin + width) words_.resize(2 * (begin + width));
    Word* to = words_.data() + begin;
    std::copy(from, from + width, to);
    if (!layout_.fire(to, t)) {
      overflowed = t;
      return false;
    }
    const std::uint64_t hash = hash_words(to, width);
    store_.prefetch(hash);
    pending_.push_back({t, hash});
    return true;
  });
  return overflowed;
}

StateId StateSpace::fire(StateId id, std::uint32_t transition) {
  while (!fire_one(id, transition)) widen(id, transition);
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

void StateSpace::widen(StateId from, std::uint32_t transition) {
  Marking reached = marking(from);
  for (const Arc& arc : net_.transitions[transition].pre) reached[arc.place] -= arc.weight;
  for (const Arc& arc : net_.transitions[transition].post) reached[arc.place] += arc.weight;
  std::vector<unsigned> bits = layout_.bits();
  std::size_t grown = 0;
  for (std::size_t p = 0; p < bits.size(); ++p) {
    const unsigned needed = bits_for(reached[p]);
    if (needed <= bits[p]) continue;
    if (needed > kMaxFieldBits) throw UnboundedNet(p);
    bits[p] = store_.size() < kGenerousFrom ? needed : std::min(2 * needed, kMaxFieldBits);
    grown = p;
  }
  Layout wider(net_, std::move(bits));
  store_.relayout(layout_, wider, net_.places());
  layout_ = std::move(wider);
  check_bounded(from, reached, grown);
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
