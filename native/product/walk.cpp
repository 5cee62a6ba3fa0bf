#include "product/walk.hpp"

#include <algorithm>
#include <new>

#include "memory/limit.hpp"
#include "petri/state_space.hpp"

namespace mpisog::product {

namespace {

// With more enabled transitions only those are looked ahead at that the last firing enabled.
constexpr std::size_t kLookAhead = 128;
// A plan's steps that are tried before it counts as failed.
constexpr std::size_t kPlanWindow = 64;

// States without a plan, after plans that led nowhere: they cost as much as thousands of firings.
constexpr std::size_t kLongestPause = 4096;

std::int64_t largest_number(const petri::FlatNet& net) {
  std::int64_t largest = 1;
  for (const std::int64_t tokens : net.initial()) largest = std::max(largest, tokens);
  for (std::uint32_t t = 0; t < net.transitions(); ++t)
    for (const petri::Change& change : net.effect(t)) largest = std::max(largest, change.tokens);
  return largest;
}

// What a guided search does where its guide knows nothing depends on the seed.
Order fallback(const Strategy& strategy) {
  constexpr Order kOrders[] = {Order::forward, Order::backward, Order::random};
  return strategy.order == Order::guided ? kOrders[strategy.seed % 3] : strategy.order;
}

// Whether the automaton waits as long as it can, at best until a dead marking: what decides too
// soon what will be for ever may have to go back over everything that came after.
bool is_patient(const Strategy& strategy) { return strategy.order == Order::backward; }

}  // namespace

Walk::Walk(std::shared_ptr<const petri::FlatNet> net, std::vector<petri::Atom> atoms,
           Automaton automaton, Strategy strategy, petri::CancellationToken::Poll poll)
    : net_(std::move(net)),
      moves_(std::move(automaton), std::move(atoms), net_->transitions()),
      game_(*net_),
      letters_(moves_.atoms(), game_),
      planner_(*net_, moves_.automaton(), moves_.atoms()),
      strategy_(strategy),
      order_(fallback(strategy)),
      poll_(std::move(poll)),
      cancellation_(poll_),
      random_(strategy.seed),
      states_(static_cast<std::uint32_t>(moves_.automaton().edges.size())),
      suspicious_(2 * largest_number(*net_)),
      most_(net_->places(), petri::ExactMarkings::kUnchanged) {}

Outcome Walk::run() noexcept {
  try {
    const Outcome outcome = search();
    if (outcome == Outcome::found) extract();
    return outcome == Outcome::empty ? search_exactly() : outcome;
  } catch (const petri::UnboundedNet& found) {
    unbounded_ = found.place;
    return Outcome::unbounded;
  } catch (const std::exception&) {  // bad_alloc, or more markings than numbers
    return Outcome::out_of_memory;
  }
}

Outcome Walk::search_exactly() {
  markings_ = {};
  states_ = States(static_cast<std::uint32_t>(moves_.automaton().edges.size()));
  reached_by_ = {};
  live_ = {};
  Walk again(net_, moves_.atoms(), moves_.automaton(), strategy_, poll_);
  again.exact_.emplace(net_->initial(), most_);
  const Outcome outcome = again.search();
  markings_ = std::move(again.markings_);  // for the figures
  states_ = std::move(again.states_);
  return outcome;
}

std::size_t Walk::bytes() const noexcept {
  return (exact_ ? exact_->bytes() : 0) + markings_.bytes() + states_.bytes() + game_.bytes() +
         reached_by_.capacity() * sizeof(Origin) + alive_.capacity() * sizeof(Number) +
         frames_.capacity() * sizeof(Frame) + live_.capacity() / 8 +
         links_.capacity() * sizeof(Step) + preferred_.capacity() * sizeof(Move);
}

Outcome Walk::search() {
  const petri::StateId initial = markings_.insert(game_.fingerprint()).id;
  const Number first = states_.insert(initial, moves_.automaton().initial).number;
  enter({first, first, kNoTransition, 0});
  const auto progress = [this] { return petri::Progress{markings(), edges_, bytes()}; };
  Move move{};
  while (!frames_.empty()) {
    if (cancellation_.check(progress)) return Outcome::stopped;
    if (!next_move(move)) {
      leave();
      continue;
    }
    ++edges_;
    const Number here = frames_.back().number;
    petri::StateId reached = states_.marking(here);
    if (move.transition != kNoTransition) {
      if (strategy_.most_tokens != 0 &&
          !game_.stays_within(move.transition, strategy_.most_tokens)) {
        left_out_ = true;
        continue;
      }
      reached = markings_.insert(game_.fingerprint_after(move.transition)).id;
      if (exact_ && !exact_->agrees(reached, net_->effect(move.transition)))
        return Outcome::collided;
    }
    const auto [number, fresh] = states_.insert(reached, move.target);
    if (strategy_.limit != 0 && states_.size() > strategy_.limit) return Outcome::gave_up;
    const Step step{here, number, move.transition, move.marks};
    if (fresh) {
      enter(step);
      if (strategy_.order == Order::guided && cancellation_.check_now(progress))
        return Outcome::stopped;
    } else if (live_[number] && close(step)) {
      return Outcome::found;
    }
  }
  return left_out_ ? Outcome::left_out : Outcome::empty;
}

void Walk::enter(const Step& step) {
  Moves::Label label = 0;
  if (step.transition != kNoTransition) {
    game_.fire(step.transition, letters_);
    if (exact_) exact_->fire(net_->effect(step.transition));
    note_tokens(step.transition);
    if (strategy_.most_tokens == 0) check_bounded(step.transition);
  }
  if (letters_.touched() || frames_.empty())
    label = moves_.label(letters_.truth());
  else
    label = frames_.back().label;
  memory::require_room(reached_by_);
  memory::require_room(alive_);
  memory::require_room(components_);
  memory::require_room(frames_);
  reached_by_.push_back({step.from, step.transition, step.marks});
  live_.push_back(true);
  alive_.push_back(step.to);
  components_.push_back({step.to, 0, step.marks});
  std::uint32_t start = order_ == Order::backward ? petri::IndexSet::kNone : 0;
  if (order_ == Order::random && net_->transitions() != 0)
    start = static_cast<std::uint32_t>(random_() % net_->transitions());
  frames_.push_back(
      {step.to, label, static_cast<std::uint32_t>(preferred_.size()), start, start, 0, 0});
  prefer_moves();
}

void Walk::leave() {
  const Number number = frames_.back().number;
  frames_.pop_back();
  plan_.clear();
  if (components_.back().root == number) {
    components_.pop_back();
    while (!alive_.empty() && alive_.back() >= number) {
      live_[alive_.back()] = false;
      alive_.pop_back();
    }
    while (!links_.empty() && links_.back().from >= number) links_.pop_back();
  }
  if (const std::uint32_t fired = reached_by_[number].transition; fired != kNoTransition) {
    game_.undo(fired, letters_);
    if (exact_) exact_->undo(net_->effect(fired));
  }
}

// Joins what lies between a state of the path and its end; true when that is accepting.
bool Walk::close(const Step& step) {
  Marks marks = step.marks;
  bool matters = false;
  while (components_.back().root > step.to) {
    marks |= components_.back().inside | components_.back().arc;
    components_.pop_back();
    matters = true;
  }
  Component& component = components_.back();
  const Marks all = moves_.automaton().all_marks;
  if (matters || all == 0 || (marks & ~component.inside) != 0) {
    memory::require_room(links_);
    links_.push_back(step);
  }
  component.inside |= marks;
  return component.inside == all;
}

bool Walk::next_move(Move& move) {
  Frame& frame = frames_.back();
  if (preferred_.size() > frame.preferred_begin) {
    move = preferred_.back();
    preferred_.pop_back();
    return true;
  }
  const std::uint32_t state = states_.state(frame.number);
  const std::size_t edges = moves_.has_events()
                                ? moves_.automaton().edges[state].size()
                                : moves_.edges(frame.label, kNoTransition, state).size();
  while (frame.edge < edges) {
    const std::uint32_t t = next_enabled(frame);
    if (t == petri::IndexSet::kNone) {
      ++frame.edge;
      frame.next = frame.stop;
      frame.wrapped = 0;
      continue;
    }
    if (order_ == Order::backward && t == 0)
      frame.wrapped = 1;
    else
      frame.next = order_ == Order::backward ? t - 1 : t + 1;
    const auto& taken = moves_.edges(frame.label, t, state);
    const std::size_t number = is_patient(strategy_) ? edges - 1 - frame.edge : frame.edge;
    if (number >= taken.size()) continue;
    const Automaton::Edge& edge = taken[number];
    move = {t, edge.target, edge.marks};
    return true;
  }
  return false;
}

// The enabled transition that the frame has got to, or the first after it in its order.
std::uint32_t Walk::next_enabled(Frame& frame) const noexcept {
  const petri::IndexSet& enabled = game_.enabled();
  if (enabled.empty()) return petri::IndexSet::kNone;
  if (order_ == Order::backward)
    return frame.wrapped != 0
               ? petri::IndexSet::kNone
               : frame.next = enabled.at_or_before(
                     std::min(frame.next, static_cast<std::uint32_t>(net_->transitions() - 1)));
  std::uint32_t found = enabled.at_or_after(frame.next);
  if (found == petri::IndexSet::kNone && frame.wrapped == 0) {
    frame.wrapped = 1;
    found = enabled.at_or_after(0);
  }
  if (frame.wrapped != 0 && found >= frame.stop) found = petri::IndexSet::kNone;
  frame.next = found;
  return found;
}

// What a dead marking does for ever, or what is promising.
void Walk::prefer_moves() {
  if (game_.enabled().empty()) {
    prefer(kNoTransition);
    return;
  }
  if (strategy_.order == Order::guided) follow_plan();
  if (strategy_.look_ahead) look_ahead();
}

void Walk::prefer(std::uint32_t transition) {
  const Frame& frame = frames_.back();
  const auto& edges = moves_.edges(frame.label, transition, states_.state(frame.number));
  memory::require_room(preferred_, edges.size());
  for (auto edge = edges.rbegin(); edge != edges.rend(); ++edge)
    preferred_.push_back({transition, edge->target, edge->marks});
}

void Walk::look_ahead() {
  const Frame& frame = frames_.back();
  const std::uint32_t state = states_.state(frame.number);
  const auto look_at = [&](std::uint32_t t) {
    const auto& edges = moves_.edges(frame.label, t, state);
    memory::require_room(preferred_, edges.size());
    for (const Automaton::Edge& edge : edges)
      if (leads_to_path(t, edge)) preferred_.push_back({t, edge.target, edge.marks});
  };
  const petri::IndexSet& enabled = game_.enabled();
  if (enabled.size() <= kLookAhead) {
    for (std::uint32_t t = enabled.at_or_after(0); t != petri::IndexSet::kNone;
         t = enabled.at_or_after(t + 1))
      look_at(t);
    return;
  }
  const std::uint32_t fired = reached_by_[frame.number].transition;
  if (fired == kNoTransition) return;
  for (const petri::Change& change : net_->effect(fired))
    if (change.tokens > 0 && net_->takers(change.place).size() <= kLookAhead)
      for (const petri::Taker& taker : net_->takers(change.place))
        if (enabled.contains(taker.transition)) look_at(taker.transition);
}

bool Walk::leads_to_path(std::uint32_t transition, const Automaton::Edge& edge) const {
  const petri::StateId reached = markings_.find(game_.fingerprint_after(transition));
  if (reached == petri::kNoState) return false;
  const Number number = states_.find(reached, edge.target);
  return number != kUnknown && live_[number];
}

// The plan's next step, or that of a new plan.
void Walk::follow_plan() {
  const std::uint32_t state = states_.state(frames_.back().number);
  if (planned_for_ != state) plan_.clear();
  planned_for_ = state;
  for (const bool fresh : {false, true}) {
    if (fresh && pause_left_ > 0) {
      --pause_left_;
      return;
    }
    if (fresh) planner_.plan(game_, letters_, state, plan_);
    const std::size_t window = std::min(plan_.size(), kPlanWindow);
    for (std::size_t i = plan_.size(); i-- > plan_.size() - window;) {
      if (!game_.enabled().contains(plan_[i])) continue;
      prefer(plan_[i]);
      plan_.erase(plan_.begin() + static_cast<std::ptrdiff_t>(i));
      if (fresh) pause_ = 0;
      return;
    }
  }
  pause_ = std::min(2 * pause_ + 1, kLongestPause);
  pause_left_ = pause_;
}

void Walk::note_tokens(std::uint32_t fired) {
  for (const petri::Change& change : net_->effect(fired)) {
    const std::int64_t after = game_.tokens(change.place);
    const std::int64_t larger = change.tokens > 0 ? after : after - change.tokens;
    most_[change.place] = std::max(most_[change.place], larger);
  }
}

void Walk::check_bounded(std::uint32_t fired) {
  for (const petri::Change& change : net_->effect(fired)) {
    if (change.tokens < 0 || game_.tokens(change.place) <= suspicious_) continue;
    if (game_.tokens(change.place) >= (std::int64_t{1} << petri::kMaxFieldBits))
      throw petri::UnboundedNet(change.place);
    if (frames_.empty()) return;
    // The frame of the marking reached is not there yet: its step is the first to go back.
    gained_.assign(net_->places(), 0);
    std::size_t lacking = 0;
    const auto back = [&](std::uint32_t transition) {
      for (const petri::Change& c : net_->effect(transition)) {
        std::int64_t& sum = gained_[c.place];
        lacking -= sum < 0 ? 1 : 0;
        sum += c.tokens;
        lacking += sum < 0 ? 1 : 0;
      }
      return lacking == 0 && gained_[change.place] > 0;
    };
    if (back(fired)) throw petri::UnboundedNet(change.place);
    for (std::size_t i = frames_.size(); i-- > 1;) {
      const std::uint32_t t = reached_by_[frames_[i].number].transition;
      if (t != kNoTransition && back(t)) throw petri::UnboundedNet(change.place);
    }
    suspicious_ = 2 * game_.tokens(change.place);
  }
}

}  // namespace mpisog::product
