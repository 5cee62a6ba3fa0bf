#include "mclcd/graph.hpp"

#include <algorithm>
#include <numeric>

#include "petri/state_space.hpp"

namespace mpisog::mclcd {

namespace {

// From this size on a widened field doubles, so that re-encoding stays rare.
constexpr std::uint64_t kGenerousFrom = 1U << 20;

// Looking for a covered ancestor is bounded: this many markings back from the new one, and this
// many ancestors of each.
constexpr std::size_t kCoverEnds = 64;
constexpr std::size_t kCoverDepth = 100'000;

std::size_t grown_place(const petri::Marking& upper, const petri::Marking& lower) {
  std::size_t place = 0;
  while (upper[place] == lower[place]) ++place;
  return place;
}

}  // namespace

std::vector<std::uint32_t> all_transitions(const petri::Net& net) {
  std::vector<std::uint32_t> transitions(net.transitions.size());
  std::iota(transitions.begin(), transitions.end(), 0U);
  return transitions;
}

Graph::Graph(petri::Net net, MemoryAccount& account, unsigned threads, bool with_edges)
    : net_(std::move(net)),
      layout_(net_, petri::Layout::initial_bits(net_)),
      candidates_(net_, all_transitions(net_)),
      store_(account, threads, layout_.words(), with_edges) {
  if (with_edges) edges_ = std::make_unique<EdgeLists>(account, threads);
  std::vector<Word> packed(layout_.words());
  layout_.pack(net_.initial, packed.data());
  store_.index().claim_room(1);
  store_.insert(0, packed.data(), petri::hash_words(packed.data(), packed.size()), petri::kNoState);
}

Graph::Fired Graph::fire_all(StateId id, std::uint32_t tried, Firings& to) const {
  const Word* from = store_.at(id);
  const std::uint32_t before = tried;
  Fired fired;
  candidates_.visit(layout_, from, [&](std::uint32_t t) {
    if (++fired.tried <= before || !layout_.enabled(from, t)) return true;
    if (is_full(to) && !to.hashes.empty()) {
      --fired.tried;
      fired.complete = false;
    } else if (!fire(from, t, to)) {
      fired.overflowed = t;
    }
    return fired.complete && !fired.overflowed;
  });
  return fired;
}

bool Graph::fire(const Word* from, std::uint32_t transition, Firings& to) const {
  const std::size_t width = layout_.words();
  const std::size_t begin = to.hashes.size() * width;
  if (to.words.size() < begin + width) to.words.resize(2 * (begin + width));
  Word* reached = to.words.data() + begin;
  std::copy(from, from + width, reached);
  if (!layout_.fire(reached, transition)) return false;
  to.hashes.push_back(petri::hash_words(reached, width));
  store_.index().prefetch(to.hashes.back());
  return true;
}

void Graph::prefetch(const Firings& firings) const noexcept {
  for (const std::uint64_t hash : firings.hashes)
    if (const StateId id = store_.index().guess(hash); id != petri::kNoState) store_.prefetch(id);
}

StateId Graph::target(StateId id, std::uint32_t transition, std::vector<Word>& scratch) const {
  scratch.assign(store_.at(id), store_.at(id) + layout_.words());
  if (!layout_.fire(scratch.data(), transition)) return petri::kNoState;
  return store_.find(scratch.data(), petri::hash_words(scratch.data(), scratch.size()));
}

petri::Marking Graph::marking(StateId id) const {
  petri::Marking marking(net_.places());
  layout_.unpack(store_.at(id), marking);
  return marking;
}

petri::Marking Graph::reached(const Overflow& overflow) const {
  petri::Marking result = marking(overflow.from);
  const petri::Transition& fired = net_.transitions[overflow.transition];
  for (const petri::Arc& arc : fired.pre) result[arc.place] -= arc.weight;
  for (const petri::Arc& arc : fired.post) result[arc.place] += arc.weight;
  return result;
}

petri::Layout Graph::layout_for(const std::vector<Overflow>& overflows) const {
  std::vector<unsigned> bits = layout_.bits();
  const bool generous = store_.size() >= kGenerousFrom;
  for (const Overflow& overflow : overflows) {
    const petri::Marking marking = reached(overflow);
    for (std::size_t p = 0; p < bits.size(); ++p) {
      const unsigned needed = petri::bits_for(marking[p]);
      if (needed <= bits[p]) continue;
      if (needed > petri::kMaxFieldBits) throw petri::UnboundedNet(p);
      bits[p] = generous ? std::min(2 * needed, petri::kMaxFieldBits) : needed;
    }
  }
  return {net_, std::move(bits)};
}

// Called when fields are wide enough again.
void Graph::check_bounded(const Overflow& overflow) const {
  petri::Marking upper = reached(overflow);
  std::vector<Word> packed(layout_.words());
  // Growth may have been bought by a step that the last marking no longer covers: look further
  // back.
  StateId ancestor = overflow.from;
  for (std::size_t end = 0; ancestor != petri::kNoState && end <= kCoverEnds; ++end) {
    layout_.pack(upper, packed.data());
    const StateId below = covered_ancestor(packed.data(), ancestor);
    if (below != petri::kNoState) throw petri::UnboundedNet(grown_place(upper, marking(below)));
    upper = marking(ancestor);
    ancestor = store_.father(ancestor);
  }
}

StateId Graph::covered_ancestor(const Word* upper, StateId ancestor) const noexcept {
  for (std::size_t depth = 0; ancestor != petri::kNoState && depth < kCoverDepth; ++depth) {
    const Word* lower = store_.at(ancestor);
    if (layout_.covers(upper, lower) && !std::equal(upper, upper + layout_.words(), lower))
      return ancestor;
    ancestor = store_.father(ancestor);
  }
  return petri::kNoState;
}

}  // namespace mpisog::mclcd
