// What silent steps lead to: the closure, limited if that is wanted, and single steps.
#pragma once

#include <optional>
#include <utility>

#include "sog/label_steps.hpp"

namespace mpisog::sog {

template <class Sets>
class Closure {
 public:
  using Set = typename Sets::Set;
  struct Closed {
    Set states;
    Set leaving;  // the part in which a step that is not silent may be possible
    bool cut;     // whether it was cut short
  };
  struct Part {
    Set inside, frontier, next;
  };

  Closure(Sets& sets, const Observed<Sets>& observed, const Label& label,
          const LabelSteps<Sets>& steps)
      : sets_(sets), observed_(observed), label_(label), steps_(steps) {}

  Closed close(const Set& states) {
    if (observed_.most_nodes) {
      auto [found, cut] = grow(states, *observed_.most_nodes);
      Set leaving = sets_.enabled(found, steps_.leaving);
      return {std::move(found), std::move(leaving), cut};
    }
    std::optional<Set> found = sets_.close(states, steps_.inside, steps_.kept);
    if (!found) found = in_rounds(states);
    Set leaving = sets_.enabled(*found, steps_.leaving);
    return {std::move(*found), std::move(leaving), false};
  }

  // What silent steps lead to and the closure has not got.
  Set beyond(const Set& ready, const Closed& closed) {
    if (!closed.cut && steps_.postponed == nullptr) return sets_.empty();
    const Set inside = sets_.unite(ready, closed.states);
    Set found = closed.cut ? silent_image(inside) : sets_.empty();
    if (steps_.postponed != nullptr)
      found = sets_.unite(found, same_label(sets_.image(inside, *steps_.postponed)));
    return sets_.subtract(found, closed.states);
  }

  // Some of what silent steps lead to from one marking; what lies beyond; one marking of that.
  Part part(const Set& entry) {
    if (std::optional<Part> found =
            sets_.template explicit_part<Part>(entry, steps_.kept, *observed_.most_markings))
      return std::move(*found);
    Set frontier = sets_.subtract(silent_image(entry), entry);
    Set next = sets_.one_marking(frontier);
    return {entry, std::move(frontier), std::move(next)};
  }

  Set silent_image(const Set& states) {
    Set found = image(states, steps_.free);
    if (steps_.checked == nullptr) return found;
    return sets_.unite(found, same_label(sets_.image(states, *steps_.checked)));
  }

 private:
  using Steps = typename Sets::Steps;

  Set image(const Set& states, Steps* steps) {
    return steps == nullptr ? sets_.empty() : sets_.image(states, *steps);
  }

  // For sets that cannot look at the label while they are closed.
  Set in_rounds(const Set& states) {
    const auto closed = [&](const Set& set) {
      return steps_.free == nullptr ? set : sets_.closure(set, *steps_.free);
    };
    Set reached = closed(states);
    Set front = reached;
    while (!sets_.is_empty(front) && steps_.checked != nullptr) {
      front = sets_.subtract(same_label(sets_.image(front, *steps_.checked)), reached);
      if (sets_.is_empty(front)) break;
      front = sets_.subtract(closed(front), reached);  // what is reached is closed
      reached = sets_.unite(reached, front);
    }
    return reached;
  }

  // One transition after the other, as long as the set is small.
  std::pair<Set, bool> grow(const Set& states, std::size_t bound) {
    Set reached = states;
    while (true) {
      const Set before = reached;
      for (Steps* step : steps_.one_by_one) {
        if (sets_.nodes(reached) > bound) return {reached, true};
        reached = sets_.closure(reached, *step);
      }
      if (steps_.checked != nullptr) {
        if (sets_.nodes(reached) > bound) return {reached, true};
        reached = sets_.unite(reached, same_label(sets_.image(reached, *steps_.checked)));
      }
      if (reached == before) return {reached, false};
    }
  }

  // The markings with the label; deadness is not looked at.
  Set same_label(Set states) {
    for (std::size_t atom = 0; atom < label_.size() && !sets_.is_empty(states); ++atom) {
      if (observed_.says_dead[atom]) continue;
      const Set holding = sets_.filter(states, atom);
      states = label_[atom] ? holding : sets_.subtract(states, holding);
    }
    return states;
  }

  Sets& sets_;
  const Observed<Sets>& observed_;
  const Label& label_;
  const LabelSteps<Sets>& steps_;
};

}  // namespace mpisog::sog
