#include "unfolding/tableau.hpp"

namespace mpisog::unfolding {

Tableau::Tableau(const Rules& rules, Reader* reader, Limits& limits)
    : process(rules, limits),
      reader_(reader),
      queue_(process),
      table_(process),
      marking_(rules.places()) {}

std::optional<Violation> Tableau::build() {
  try {
    start();
    queue_.run([this](std::uint32_t e, std::uint64_t k) { return cut(e, k); },
               [this](std::uint32_t e, std::uint64_t k) { grow(e, k); });
  } catch (const Found& found) {
    return found.violation;
  }
  return std::nullopt;
}

// The root counts as an event: it is below all others and has a mark.
void Tableau::start() {
  const Rules& rules = process.rules();
  std::uint32_t root = 0;
  if (reader_ == nullptr) {
    root = process.add_root(rules.initial(), nullptr);
  } else {
    const Move first{0, kNone, kNone, reader_->initial(), 0, kNone};
    root = process.add_root(rules.initial(), &first);
    if (reader_->accepts_all(first.state)) throw Found{{root, kNone}};
    note_move(root);
  }
  table_.insert(root, key(root));
  extend(root);
}

// Type I: a cause has the same mark. Type II: an earlier event has, with as many accepting moves.
bool Tableau::cut(std::uint32_t number, std::uint64_t key) {
  Event& event = process.events[number];
  std::uint32_t cause = kNone;
  std::uint32_t earlier = kNone;
  table_.visit(key, [&](std::uint32_t other) {
    if (state(other) != state(number) || !process.same_marking(number, other)) return;
    event.repeat = true;
    const bool more = accepted(other) < accepted(number);
    if (process.visited(other)) {
      if (more) found(number, other);
      cause = other;
    } else if (!more) {
      earlier = other;
    }
  });
  if (cause == kNone && earlier == kNone) return false;
  close(number, cause != kNone ? cause : earlier);
  return true;
}

void Tableau::close(std::uint32_t number, std::uint32_t companion) {
  Event& event = process.events[number];
  event.companion = companion;
  event.terminal = true;
  process.place(number);
  ++process.figures.cutoffs;
}

void Tableau::found(std::uint32_t number, std::uint32_t companion) {
  close(number, companion);
  throw Found{{number, companion}};
}

void Tableau::grow(std::uint32_t number, std::uint64_t key) {
  process.place(number);
  process.grow(number);
  if (process.rules()[process.events[number].rule].moves) note_move(number);
  table_.insert(number, key);
  extend(number);
}

// The label under which the automaton goes on from here, and whether it may stay here for ever.
void Tableau::note_move(std::uint32_t number) {
  const Event& event = process.events[number];
  const std::vector<std::uint32_t> marked = process.marking(number);
  for (const std::uint32_t p : marked) marking_[p] = 1;
  Move& move = process.moves[event.move];
  move.label = reader_->label(marking_);
  for (const std::uint32_t p : marked) marking_[p] = 0;
  if (!event.outside && !event.repeat && reader_->accepts_for_ever(move.state, move.label, false))
    checkpoints_.push_back(number);
}

void Tableau::extend(std::uint32_t number) {
  process.extend(number, [this](std::uint32_t rule, std::span<const std::uint32_t> inputs) {
    if (!process.rules()[rule].moves) {
      push(rule, inputs, 0);
      return;
    }
    std::uint32_t last = 0;  // the move whose token is taken
    for (const std::uint32_t c : inputs)
      if (process.conditions[c].place == process.rules().token())
        last = process.events[process.conditions[c].producer].move;
    const Move& move = process.moves[last];
    const Rule& taken = process.rules()[rule];
    for (const std::uint32_t next : reader_->successors(move.state, move.label, taken.transition))
      if (!taken.must_change || next != move.state) push(rule, inputs, next);
  });
}

void Tableau::push(std::uint32_t rule, std::span<const std::uint32_t> inputs, std::uint32_t state) {
  const bool moves = process.rules()[rule].moves;
  const std::uint32_t event = process.add(rule, inputs, state, moves && reader_->accepting(state));
  if (moves && reader_->accepts_all(state)) found(event, kNone);
  queue_.push(event, key(event));
}

std::uint32_t Tableau::state(std::uint32_t event) const {
  const std::uint32_t move = process.events[event].move;
  return move == kNone ? 0 : process.moves[move].state;
}

std::uint32_t Tableau::accepted(std::uint32_t event) const {
  const std::uint32_t move = process.events[event].move;
  return move == kNone ? 0 : process.moves[move].accepted;
}

// Marking and state of the automaton.
std::uint64_t Tableau::key(std::uint32_t event) const {
  return process.events[event].hash + scatter(~std::uint64_t{state(event)});
}

}  // namespace mpisog::unfolding
