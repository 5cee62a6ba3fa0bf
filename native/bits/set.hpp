// Immutable sets of state numbers below a fixed size: a bitmap, or a sorted list when that is
// smaller.
//
// The form follows from the number of members alone, so equal sets have equal contents.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "petri/store.hpp"

namespace mpisog::bits {

using petri::StateId;
using Word = std::uint64_t;

inline constexpr unsigned kWordBits = 64;

inline std::size_t words_for(StateId universe) noexcept {
  return (std::size_t{universe} + kWordBits - 1) / kWordBits;
}

inline bool test_bit(const Word* words, StateId id) noexcept {
  return ((words[id / kWordBits] >> (id % kWordBits)) & 1U) != 0;
}

inline void set_bit(Word* words, StateId id) noexcept {
  words[id / kWordBits] |= Word{1} << (id % kWordBits);
}

// Calls `visit` with the number of every bit that is set, from `first` on, until it returns false.
template <class Visit>
void for_each_bit(std::span<const Word> words, StateId first, Visit&& visit) {
  Word skipped = (Word{1} << (first % kWordBits)) - 1;
  for (std::size_t w = first / kWordBits; w < words.size(); ++w) {
    for (Word rest = words[w] & ~skipped; rest != 0; rest &= rest - 1) {
      const auto bit = static_cast<std::size_t>(std::countr_zero(rest));
      if (!visit(static_cast<StateId>(w * kWordBits + bit))) return;
    }
    skipped = 0;
  }
}

class Set {
 public:
  // The empty set of numbers below `universe`.
  explicit Set(StateId universe) noexcept : universe_(universe) {}
  static Set full(StateId universe);
  // `members` must be ascending.
  static Set of_members(StateId universe, std::vector<StateId> members);
  // Bits beyond `universe` must be zero.
  static Set of_words(StateId universe, std::vector<Word> words);

  Set(Set&&) noexcept = default;
  Set& operator=(Set&&) noexcept = default;
  Set(const Set&) = delete;
  Set& operator=(const Set&) = delete;
  ~Set() = default;

  [[nodiscard]] StateId universe() const noexcept { return universe_; }
  [[nodiscard]] StateId count() const noexcept { return count_; }
  [[nodiscard]] bool empty() const noexcept { return count_ == 0; }
  [[nodiscard]] bool dense() const noexcept { return is_dense(universe_, count_); }
  [[nodiscard]] bool contains(StateId id) const noexcept;
  [[nodiscard]] StateId smallest() const noexcept;  // of a set that is not empty
  [[nodiscard]] std::uint64_t hash() const noexcept;

  // The contents of the one form or the other.
  [[nodiscard]] std::span<const StateId> members() const noexcept { return members_; }
  [[nodiscard]] std::span<const Word> words() const noexcept { return words_; }

  // Calls `visit` with every member, ascending from `first`, until it returns false.
  template <class Visit>
  void visit_from(StateId first, Visit&& visit) const;
  // Calls `visit` with every member, ascending.
  template <class Visit>
  void for_each(Visit&& visit) const {
    visit_from(0, [&](StateId id) {
      visit(id);
      return true;
    });
  }

  static bool is_dense(StateId universe, StateId count) noexcept {
    return count != 0 && std::size_t{count} * 32 >= universe;
  }

  friend bool operator==(const Set& a, const Set& b) noexcept;
  friend Set unite(const Set& a, const Set& b);
  friend Set intersect(const Set& a, const Set& b);
  friend Set subtract(const Set& a, const Set& b);

 private:
  [[nodiscard]] std::size_t first_at_least(StateId id) const noexcept;

  StateId universe_;
  StateId count_ = 0;
  std::vector<StateId> members_;
  std::vector<Word> words_;
  mutable std::uint64_t hash_ = 0;  // zero until asked for; several threads may ask
};

// They throw std::invalid_argument when the universes differ.
Set unite(const Set& a, const Set& b);
Set intersect(const Set& a, const Set& b);
Set subtract(const Set& a, const Set& b);

// A set in the making that remembers the order in which its members came: a queue for searches.
//
// Its bitmap is lent by the thread and goes back with all bits cleared, member by member: most sets
// are small, and a fresh bitmap for all markings would cost more than what is done with it.
class Collector {
 public:
  explicit Collector(StateId universe);
  ~Collector();
  Collector(const Collector&) = delete;
  Collector& operator=(const Collector&) = delete;

  // Whether it is new.
  bool add(StateId id) {
    if (test_bit(words_.data(), id)) return false;
    members_.push_back(id);  // first: a bit without its member would never be cleared
    set_bit(words_.data(), id);
    return true;
  }
  [[nodiscard]] bool contains(StateId id) const noexcept { return test_bit(words_.data(), id); }
  [[nodiscard]] std::size_t size() const noexcept { return members_.size(); }
  [[nodiscard]] StateId operator[](std::size_t index) const noexcept { return members_[index]; }

  Set finish() &&;

 private:
  void clear() noexcept;

  StateId universe_;
  std::vector<Word> words_;
  std::vector<StateId> members_;
};

// Membership in constant time, while the set lives.
class Lookup {
 public:
  explicit Lookup(const Set& set);
  [[nodiscard]] bool contains(StateId id) const noexcept {
    return own_ ? own_->contains(id) : test_bit(words_, id);
  }

 private:
  std::optional<Collector> own_;  // of a set that is a list
  const Word* words_;
};

template <class Visit>
void Set::visit_from(StateId first, Visit&& visit) const {
  if (dense()) {
    for_each_bit(words_, first, std::forward<Visit>(visit));
    return;
  }
  for (std::size_t i = first == 0 ? 0 : first_at_least(first); i < members_.size(); ++i)
    if (!visit(members_[i])) return;
}

}  // namespace mpisog::bits
