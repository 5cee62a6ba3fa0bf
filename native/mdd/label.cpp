#include "label.hpp"

#include <algorithm>
#include <limits>

namespace mpisog::mdd {

namespace {

constexpr std::size_t kMaxStates = 1U << 16;
constexpr std::size_t kMaxNumbers = 1U << 22;   // in all states together
constexpr std::size_t kMaxSteps = 1U << 18;     // to remember
constexpr std::uint32_t kMaxTag = 0xC0000000U;  // keys must never be given out twice
constexpr Level kNoLevel = std::numeric_limits<Level>::max();

Wide joined(std::int64_t high, std::int64_t low) {
  return static_cast<Wide>(high) * (static_cast<Wide>(1) << 64) + static_cast<std::uint64_t>(low);
}

}  // namespace

Label::Label(Level levels, const std::vector<Condition>& conditions, std::uint32_t keys,
             std::atomic<std::uint32_t>& tags)
    : keys_(keys), tags_(tags), rests_(2) {
  Rest rest;
  bool possible = true;
  for (const Condition& condition : conditions) {
    const std::size_t atom = atoms_.size();
    atoms_.push_back({std::nullopt, condition.truth});
    if (condition.comparison) {
      atoms_.back().form.emplace(*condition.comparison);
      possible = possible && add_comparison(rest, atom, 0, atoms_.back().form->constant());
    } else {
      std::vector<SuffixId> left;
      for (const Event& event : condition.enabled)
        left.push_back(suffixes_.add(without_effect(normalised(event, levels)), 0));
      possible = possible && add_suffixes(rest, atom, std::move(left));
    }
  }
  start_ = possible ? known(rest) : State{kNothing, kNoLevel, 0};
}

Label::State Label::below(State state, Value value) {
  const std::lock_guard lock(mutex_);
  const std::uint64_t key = step(state, value);
  if (const auto place = steps_.find(key); place != steps_.end()) return place->second;
  const State next = read(state, value);
  if (steps_.size() < kMaxSteps) steps_.emplace(key, next);
  return next;
}

Label::State Label::read(State state, Value value) {
  const Rest& before = rests_[state.id];
  Rest after;
  for (Reader at = before.begin(); at != before.end();) {
    const bool holds = atoms_[static_cast<std::size_t>(*at)].form
                           ? read_comparison(after, at, state.level, value)
                           : read_suffixes(after, at, state.level, value);
    if (!holds) return {kNothing, kNoLevel, 0};
  }
  return known(after);
}

Label::State Label::known(const Rest& rest) {
  if (rest.empty()) return {kEverything, kNoLevel, 0};
  if (const auto place = known_.find(rest); place != known_.end()) return place->second;
  // A state that is given up on must not be found the next time.
  if (rests_.size() >= kMaxStates || numbers_ + rest.size() > kMaxNumbers) throw TooComplex();
  const std::uint32_t tag = tags_.fetch_add(keys_, std::memory_order_relaxed);
  if (tag > kMaxTag) throw OutOfMemory("the keys of the operation cache are used up");
  const State state{static_cast<std::uint32_t>(rests_.size()), next_level(rest), tag};
  rests_.push_back(rest);
  numbers_ += rest.size();
  known_.emplace(rest, state);
  return state;
}

Level Label::next_level(const Rest& rest) const {
  Level next = kNoLevel;
  for (Reader at = rest.begin(); at != rest.end();) {
    const Atom& atom = atoms_[static_cast<std::size_t>(*at++)];
    if (atom.form) {
      next = std::min(next, atom.form->terms()[static_cast<std::size_t>(*at)].level);
      at += 3;
    } else {
      const auto count = *at++;
      for (auto i = count; i > 0; --i)
        next = std::min(next, suffixes_[static_cast<SuffixId>(*at++)].level);
    }
  }
  return next;
}

bool Label::add_comparison(Rest& rest, std::size_t atom, std::size_t position, Wide left) const {
  bool holds = false;
  if (atoms_[atom].form->decided(position, left, holds)) return holds == atoms_[atom].truth;
  rest.insert(rest.end(), {static_cast<std::int64_t>(atom), static_cast<std::int64_t>(position),
                           static_cast<std::int64_t>(left >> 64), static_cast<std::int64_t>(left)});
  return true;
}

bool Label::add_suffixes(Rest& rest, std::size_t atom, std::vector<SuffixId> left) const {
  if (left.empty()) return !atoms_[atom].truth;
  std::sort(left.begin(), left.end());
  left.erase(std::unique(left.begin(), left.end()), left.end());
  if (left.back() == kDone) return atoms_[atom].truth;  // the largest number: one is enabled
  rest.push_back(static_cast<std::int64_t>(atom));
  rest.push_back(static_cast<std::int64_t>(left.size()));
  rest.insert(rest.end(), left.begin(), left.end());
  return true;
}

bool Label::read_comparison(Rest& rest, Reader& at, Level level, Value value) const {
  const auto atom = static_cast<std::size_t>(at[0]);
  auto position = static_cast<std::size_t>(at[1]);
  Wide left = joined(at[2], at[3]);
  at += 4;
  const LinearTerm& term = atoms_[atom].form->terms()[position];
  if (term.level == level) {
    left -= Wide{term.coefficient} * value;
    ++position;
  }
  return add_comparison(rest, atom, position, left);
}

bool Label::read_suffixes(Rest& rest, Reader& at, Level level, Value value) const {
  const auto atom = static_cast<std::size_t>(*at++);
  std::vector<SuffixId> left;
  for (auto count = *at++; count > 0; --count) {
    const auto id = static_cast<SuffixId>(*at++);
    const Suffix& suffix = suffixes_[id];
    if (suffix.level != level) {
      left.push_back(id);
    } else if (value >= suffix.at_least && value <= suffix.at_most) {
      left.push_back(suffix.next);
    }
  }
  return add_suffixes(rest, atom, std::move(left));
}

}  // namespace mpisog::mdd
