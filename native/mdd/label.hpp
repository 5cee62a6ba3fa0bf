// Labels: conditions on markings with the truth each must have, followed level by level.
#pragma once

#include <atomic>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <vector>

#include "linear_form.hpp"
#include "relation.hpp"
#include "types.hpp"

namespace mpisog::mdd {

// A linear comparison, or that some event is enabled; and whether that must hold or must not.
struct Condition {
  std::optional<LinearConstraint> comparison;
  std::vector<Event> enabled;  // looked at when there is no comparison
  bool truth = true;
};

// An automaton that reads the values of a marking from the top and knows what is left of the
// conditions. States are made when they are first met. Safe in several threads at once.
class Label {
 public:
  struct State {
    std::uint32_t id = 0;
    Level level = 0;        // the next one that matters
    std::uint32_t tag = 0;  // the first of its keys in the operation cache
  };
  static constexpr std::uint32_t kNothing = 0;     // no marking from here on has the label
  static constexpr std::uint32_t kEverything = 1;  // all have it

  // Every state takes that many keys from `tags`.
  Label(Level levels, const std::vector<Condition>& conditions, std::uint32_t keys,
        std::atomic<std::uint32_t>& tags);

  State start() const { return start_; }
  static std::uint64_t step(State state, Value value) {
    return std::uint64_t{state.id} << 32 | value;
  }
  // The state after the level that matters has been read. Throws TooComplex.
  State below(State state, Value value);

 private:
  struct Atom {
    std::optional<LinearForm> form;
    bool truth;
  };
  // What is left, for one atom after the other: its index, then of a comparison the position and
  // the two halves of the rest, of the others the number of suffixes and these, ascending.
  using Rest = std::vector<std::int64_t>;
  using Reader = Rest::const_iterator;

  State read(State state, Value value);
  State known(const Rest& rest);
  Level next_level(const Rest& rest) const;
  // Add what is left of an atom to the rest of the label; false when the atom has the wrong truth.
  bool add_comparison(Rest& rest, std::size_t atom, std::size_t position, Wide left) const;
  bool add_suffixes(Rest& rest, std::size_t atom, std::vector<SuffixId> left) const;
  bool read_comparison(Rest& rest, Reader& at, Level level, Value value) const;
  bool read_suffixes(Rest& rest, Reader& at, Level level, Value value) const;

  std::uint32_t keys_;
  std::atomic<std::uint32_t>& tags_;
  SuffixTable suffixes_{tags_};
  std::vector<Atom> atoms_;
  State start_;
  std::mutex mutex_;
  std::map<Rest, State> known_;
  std::deque<Rest> rests_;  // by state
  std::unordered_map<std::uint64_t, State> steps_;
  std::size_t numbers_ = 0;
};

// A label on its way down a diagram, for one operation: it remembers the steps it has taken, so as
// not to wait for other threads.
class LabelWalk {
 public:
  explicit LabelWalk(Label& label) : label_(label) {}

  Label::State below(Label::State state, Level level, Value value) {
    if (level != state.level) return state;
    const auto [place, is_new] = steps_.try_emplace(Label::step(state, value));
    if (is_new) place->second = label_.below(state, value);
    return place->second;
  }

 private:
  Label& label_;
  std::unordered_map<std::uint64_t, Label::State> steps_;
};

}  // namespace mpisog::mdd
