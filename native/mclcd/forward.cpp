#include "mclcd/forward.hpp"

#include <utility>

#include "mclcd/labels.hpp"

namespace mpisog::mclcd {

namespace {

constexpr std::uint32_t kTaken = 64;       // markings that a thread takes at a time
constexpr std::size_t kGroupFirings = 48;  // firings that are looked up together
// Room in the index that a thread claims at a time: all threads count it down in one place.
constexpr std::size_t kRoom = 256;

}  // namespace

Forward::Forward(Graph& graph, Team& team, const MemoryAccount& account, const Property& property,
                 const Evaluator& evaluator, Variant variant, Tally* tallies)
    : graph_(graph),
      team_(team),
      account_(account),
      property_(property),
      evaluator_(evaluator),
      variant_(variant),
      tallies_(tallies),
      workers_(team.threads()),
      quiet_(team.threads()),
      parental_(variant == Variant::rpg) {}

void Forward::run() {
  team_.run([this](unsigned worker) {
    const auto maybe_work = [&] {
      for (unsigned owner = 0; owner < team_.threads(); ++owner)
        if (graph_.store().has_more(owner)) return true;
      return false;
    };
    quiet_.work(team_, [&] { return work(worker); }, maybe_work, [&] { pause(); });
  });
}

// Of this thread's own markings, or of another's.
Range Forward::take(unsigned worker) {
  for (unsigned i = 0; i < team_.threads(); ++i) {
    const unsigned owner = (worker + i) % team_.threads();
    const Range range = graph_.store().take(owner, kTaken);
    if (range.count == 0) continue;
    if (i > 0) Tally::add(tallies_[worker].steals, 1);
    return range;
  }
  return {};
}

bool Forward::work(unsigned worker) {
  const Range range = take(worker);
  const StateId end = range.first + range.count;
  for (StateId done = range.first; done != end;) {
    pause();
    if (team_.ending()) break;  // what a pause has not finished must not be touched
    StateId next = done;
    // What was fired before a pause is packed as before it: begin again.
    if (fire_group(worker, next, end) && insert_group(worker)) done = next;
  }
  return range.count != 0;
}

// Fires from some markings, without storing anything; false when a field is too narrow.
bool Forward::fire_group(unsigned worker, StateId& next, StateId end) {
  Worker& own = workers_[worker];
  Firings& firings = own.firings;
  firings.clear();
  own.tried = own.stored.tried;
  while (next != end && firings.hashes.size() < kGroupFirings) {
    const StateId id = next;
    const auto [treatment, flags] = judge(id);
    if (treatment == Treatment::decide) {
      decide(id);
      return false;
    }
    const auto begin = static_cast<std::uint32_t>(firings.hashes.size());
    Graph::Fired fired;
    if (treatment == Treatment::expand) fired = graph_.fire_all(id, own.tried, firings);
    if (fired.overflowed) {
      own.overflows.push_back({id, *fired.overflowed});
      pause_wanted_.store(true);
      return false;
    }
    const auto after = static_cast<std::uint32_t>(firings.hashes.size());
    const bool dead =
        treatment == Treatment::expand && begin == after && fired.complete && own.tried == 0;
    // Nothing that is demanded can come any more.
    if (dead && (property_.form == Form::all_until || (flags & kSeed) != 0)) {
      decide(id);
      return false;
    }
    firings.sources.push_back({id, begin, after, flags, fired.complete});
    own.tried = fired.complete ? 0 : fired.tried;
    if (!fired.complete) return true;
    ++next;
  }
  return true;
}

Forward::Judgement Forward::judge(StateId id) const {
  const auto holds = [&](const Predicate& predicate) {
    return evaluator_.holds(predicate, graph_.layout(), graph_.store().at(id));
  };
  switch (property_.form) {
    case Form::exists_until:
      if (holds(property_.phi)) return {Treatment::decide};
      return {holds(property_.psi) ? Treatment::expand : Treatment::prune};
    case Form::all_until:
      if (holds(property_.phi)) return {Treatment::prune, kCleared};
      return {holds(property_.psi) ? Treatment::expand : Treatment::decide};
    case Form::leads_to:  // global: what comes after phi counts too
      if (holds(property_.phi)) return {Treatment::expand, kCleared};
      return {Treatment::expand, holds(property_.psi) ? kSeed : 0};
    case Form::count:
      break;
  }
  return {Treatment::expand};
}

// Stores what was fired; false when all threads have to pause before.
bool Forward::insert_group(unsigned worker) {
  Worker& own = workers_[worker];
  const Firings& firings = own.firings;
  const std::size_t count = firings.hashes.size();
  if (own.room < count) {
    if (!graph_.store().index().claim_room(count + kRoom)) {
      growth_wanted_.store(true);
      pause_wanted_.store(true);
      return false;
    }
    own.room += count + kRoom;
  }
  if (crowded() && !drop_wanted_.exchange(true)) pause_wanted_.store(true);
  graph_.prefetch(firings);
  for (const Firings::Source& source : firings.sources) {
    const std::uint32_t sons = insert_successors(worker, source);
    own.room -= sons;
    own.stored.sons += sons;
    own.stored.count += source.end - source.begin;
    if (source.last) finish(worker, source);
  }
  own.stored.tried = own.tried;
  Tally::add(tallies_[worker].edges, count);
  return true;
}

// Whether edges should make room for markings.
bool Forward::crowded() const noexcept {
  return variant_ == Variant::automatic && !parental_ && account_.used() > account_.limit() / 4 * 3;
}

// Gives how many of them are new.
std::uint32_t Forward::insert_successors(unsigned worker, const Firings::Source& source) {
  const Firings& firings = workers_[worker].firings;
  Store& store = graph_.store();
  // A cleared marking need not be told that its successors are.
  EdgeLists* const edges = parental_ || (source.flags & kCleared) != 0 ? nullptr : graph_.edges();
  std::uint32_t sons = 0;
  for (std::uint32_t i = source.begin; i < source.end; ++i) {
    const auto [target, is_new] =
        store.insert(worker, graph_.words_of(firings, i), firings.hashes[i], source.id);
    sons += is_new ? 1 : 0;
    if (edges != nullptr && !edges->add(worker, store.edges(target), source.id)) {
      if (variant_ != Variant::automatic) throw std::bad_alloc();
      drop_wanted_.store(true);
      pause_wanted_.store(true);
    }
  }
  return sons;
}

// All successors of the marking are stored: it gets its label.
void Forward::finish(unsigned worker, const Firings::Source& source) {
  const auto [tried, count, sons] = std::exchange(workers_[worker].stored, {});
  Label label = source.flags;
  if (!parental_)
    label |= count;
  else
    label |= sons | (sons == count ? 0 : kOther);
  if ((label & kSeed) != 0) Tally::add(tallies_[worker].seeds, 1);
  graph_.store().label(source.id).store(label, std::memory_order_relaxed);
  if (property_.form == Form::count) {
    if (count == 0) Tally::add(tallies_[worker].dead, 1);
    count_tokens(tallies_[worker], source.id);
  }
}

void Forward::decide(StateId id) noexcept {
  StateId none = petri::kNoState;
  decisive_.compare_exchange_strong(none, id);
  team_.end_phase();
}

void Forward::count_tokens(Tally& tally, StateId id) const noexcept {
  const Word* packed = graph_.store().at(id);
  std::uint64_t total = 0;
  std::uint64_t largest = 0;
  graph_.layout().for_each_marked(packed, [&](std::uint32_t place) {
    const auto tokens = static_cast<std::uint64_t>(graph_.layout().tokens(packed, place));
    total += tokens;
    largest = std::max(largest, tokens);
  });
  Tally::raise(tally.max_tokens_in_marking, total);
  Tally::raise(tally.max_tokens_in_place, largest);
}

}  // namespace mpisog::mclcd
