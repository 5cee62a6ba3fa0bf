#include "unfolding/process.hpp"

#include <algorithm>
#include <tuple>

namespace mpisog::unfolding {

Process::Process(const Rules& rules, Limits& limits)
    : events(limits),
      conditions(limits),
      moves(limits),
      rules_(rules),
      limits_(limits),
      lists_(limits),
      later_(limits),
      by_place_(rules.places()),
      rule_seen_(rules.size()),
      tokens_(rules.places()) {}

std::uint32_t Process::add_root(const std::vector<std::uint32_t>& places, const Move* move) {
  Event root;
  root.first_output = static_cast<std::uint32_t>(conditions.size());
  root.output_count = static_cast<std::uint32_t>(places.size());
  root.root = static_cast<std::uint32_t>(events.size());
  for (const std::uint32_t p : places) root.hash += scatter(p);
  if (move != nullptr) {
    root.move = moves.push(*move);
    ++root.output_count;
  }
  const std::uint32_t number = events.push(root);
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (i > 0 && places[i] == places[i - 1]) throw Unsafe(places[i], number, number);
    conditions.push({number, places[i]});
  }
  figures.conditions += places.size();
  if (move != nullptr) conditions.push({number, rules_.token()});
  return number;
}

std::uint32_t Process::add(std::uint32_t rule, std::span<const std::uint32_t> inputs,
                           std::uint32_t state, bool accepting) {
  Event event;
  event.rule = rule;
  common_.assign(inputs.begin(), inputs.end());
  for (const std::uint32_t c : inputs) common_.push_back(conditions[c].producer);
  const auto producers = common_.begin() + static_cast<std::ptrdiff_t>(inputs.size());
  std::sort(producers, common_.end());
  common_.erase(std::unique(producers, common_.end()), common_.end());
  event.input_count = static_cast<std::uint32_t>(inputs.size());
  event.cause_count = static_cast<std::uint32_t>(common_.size() - inputs.size());
  event.inputs = lists_.store(common_);
  for (const std::uint32_t cause : causes(event)) {
    const Event& before = events[cause];
    event.root = before.root;
    event.depth = std::max(event.depth, before.depth + 1);
    event.outside = event.outside || before.outside || before.repeat;
    // Moves of one configuration follow each other: the one added last is the last one.
    if (before.move != kNone && (event.move == kNone || event.move < before.move))
      event.move = before.move;
  }
  const std::uint32_t number = events.push(event);
  Event& added = events[number];
  if (rules_[rule].moves) {
    const Move last = moves[event.move];
    added.move = moves.push(
        {number, event.move, last.state, state, last.accepted + (accepting ? 1 : 0), kNone});
  }
  if (event.cause_count == 1) {
    const Event& cause = events[common_.back()];
    added.size = cause.size + 1;
    added.hash = cause.hash + rules_[rule].effect;
  } else {
    added.hash = events[event.root].hash;
    for (const std::uint32_t e : configuration(number)) added.hash += rules_[events[e].rule].effect;
    added.size = static_cast<std::uint32_t>(configuration_.size());
  }
  return number;
}

void Process::place(std::uint32_t number) {
  Event& event = events[number];
  event.first_output = static_cast<std::uint32_t>(conditions.size());
  const std::vector<std::uint32_t>& outputs = rules_[event.rule].outputs;
  event.output_count = static_cast<std::uint32_t>(outputs.size());
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    // Outputs are sorted but for a place of the transition's own and the token's.
    if (i > 0 && outputs[i] == outputs[i - 1]) throw Unsafe(outputs[i], number, number);
    conditions.push({number, outputs[i]});
  }
  ++figures.events;
  figures.conditions += outputs.size();
}

void Process::grow(std::uint32_t number) {
  Event& event = events[number];
  if (event.rule == kNone) return;  // conditions of a root are concurrent with each other only
  intersect_concurrent(event);
  event.concurrent = lists_.store(common_);
  event.concurrent_count = static_cast<std::uint32_t>(common_.size());
  for (const std::uint32_t c : common_) {
    for (std::uint32_t i = 0; i < event.output_count; ++i)
      if (conditions[event.first_output + i].place == conditions[c].place)
        throw Unsafe(conditions[c].place, conditions[c].producer, number);
    note_later(c, number);
  }
  work(common_.size());
}

