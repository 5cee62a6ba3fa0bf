// The builder over the sets of one backend (mpisog/sog/aggregate.py, mpisog/sog/expansion.py).
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sog/builder.hpp"
#include "sog/closure.hpp"
#include "sog/divergence.hpp"
#include "sog/tables.hpp"

namespace mpisog::sog {

template <class Sets>
class SetBuilder final : public Builder {
 public:
  using Set = typename Sets::Set;
  using Describe = std::function<LabelSteps<Sets>(const Label&)>;

  // `describe` is called once for each label, or by several threads at the same time.
  SetBuilder(Sets sets, Observed<Sets> observed, Label initial_label, Describe describe)
      : sets_(std::move(sets)),
        observed_(std::move(observed)),
        initial_label_(std::move(initial_label)),
        describe_(std::move(describe)) {}

  Entry initial() override { return numbered(initial_label_, sets_.initial()); }

  Built build(Entry entry, bool stuttering) override {
    Moves& moves = labels_.facts(entry.label);
    Parts parts = parts_of(moves, table_[entry.states]);
    Built built;
    Aggregate& aggregate = built.aggregate;
    aggregate.label = entry.label;
    if (stuttering) aggregate.stuttering = how_it_stays(moves, parts);
    built.ready_modes = ready_modes(parts.ready);
    // Numbers come last: nothing that can run out of memory may lose them.
    aggregate.ready = table_.number(std::move(parts.ready));
    aggregate.exit_states = table_.number(std::move(parts.exit_states));
    aggregate.deadlocks = table_.number(std::move(parts.deadlocks));
    aggregate.frontier = table_.number(std::move(parts.frontier));
    aggregate.next = parts.next ? table_.number(*std::move(parts.next)) : kNoSet;
    return built;
  }

  Expansion expand(const Aggregate& aggregate) override {
    std::vector<std::pair<Mode, Classes>> found;
    found.emplace_back(kWaiting, changes(aggregate));
    add_events(found, aggregate.ready, 1);
    add_events(found, aggregate.exit_states, -1);
    Expansion ways;
    ways.reserve(found.size());
    for (auto& [mode, classes] : found) {
      Way& way = ways.emplace_back();
      way.mode = mode;
      way.entries.reserve(classes.size());
      for (auto& [label, states] : classes)
        way.entries.push_back(numbered(label, std::move(states)));
    }
    return ways;
  }

  [[nodiscard]] Label label(LabelId id) const override { return labels_.label(id); }
  [[nodiscard]] std::size_t events() const override { return observed_.events.size(); }

  LabelId number(const Label& label) override { return labels_.number(label); }
  std::string fingerprint(SetId set) override { return sets_.fingerprint(table_[set]); }
  std::string serialise(SetId set) override { return sets_.serialise(table_[set]); }
  SetId deserialise(std::string_view bytes) override {
    return table_.number(sets_.deserialise(bytes));
  }
  std::vector<std::uint64_t> tokens(SetId set, const std::vector<std::uint32_t>& places) override {
    return sets_.tokens(table_[set], places);
  }
  void drop(SetId set) override { table_.drop(set); }
  [[nodiscard]] Occupied occupied() const override { return sets_.occupied(table_.bytes()); }
  void collect_garbage() override { sets_.collect_garbage(); }

  [[nodiscard]] Sets& sets() { return sets_; }
  [[nodiscard]] const Set& set(SetId id) const { return table_[id]; }

 private:
  struct Moves {
    Moves(Sets& sets, const Label& of, LabelSteps<Sets> given)
        : label(of), steps(std::move(given)), cycles(sets, steps) {}
    Label label;
    LabelSteps<Sets> steps;
    CycleMemory<Sets> cycles;
  };
  // The full sets of an aggregate, before what the future does not need is dropped.
  struct Parts {
    Set ready, closed, exit_states, deadlocks, frontier;
    std::optional<Set> next;
  };
  using Classes = std::vector<std::pair<Label, Set>>;

  Closure<Sets> closure(const Moves& moves) {
    return Closure<Sets>(sets_, observed_, moves.label, moves.steps);
  }
  Entry numbered(const Label& label, Set states) {
    return {labels_.number(label), table_.number(std::move(states))};
  }

  Parts parts_of(const Moves& moves, const Set& entry) {
    const Set nothing = sets_.empty();
    if (observed_.most_markings) {
      Set first = sets_.one_marking(entry);
      if (!(first == entry))  // it is only taken apart: all of it lies beyond nothing
        return {nothing, nothing, nothing, nothing, entry, std::move(first)};
    }
    if (observed_.events.empty()) return grown(moves, nothing, entry);
    Set ready = sets_.enabled(entry, observed_.some_event);
    Set waiting = sets_.subtract(entry, ready);
    if (!sets_.is_empty(ready)) waiting = sets_.unite(waiting, closure(moves).silent_image(ready));
    return grown(moves, std::move(ready), waiting);
  }

