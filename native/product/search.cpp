#include "product/search.hpp"

#include <algorithm>
#include <new>

#include "memory/limit.hpp"

namespace mpisog::product {

Search::Search(petri::Net net, std::vector<petri::Atom> atoms, Automaton automaton,
               Strategy strategy, petri::CancellationToken::Poll poll)
    : space_(std::move(net)),
      moves_(std::move(automaton), std::move(atoms), space_.net().transitions.size()),
      guide_(space_.net(), moves_.automaton(), moves_.atoms()),
      strategy_(strategy),
      cancellation_(std::move(poll)),
      random_(strategy.seed),
      states_(static_cast<std::uint32_t>(moves_.automaton().edges.size())) {}

Outcome Search::run() noexcept {
  try {
    const Outcome outcome = search();
    if (outcome == Outcome::found) extract();
    return outcome;
  } catch (const petri::UnboundedNet& found) {
    unbounded_ = found.place;
    return Outcome::unbounded;
  } catch (const std::exception&) {  // bad_alloc, or more markings than numbers
    return Outcome::out_of_memory;
  }
}

std::size_t Search::bytes() const noexcept {
  return space_.store().bytes() + states_.bytes() + labels_.capacity() * sizeof(Moves::Label) +
         frames_.capacity() * sizeof(Frame) + pending_.capacity() * sizeof(Move);
}

Outcome Search::search() {
  enter(states_.insert(petri::StateSpace::initial(), moves_.automaton().initial).number,
        kNoTransition, 0);
  const auto progress = [this] { return petri::Progress{markings(), edges_, bytes()}; };
  while (!frames_.empty()) {
    if (cancellation_.check(progress)) return Outcome::stopped;
    const Frame& frame = frames_.back();
    if (pending_.size() == frame.moves_begin) {
      leave();
      continue;
    }
    const Move move = pending_.back();
    pending_.pop_back();
    ++edges_;
    const petri::StateId reached = target(states_.marking(frame.number), move.transition);
    const auto [number, fresh] = states_.insert(reached, move.target);
    if (strategy_.limit != 0 && states_.size() > strategy_.limit) return Outcome::gave_up;
    if (fresh)
      enter(number, move.transition, move.marks);
    else if (live_[number] && close(number, move.marks))
      return Outcome::found;
  }
  return Outcome::empty;
}

void Search::enter(Number number, std::uint32_t transition, Marks arc) {
  memory::require_room(alive_);
  memory::require_room(components_);
  memory::require_room(frames_);
  live_.push_back(true);
  alive_.push_back(number);
  components_.push_back({number, 0, arc});
  frames_.push_back({number, pending_.size(), transition});
  list_moves(number);
  arrange(number, frames_.back().moves_begin);
}

void Search::leave() {
  const Number number = frames_.back().number;
  frames_.pop_back();
  if (components_.back().root != number) return;
  components_.pop_back();
  while (!alive_.empty() && alive_.back() >= number) {
    live_[alive_.back()] = false;
    alive_.pop_back();
  }
}

bool Search::close(Number back, Marks marks) {
  while (components_.back().root > back) {
    marks |= components_.back().inside | components_.back().arc;
    components_.pop_back();
  }
  components_.back().inside |= marks;
  return components_.back().inside == moves_.automaton().all_marks;
}

// Appends the moves of a product state to those that are pending.
void Search::list_moves(Number number) {
  const petri::StateId marking = states_.marking(number);
  const std::uint32_t state = states_.state(number);
  const petri::Layout& layout = space_.layout();
  const petri::Word* packed = space_.store().at(marking);
  if (marking >= labels_.size()) {
    memory::require_room(labels_);
    labels_.push_back(moves_.label(layout, packed));
  }
  const Moves::Label label = labels_[marking];
  if (!moves_.has_events() && moves_.edges(label, kNoTransition, state).empty()) return;
  const auto append = [&](std::uint32_t transition) {
    const auto& edges = moves_.edges(label, transition, state);
    memory::require_room(pending_, edges.size());
    for (const Automaton::Edge& edge : edges)
      pending_.push_back({transition, edge.target, edge.marks});
  };
  bool dead = true;
  space_.all_transitions().visit(layout, packed, [&](std::uint32_t transition) {
    if (!layout.enabled(packed, transition)) return true;
    dead = false;
    append(transition);
    return true;
  });
  if (dead) append(kNoTransition);
}

void Search::arrange(Number number, std::size_t begin) {
  const auto first = pending_.begin() + static_cast<std::ptrdiff_t>(begin);
  switch (strategy_.order) {
    case Order::forward:
      std::reverse(first, pending_.end());
      break;
    case Order::backward:
      break;
    case Order::random:
      std::shuffle(first, pending_.end(), random_);
      break;
    case Order::guided:  // what is equally near: now at random, now in the order of the net
      if (strategy_.seed % 2 == 0)
        std::reverse(first, pending_.end());
      else
        std::shuffle(first, pending_.end(), random_);
      sort_by_distance(number, begin);
      break;
  }
  if (strategy_.look_ahead) look_ahead(number, begin);
}

// What leads to the path goes last, to be tried first; what leads to finished states is left out.
void Search::look_ahead(Number number, std::size_t begin) {
  const petri::StateId marking = states_.marking(number);
  const auto known = [&](const Move& move) {
    const petri::StateId reached =
        move.transition == kNoTransition ? marking : space_.peek(marking, move.transition);
    return reached == petri::kNoState ? kUnknown : states_.find(reached, move.target);
  };
  const auto first = pending_.begin() + static_cast<std::ptrdiff_t>(begin);
  const auto useless = [&](const Move& move) {
    const Number reached = known(move);
    return reached != kUnknown && !live_[reached];
  };
  pending_.erase(std::remove_if(first, pending_.end(), useless), pending_.end());
  std::stable_partition(pending_.begin() + static_cast<std::ptrdiff_t>(begin), pending_.end(),
                        [&](const Move& move) { return known(move) == kUnknown; });
}

// The nearest goes last, to be tried first.
void Search::sort_by_distance(Number number, std::size_t begin) {
  const petri::StateId marking = states_.marking(number);
  const petri::Layout& layout = space_.layout();
  ranked_.clear();
  for (std::size_t i = begin; i < pending_.size(); ++i) {
    const Move& move = pending_[i];
    const petri::Word* reached = move.transition == kNoTransition
                                     ? space_.store().at(marking)
                                     : space_.preview(marking, move.transition);
    ranked_.emplace_back(guide_.distance(layout, reached, move.target), move);
  }
  std::stable_sort(ranked_.begin(), ranked_.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  for (std::size_t i = 0; i < ranked_.size(); ++i) pending_[begin + i] = ranked_[i].second;
}

petri::StateId Search::target(petri::StateId marking, std::uint32_t transition) {
  return transition == kNoTransition ? marking : space_.fire(marking, transition);
}

}  // namespace mpisog::product