void Process::note_later(std::uint32_t condition, std::uint32_t event) {
  Condition& noting = conditions[condition];
  if (noting.last_later == kNone || later_[noting.last_later].count == 6) {
    const std::uint32_t node = later_.push({});
    if (noting.last_later == kNone)
      noting.first_later = node;
    else
      later_[noting.last_later].next = node;
    noting.last_later = node;
  }
  LaterEvents& node = later_[noting.last_later];
  node.events[node.count++] = event;
  ++noting.later_count;
}

// In increasing order.
template <class Visit>
void Process::visit_concurrent(std::uint32_t condition, Visit&& visit) {
  const Condition& start = conditions[condition];
  const Event& producer = events[start.producer];
  std::size_t steps = producer.concurrent_count;
  for (std::uint32_t i = 0; i < producer.concurrent_count; ++i) visit(producer.concurrent[i]);
  for (std::uint32_t i = 0; i < producer.output_count; ++i)
    if (producer.first_output + i != condition) visit(producer.first_output + i);
  for (std::uint32_t n = start.first_later; n != kNone; n = later_[n].next) {
    const LaterEvents& node = later_[n];
    for (std::uint32_t i = 0; i < node.count; ++i) {
      const Event& later = events[node.events[i]];
      for (std::uint32_t o = 0; o < later.output_count; ++o) visit(later.first_output + o);
    }
    steps += 2 * node.count;
  }
  work(steps);
}

// Leaves in `common_` what is concurrent with all inputs of an event. The shortest list is gone
// through; lists that are not much longer are marked before, others are searched.
void Process::intersect_concurrent(const Event& event) {
  const std::span<const std::uint32_t> from = inputs(event);
  const auto shorter = [&](std::uint32_t a, std::uint32_t b) {
    return concurrent_estimate(a) < concurrent_estimate(b);
  };
  const std::uint32_t base = *std::min_element(from.begin(), from.end(), shorter);
  const std::size_t long_list = kWorthMarking * (concurrent_estimate(base) + 1);
  std::uint32_t marked = mark_;
  searched_.clear();
  for (const std::uint32_t other : from) {
    if (other == base) continue;
    if (concurrent_estimate(other) > long_list) {
      searched_.push_back(other);
      continue;
    }
    visit_concurrent(other, [&](std::uint32_t c) {
      std::uint32_t& mark = conditions[c].mark;
      if (marked == mark_ || mark == marked) mark = marked + 1;
    });
    ++marked;
  }
  common_.clear();
  visit_concurrent(base, [&](std::uint32_t c) {
    if (marked != mark_ && conditions[c].mark != marked) return;
    for (const std::uint32_t other : searched_)
      if (!concurrent(c, other)) return;
    common_.push_back(c);
  });
  mark_ = marked + 1;
}

std::size_t Process::concurrent_estimate(std::uint32_t condition) const {
  const Condition& asked = conditions[condition];
  return events[asked.producer].concurrent_count + 2 * asked.later_count;
}

bool Process::concurrent(std::uint32_t a, std::uint32_t b) const {
  const auto [older, newer] = std::minmax(a, b);
  if (older == newer) return false;
  const std::uint32_t producer = conditions[newer].producer;
  if (producer == conditions[older].producer) return true;
  const Event& event = events[producer];
  return std::binary_search(event.concurrent, event.concurrent + event.concurrent_count, older);
}

void Process::sort_by_place(const Event& event) {
  const auto put = [&](std::uint32_t condition) {
    const std::uint32_t place = conditions[condition].place;
    if (by_place_[place].empty()) filled_.push_back(place);
    by_place_[place].push_back(condition);
  };
  for (std::uint32_t i = 0; i < event.concurrent_count; ++i) put(event.concurrent[i]);
  for (std::uint32_t i = 0; i < event.output_count; ++i) put(event.first_output + i);
  work(event.concurrent_count);
}

bool Process::candidates(const Rule& rule) {
  for (const std::uint32_t place : rule.inputs)
    if (by_place_[place].empty()) return false;
  open_ = rule.inputs;
  if (open_.size() > 1)
    std::sort(open_.begin(), open_.end(), [&](std::uint32_t a, std::uint32_t b) {
      return by_place_[a].size() < by_place_[b].size();
    });
  chosen_.resize(open_.size());
  return true;
}

const std::vector<std::uint32_t>& Process::configuration(std::uint32_t event) {
  ++stamp_;
  configuration_.clear();
  todo_.assign(1, event);
  events[event].stamp = stamp_;
  while (!todo_.empty()) {
    const std::uint32_t number = todo_.back();
    todo_.pop_back();
    const Event& here = events[number];
    if (here.rule == kNone) continue;
    configuration_.push_back(number);
    for (const std::uint32_t cause : causes(here)) {
      if (events[cause].stamp == stamp_) continue;
      events[cause].stamp = stamp_;
      todo_.push_back(cause);
    }
  }
  work(configuration_.size());
  return configuration_;
}

