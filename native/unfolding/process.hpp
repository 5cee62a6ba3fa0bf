// A branching process: events and conditions, which conditions are concurrent, what can be added.
//
// Concurrency is kept as lists. Every grown event has the older conditions that are concurrent with
// it, which its own conditions share; every condition has the later events that are concurrent with
// it. An event becomes part of the process in two steps: `add` makes it known, for a queue; `place`
// gives it its conditions, and `grow` makes them available to others.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "unfolding/limits.hpp"
#include "unfolding/rules.hpp"

namespace mpisog::unfolding {

// Two tokens on one place: the events that put them there. A root stands for the initial marking.
struct Unsafe : std::exception {
  Unsafe(std::uint32_t the_place, std::uint32_t a, std::uint32_t b)
      : place(the_place), first(a), second(b) {}
  std::uint32_t place, first, second;
};

struct Condition {
  std::uint32_t producer;
  std::uint32_t place;
  std::uint32_t first_later = kNone;  // nodes of the list of later concurrent events
  std::uint32_t last_later = kNone;
  std::uint32_t later_count = 0;
  std::uint32_t mark = 0;      // scratch of intersections
  std::uint32_t user = kNone;  // scratch of conflict tests
};

struct Event {
  const std::uint32_t* inputs = nullptr;  // conditions, then the different events that made them
  std::uint32_t input_count = 0;
  std::uint32_t cause_count = 0;
  std::uint32_t rule = kNone;  // none: a root
  std::uint32_t stamp = 0;     // of the last visit
  std::uint64_t hash = 0;      // of the marking that its local configuration leads to
  std::uint32_t size = 0;      // of its local configuration, roots do not count
  std::uint32_t depth = 0;     // its Foata level
  std::uint32_t root = 0;
  std::uint32_t move = kNone;  // the last move of the automaton in its local configuration
  std::uint32_t first_output = 0;
  std::uint32_t output_count = 0;
  const std::uint32_t* concurrent = nullptr;  // older conditions, sorted
  std::uint32_t concurrent_count = 0;
  std::uint64_t key = 0;             // of its mark, once grown
  std::uint32_t next_alike = kNone;  // chain of a table of marks
  std::uint32_t companion = kNone;
  bool terminal = false;
  bool repeat = false;   // an earlier event has the same mark
  bool outside = false;  // some cause is a repeat: not in the complete prefix
};

// A move of the automaton. Moves of one configuration follow each other.
struct Move {
  std::uint32_t event;
  std::uint32_t previous;
  std::uint32_t source;
  std::uint32_t state;
  std::uint32_t accepted;  // moves into accepting states up to this one
  std::uint32_t label = kNone;
};

class Process {
 public:
  Process(const Rules& rules, Limits& limits);

  // A root: a component begins with conditions of these places.
  std::uint32_t add_root(const std::vector<std::uint32_t>& places, const Move* move);
  // An event; `state` and `accepting` are the automaton's after a rule that moves it.
  std::uint32_t add(std::uint32_t rule, std::span<const std::uint32_t> inputs, std::uint32_t state,
                    bool accepting);
  void place(std::uint32_t event);
  void grow(std::uint32_t event);
  // Calls `found(rule, conditions)` for all that uses a condition of the event, grown last.
  template <class Found>
  void extend(std::uint32_t event, Found&& found);

  // The events of a local configuration without its root, in no order.
  const std::vector<std::uint32_t>& configuration(std::uint32_t event);
  // The same in an order in which they can fire.
  std::vector<std::uint32_t> sequence(std::uint32_t event);
  // Whether the events of `configuration`, called last, contain this one.
  [[nodiscard]] bool visited(std::uint32_t event) const { return events[event].stamp == stamp_; }
  bool same_marking(std::uint32_t a, std::uint32_t b);
  bool in_conflict(std::uint32_t a, std::uint32_t b);
  // Whether a comes before b in the order of Esparza, Roemer and Vogler.
  bool precedes(std::uint32_t a, std::uint32_t b);
  // The places that the local configuration marks.
  std::vector<std::uint32_t> marking(std::uint32_t event);

