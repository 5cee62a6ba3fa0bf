// Finds numbers by what they stand for, which whoever numbers keeps: a hash table that holds
// nothing but the numbers and parts of the hashes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "mdd/memory.hpp"
#include "memory/limit.hpp"

namespace mpisog::sog {

class NumberIndex {
 public:
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

  // The number with that hash that `stands_for_it`, or kNone.
  template <class Predicate>
  [[nodiscard]] std::uint32_t find(std::uint64_t hash, Predicate stands_for_it) const {
    const std::uint32_t tag = tag_of(hash);
    for (std::size_t at = home(tag); slots_[at].number != kNone; at = after(at))
      if (slots_[at].tag == tag && stands_for_it(slots_[at].number)) return slots_[at].number;
    return kNone;
  }
  // A number that is not there yet.
  void add(std::uint64_t hash, std::uint32_t number) {
    if (2 * (used_ + 1) > slots_.size()) grow();
    insert({tag_of(hash), number});
    ++used_;
  }
  // A number that is there.
  void remove(std::uint64_t hash, std::uint32_t number) {
    std::size_t hole = home(tag_of(hash));
    while (slots_[hole].number != number) hole = after(hole);
    // What was put behind its place because of this one moves up.
    for (std::size_t at = after(hole); slots_[at].number != kNone; at = after(at)) {
      const std::size_t wanted = home(slots_[at].tag);
      if (((at - wanted) & mask()) < ((at - hole) & mask())) continue;
      slots_[hole] = slots_[at];
      hole = at;
    }
    slots_[hole] = {};
    --used_;
  }

 private:
  struct Slot {
    std::uint32_t tag = 0;
    std::uint32_t number = kNone;
  };
  using Slots = std::vector<Slot, mdd::PageAllocator<Slot>>;
  static constexpr unsigned kFirstBits = 6;

  static std::uint32_t tag_of(std::uint64_t hash) {
    return static_cast<std::uint32_t>((hash * 0x9E3779B97F4A7C15ULL) >> 32);
  }
  [[nodiscard]] std::size_t mask() const { return slots_.size() - 1; }
  [[nodiscard]] std::size_t after(std::size_t at) const { return (at + 1) & mask(); }
  [[nodiscard]] std::size_t home(std::uint32_t tag) const { return tag >> (32 - bits_); }
  void insert(Slot slot) {
    std::size_t at = home(slot.tag);
    while (slots_[at].number != kNone) at = after(at);
    slots_[at] = slot;
  }
  void grow() {
    memory::require_room(slots_, slots_.size());
    Slots old(2 * slots_.size());
    old.swap(slots_);
    ++bits_;
    for (const Slot& slot : old)
      if (slot.number != kNone) insert(slot);
  }

  unsigned bits_ = kFirstBits;
  Slots slots_ = Slots(std::size_t{1} << kFirstBits);
  std::size_t used_ = 0;
};

}  // namespace mpisog::sog
