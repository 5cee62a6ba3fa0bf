#include "mclcd/backward.hpp"

namespace mpisog::mclcd {

namespace {

constexpr StateId kInitial = 0;
constexpr std::uint32_t kScanned = 1024;  // markings that a thread takes at a time

petri::Net reversed(const petri::Net& net) {
  petri::Net result{net.initial, {}};
  for (const petri::Transition& t : net.transitions) result.transitions.push_back({t.post, t.pre});
  return result;
}

}  // namespace

Backward::Backward(Graph& graph, Team& team, MemoryAccount& account, Form form, Variant variant,
                   Tally* tallies)
    : graph_(graph),
      team_(team),
      form_(form),
      variant_(variant),
      tallies_(tallies),
      workers_(team.threads()),
      quiet_(team.threads()) {
  for (unsigned worker = 0; worker < team.threads(); ++worker) stacks_.emplace_back(account);
  if (variant == Variant::no_graph) {
    reverse_ = reversed(graph.net());
    reverse_layout_ = std::make_unique<petri::Layout>(reverse_, graph.layout().bits());
    reverse_candidates_ = std::make_unique<petri::Candidates>(reverse_, all_transitions(reverse_));
  }
}

bool Backward::clear() {
  graph_.store().rewind();
  quiet_.begin();
  if (!complete())
    team_.run([this](unsigned worker) {
      quiet_.work(team_, [&] { return clear_next(worker); }, [&] { return maybe_work(); }, [] {});
    });
  scanning_ = false;
  return complete();
}

bool Backward::complete() const noexcept {
  if (form_ == Form::all_until)
    return (graph_.store().label(kInitial).load(std::memory_order_relaxed) & kCleared) != 0;
  std::uint64_t left = 0;
  for (unsigned worker = 0; worker < team_.threads(); ++worker)
    left += tallies_[worker].seeds.load() - tallies_[worker].cleared_seeds.load();
  return left == 0;
}

bool Backward::clear_next(unsigned worker) {
  WorkStack& stack = stacks_[worker];
  if (quiet_.somebody_idle()) stack.share();
  StateId id = stack.pop();
  if (id == petri::kNoState && steal(worker)) id = stack.pop();
  if (id == petri::kNoState) return scanning_ && scan_next(worker);
  clear_marking(worker, id);
  return true;
}

bool Backward::steal(unsigned worker) {
  for (unsigned i = 1; i < team_.threads(); ++i)
    if (stacks_[worker].steal_from(stacks_[(worker + i) % team_.threads()])) {
      Tally::add(tallies_[worker].steals, 1);
      return true;
    }
  return false;
}

// What was cleared forwards tells its parents.
bool Backward::scan_next(unsigned worker) {
  Store& store = graph_.store();
  for (unsigned i = 0; i < team_.threads(); ++i) {
    const Range range = store.take((worker + i) % team_.threads(), kScanned);
    for (StateId id = range.first; id < range.first + range.count && !team_.ending(); ++id)
      if ((store.label(id).load(std::memory_order_relaxed) & (kCleared | kTold)) == kCleared) {
        Tally::add(tallies_[worker].cleared, 1);
        tell_parents(worker, id);
      }
    if (range.count != 0) return true;
  }
  return false;
}

void Backward::clear_marking(unsigned worker, StateId id) {
  const Label before = graph_.store().label(id).fetch_or(kCleared | kTold);
  Tally::add(tallies_[worker].cleared, 1);
  if ((before & kSeed) != 0) Tally::add(tallies_[worker].cleared_seeds, 1);
  if (form_ == Form::all_until && id == kInitial)
    team_.end_phase();
  else
    tell_parents(worker, id);
}

void Backward::tell_parents(unsigned worker, StateId id) {
  const Store& store = graph_.store();
  switch (variant_) {
    case Variant::rpg:
      if (store.father(id) != petri::kNoState) tell(worker, store.father(id));
      break;
    case Variant::no_graph:
      tell_by_firing(worker, id);
      break;
    default:
      graph_.edges()->for_each(store.edges(id).load(std::memory_order_acquire),
                               [&](StateId parent) { tell(worker, parent); });
  }
}

// Whatever leads here by one firing, if it has been reached: as often as it does.
void Backward::tell_by_firing(unsigned worker, StateId id) {
  const std::size_t width = reverse_layout_->words();
  Firings& firings = workers_[worker].firings;
  firings.clear();
  const Word* from = graph_.store().at(id);
  reverse_candidates_->visit(*reverse_layout_, from, [&](std::uint32_t t) {
    if (!reverse_layout_->enabled(from, t)) return true;
    if (graph_.is_full(firings)) tell_sources(worker);
    const std::size_t begin = firings.hashes.size() * width;
    if (firings.words.size() < begin + width) firings.words.resize(2 * (begin + width));
    Word* reached = firings.words.data() + begin;
    std::copy(from, from + width, reached);
    if (!reverse_layout_->fire(reached, t)) return true;  // more tokens than any marking has
    firings.hashes.push_back(petri::hash_words(reached, width));
    graph_.store().index().prefetch(firings.hashes.back());
    return !team_.ending();
  });
  tell_sources(worker);
}

void Backward::tell_sources(unsigned worker) {
  const Store& store = graph_.store();
  Firings& firings = workers_[worker].firings;
  graph_.prefetch(firings);
  for (std::size_t i = 0; i < firings.hashes.size(); ++i) {
    const StateId parent = store.find(graph_.words_of(firings, i), firings.hashes[i]);
    if (parent != petri::kNoState) tell(worker, parent);
  }
  Tally::add(tallies_[worker].recomputed, firings.hashes.size());
  firings.clear();
}

void Backward::tell(unsigned worker, StateId parent) {
  if (count_down(graph_.store().label(parent))) stacks_[worker].push(parent);
}

bool Backward::maybe_work() const noexcept {
  for (const WorkStack& stack : stacks_)
    if (stack.has_shared()) return true;
  for (unsigned owner = 0; scanning_ && owner < team_.threads(); ++owner)
    if (graph_.store().has_more(owner)) return true;
  return false;
}

StateId Backward::uncleared() const {
  if (form_ == Form::all_until) return kInitial;
  const Store& store = graph_.store();
  for (unsigned owner = 0; owner < team_.threads(); ++owner)
    for (std::size_t chunk = 0; chunk < store.chunks(owner); ++chunk) {
      const auto [first, used] = store.chunk(owner, chunk);
      for (StateId id = first; id < first + used && !team_.ending(); ++id) {
        const Label label = store.label(id).load(std::memory_order_relaxed);
        if ((label & (kSeed | kCleared)) == kSeed) return id;
      }
    }
  return petri::kNoState;
}

}  // namespace mpisog::mclcd