  // The closed part grows from the waiting markings.
  Parts grown(const Moves& moves, Set ready, const Set& waiting) {
    Parts parts{std::move(ready), sets_.empty(), sets_.empty(), sets_.empty(), sets_.empty(), {}};
    if (observed_.most_markings) {
      auto found = closure(moves).part(waiting);
      parts.exit_states = sets_.enabled(found.inside, moves.steps.leaving);
      parts.closed = std::move(found.inside);
      parts.frontier = std::move(found.frontier);
      parts.next = std::move(found.next);
    } else {
      auto found = closure(moves).close(waiting);
      parts.frontier = closure(moves).beyond(parts.ready, found);
      parts.closed = std::move(found.states);
      parts.exit_states = std::move(found.leaving);
    }
    if (moves.steps.when_dead) take_deadlocks_out(parts);
    return parts;
  }

  // Dead markings have no step, so that none of them is among those that can be left.
  void take_deadlocks_out(Parts& parts) {
    parts.deadlocks = sets_.dead(sets_.unite(parts.closed, parts.frontier));
    parts.closed = sets_.subtract(parts.closed, parts.deadlocks);
    parts.frontier = sets_.subtract(parts.frontier, parts.deadlocks);
    if (parts.next) parts.next = sets_.subtract(*parts.next, parts.deadlocks);
  }

  Stuttering how_it_stays(Moves& moves, const Parts& parts) {
    Stuttering found{.known = true};
    found.divergent = moves.cycles.has_cycle(parts.closed, sets_.is_empty(parts.frontier));
    if (observed_.tell_both || !found.divergent)
      found.dead = !sets_.is_empty(sets_.dead(parts.closed));
    return found;
  }

  std::vector<Mode> ready_modes(const Set& ready) {
    std::vector<Mode> modes;
    if (sets_.is_empty(ready)) return modes;
    for (std::size_t event = 0; event < observed_.events.size(); ++event)
      if (!sets_.is_empty(sets_.enabled(ready, observed_.event_enabled[event])))
        modes.push_back(static_cast<Mode>(event) + 1);
    return modes;
  }

  void add_events(std::vector<std::pair<Mode, Classes>>& ways, SetId from, int sign) {
    if (from == kEmptySet) return;
    for (std::size_t event = 0; event < observed_.events.size(); ++event) {
      Classes found = sets_.split(sets_.image(table_[from], *observed_.events[event]));
      if (found.empty()) continue;
      ways.emplace_back(sign * (static_cast<Mode>(event) + 1), std::move(found));
    }
  }

  Classes changes(const Aggregate& aggregate) {
    const Moves& moves = labels_.facts(aggregate.label);
    Classes found = exits(moves, aggregate);
    // Steps that keep the label were silent, so their ends are in the aggregate or its frontier.
    if (observed_.precise)
      std::erase_if(found, [&](const auto& part) { return part.first == moves.label; });
    const Set& frontier = table_[aggregate.frontier];
    if (aggregate.next != kNoSet) {
      const Set& next = table_[aggregate.next];
      for (const Set& part : {next, sets_.subtract(frontier, next)})
        if (!sets_.is_empty(part)) found.emplace_back(moves.label, part);
    } else if (aggregate.frontier != kEmptySet) {
      join(found, moves.label, frontier);
    }
    if (aggregate.deadlocks != kEmptySet)
      join(found, *moves.steps.when_dead, table_[aggregate.deadlocks]);
    return found;
  }

  Classes exits(const Moves& moves, const Aggregate& aggregate) {
    if (moves.steps.exits == nullptr) return {};
    const Set& exit_states = table_[aggregate.exit_states];
    if (aggregate.ready == kEmptySet)
      return sets_.split(sets_.image(exit_states, *moves.steps.exits));
    const Set all = sets_.unite(table_[aggregate.ready], exit_states);
    return sets_.split(sets_.image(all, *moves.steps.exits));
  }

  void join(Classes& classes, const Label& label, const Set& states) {
    const auto same = std::find_if(classes.begin(), classes.end(),
                                   [&](const auto& part) { return part.first == label; });
    if (same == classes.end())
      classes.emplace_back(label, states);
    else
      same->second = sets_.unite(same->second, states);
  }

  Sets sets_;
  Observed<Sets> observed_;
  Label initial_label_;
  Describe describe_;
  SetTable<Sets> table_{sets_};
  LabelTable<Moves> labels_{[this](const Label& label) {
    return std::make_unique<Moves>(sets_, label, describe_(label));
  }};
};

}  // namespace mpisog::sog