std::vector<std::uint32_t> Process::sequence(std::uint32_t event) {
  std::vector<std::uint32_t> result = configuration(event);
  std::sort(result.begin(), result.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::tuple(events[a].depth, a) < std::tuple(events[b].depth, b);
  });
  return result;
}

void Process::add_tokens(std::uint32_t place, std::int32_t count) {
  if (tokens_[place] == 0) touched_.push_back(place);
  tokens_[place] += count;
}

void Process::add_marking(std::uint32_t event, std::int32_t sign) {
  for (const std::uint32_t e : configuration(event)) {
    const Rule& rule = rules_[events[e].rule];
    for (const std::uint32_t p : rule.inputs) add_tokens(p, -sign);
    for (const std::uint32_t p : rule.outputs) add_tokens(p, sign);
  }
  const Event& root = events[events[event].root];
  for (std::uint32_t i = 0; i < root.output_count; ++i)
    add_tokens(conditions[root.first_output + i].place, sign);
}

bool Process::same_marking(std::uint32_t a, std::uint32_t b) {
  if (events[a].hash != events[b].hash) return false;
  add_marking(b, -1);
  add_marking(a, 1);  // last, so that its configuration is the one visited
  bool same = true;
  for (const std::uint32_t p : touched_) {
    same = same && tokens_[p] == 0;
    tokens_[p] = 0;
  }
  touched_.clear();
  return same;
}

std::vector<std::uint32_t> Process::marking(std::uint32_t event) {
  add_marking(event, 1);
  std::vector<std::uint32_t> marked;
  for (const std::uint32_t p : touched_) {
    if (tokens_[p] > 0 && p != rules_.token()) marked.push_back(p);
    tokens_[p] = 0;
  }
  touched_.clear();
  std::sort(marked.begin(), marked.end());
  return marked;
}

bool Process::in_conflict(std::uint32_t a, std::uint32_t b) {
  const std::vector<std::uint32_t> first = configuration(a);
  for (const std::uint32_t e : first)
    for (const std::uint32_t c : inputs(events[e])) conditions[c].user = e;
  bool conflict = false;
  for (const std::uint32_t e : configuration(b))
    for (const std::uint32_t c : inputs(events[e]))
      conflict = conflict || (conditions[c].user != kNone && conditions[c].user != e);
  for (const std::uint32_t e : first)
    for (const std::uint32_t c : inputs(events[e])) conditions[c].user = kNone;
  return conflict;
}

// Transition, then the automaton's states before and after, if it moves.
std::uint64_t Process::order_label(std::uint32_t number) const {
  const Event& event = events[number];
  const Rule& rule = rules_[event.rule];
  const std::uint64_t transition = std::uint64_t{rule.transition} << 32;
  if (!rule.moves) return transition;
  const Move& move = moves[event.move];
  return transition | (std::uint64_t{move.source + 1} << 16) | move.state;
}

bool Process::precedes(std::uint32_t a, std::uint32_t b) {
  if (events[a].size != events[b].size) return events[a].size < events[b].size;
  using Labels = std::vector<std::pair<std::uint32_t, std::uint64_t>>;  // with Foata levels
  const auto labels = [&](std::uint32_t event) {
    Labels result;
    for (const std::uint32_t e : configuration(event))
      result.emplace_back(events[e].depth, order_label(e));
    return result;
  };
  Labels first = labels(a);
  Labels second = labels(b);
  const auto by_label = [](const auto& x, const auto& y) { return x.second < y.second; };
  std::sort(first.begin(), first.end(), by_label);
  std::sort(second.begin(), second.end(), by_label);
  for (std::size_t i = 0; i < first.size(); ++i)
    if (first[i].second != second[i].second) return first[i].second < second[i].second;
  std::sort(first.begin(), first.end());
  std::sort(second.begin(), second.end());
  for (std::size_t i = 0; i < first.size(); ++i) {
    // A level that ends first is a prefix of the other, hence less.
    if (first[i].first != second[i].first) return first[i].first > second[i].first;
    if (first[i].second != second[i].second) return first[i].second < second[i].second;
  }
  return false;
}

}  // namespace mpisog::unfolding