  [[nodiscard]] const Rules& rules() const noexcept { return rules_; }
  [[nodiscard]] Limits& limits() noexcept { return limits_; }
  [[nodiscard]] std::span<const std::uint32_t> inputs(const Event& event) const {
    return {event.inputs, event.input_count};
  }
  [[nodiscard]] std::span<const std::uint32_t> causes(const Event& event) const {
    return {event.inputs + event.input_count, event.cause_count};
  }

  Blocks<Event> events;
  Blocks<Condition> conditions;
  Blocks<Move> moves;
  Figures figures;

 private:
  static constexpr std::size_t kWorthMarking = 4;  // lists up to so many times the shortest

  struct LaterEvents {
    std::uint32_t next = kNone;
    std::uint32_t count = 0;
    std::uint32_t events[6] = {};
  };

  void note_later(std::uint32_t condition, std::uint32_t event);
  template <class Visit>
  void visit_concurrent(std::uint32_t condition, Visit&& visit);
  void intersect_concurrent(const Event& event);
  [[nodiscard]] std::size_t concurrent_estimate(std::uint32_t condition) const;
  [[nodiscard]] bool concurrent(std::uint32_t a, std::uint32_t b) const;
  void sort_by_place(const Event& event);
  bool candidates(const Rule& rule);
  template <class Found>
  void choose(std::uint32_t rule, std::size_t position, Found&& found);
  void work(std::size_t steps) { limits_.work(steps, figures); }
  void add_tokens(std::uint32_t place, std::int32_t count);
  void add_marking(std::uint32_t event, std::int32_t sign);
  [[nodiscard]] std::uint64_t order_label(std::uint32_t event) const;

  const Rules& rules_;
  Limits& limits_;
  Lists lists_;
  Blocks<LaterEvents> later_;
  std::uint32_t stamp_ = 0;

  std::uint32_t mark_ = 0;
  std::uint32_t extending_ = 0;

  // Scratch; what is by place is cleared after use.
  std::vector<std::uint32_t> configuration_;
  std::vector<std::uint32_t> todo_;
  std::vector<std::uint32_t> common_;
  std::vector<std::uint32_t> searched_;
  std::vector<std::vector<std::uint32_t>> by_place_;
  std::vector<std::uint32_t> filled_;
  std::vector<std::uint32_t> rule_seen_;
  std::uint32_t extension_ = 0;
  std::vector<std::uint32_t> open_;  // places of a rule that are chosen for, fewest choices first
  std::vector<std::uint32_t> chosen_;
  std::vector<std::int32_t> tokens_;  // by place
  std::vector<std::uint32_t> touched_;
};

template <class Found>
void Process::extend(std::uint32_t event, Found&& found) {
  sort_by_place(events[event]);
  extending_ = event;
  ++extension_;
  const Event& grown = events[event];
  for (std::uint32_t i = 0; i < grown.output_count; ++i) {
    const std::vector<std::uint32_t>& users =
        rules_.consumers(conditions[grown.first_output + i].place);
    work(users.size());
    for (const std::uint32_t rule : users) {
      if (rule_seen_[rule] == extension_) continue;
      rule_seen_[rule] = extension_;
      if (candidates(rules_[rule])) choose(rule, 0, found);
    }
  }
  for (const std::uint32_t place : filled_) by_place_[place].clear();
  filled_.clear();
}

// Chooses one condition for every place, all concurrent with those chosen before.
template <class Found>
void Process::choose(std::uint32_t rule, std::size_t position, Found&& found) {
  if (position == open_.size()) {
    found(rule, std::span<const std::uint32_t>(chosen_));
    return;
  }
  const std::vector<std::uint32_t>& choices = by_place_[open_[position]];
  work(choices.size());
  for (const std::uint32_t condition : choices) {
    bool fits = true;
    for (std::size_t i = 0; fits && i < position; ++i)
      fits = conditions[chosen_[i]].producer == extending_ || concurrent(chosen_[i], condition);
    if (!fits) continue;
    chosen_[position] = condition;
    choose(rule, position + 1, found);
  }
}

}  // namespace mpisog::unfolding
