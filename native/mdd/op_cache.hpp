// Lossy memo of operation results, shared by all threads without locks.
//
// An entry is two words. The second one carries the result, the kind of operation and a version
// that is odd while a writer is busy, so a reader that finds the same even version before and after
// has seen one entry.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <span>

#include "memory.hpp"
#include "types.hpp"

namespace mpisog::mdd {

// The first kinds have two nodes as operands, kTagged has a tag (relation, suffix, form) and a
// node.
enum class Op : std::uint8_t { kNone, kUnion, kIntersection, kDifference, kSubset, kTagged };

inline std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
  const auto product =
      static_cast<unsigned __int128>(a ^ 0x9E3779B97F4A7C15ULL) * (b ^ 0xD6E8FEB86659FD93ULL);
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

class OpCache {
 public:
  OpCache(std::size_t initial_entries, std::size_t max_entries, bool shared);

  bool find(Op op, std::uint32_t x, std::uint32_t y, NodeId& result) const {
    const std::uint64_t key = pack(x, y);
    Entry& entry = slot(op, key);
    const std::uint64_t before = std::atomic_ref(entry.value).load(std::memory_order_acquire);
    if (kind(before) != op || (before & kBusy) != 0) return false;
    if (std::atomic_ref(entry.key).load(std::memory_order_acquire) != key) return false;
    if (shared_ && std::atomic_ref(entry.value).load(std::memory_order_relaxed) != before)
      return false;
    result = static_cast<NodeId>(before);
    return true;
  }

  // Rows of lookups wait for memory mostly: asking for the entries in advance overlaps the waiting.
  void prefetch(Op op, std::uint32_t x, std::uint32_t y) const {
    __builtin_prefetch(&slot(op, pack(x, y)));
  }

  void store(Op op, std::uint32_t x, std::uint32_t y, NodeId result) {
    const std::uint64_t key = pack(x, y);
    Entry& entry = slot(op, key);
    std::atomic_ref value(entry.value);
    std::uint64_t old = value.load(std::memory_order_relaxed);
    const std::uint64_t fresh = (((old >> kVersionShift) + 2) << kVersionShift) |
                                (static_cast<std::uint64_t>(op) << kKindShift) | result;
    if (shared_) {
      // Another writer at work on this entry: losing a memo is cheaper than waiting.
      if ((old & kBusy) != 0) return;
      if (!value.compare_exchange_strong(old, old | kBusy, std::memory_order_acq_rel)) return;
    }
    std::atomic_ref(entry.key).store(key, std::memory_order_release);
    value.store(fresh, std::memory_order_release);
  }

  // The remaining functions need all other threads to be stopped.
  bool can_grow() const { return size() < max_entries_; }
  std::span<std::byte> growth() const {  // what it will use after it has grown
    return memory_.part(bytes(), bytes() << bits_to_grow());
  }
  void grow();
  void shrink();  // forgets all, and gives back all but what it began with
  template <class IsLive>
  void keep_if(IsLive is_live);

  std::size_t size() const { return std::size_t{1} << bits_; }
  std::size_t bytes() const { return size() * sizeof(Entry); }

 private:
  struct Entry {
    std::uint64_t key;
    std::uint64_t value;
  };
  static constexpr std::size_t kSmall = std::size_t{1} << 20;
  static constexpr unsigned kKindShift = 32;
  static constexpr unsigned kVersionShift = 36;
  static constexpr std::uint64_t kBusy = std::uint64_t{1} << kVersionShift;

  static std::uint64_t pack(std::uint32_t x, std::uint32_t y) {
    return (std::uint64_t{x} << 32) | y;
  }
  static Op kind(std::uint64_t value) { return static_cast<Op>((value >> kKindShift) & 15U); }
  // Neighbouring edges of a node often lead to nodes made one after the other, so that their
  // entries are best neighbours too: the operand that varies is added to the hash, not hashed. Of
  // two varying operands the distance stays the same.
  Entry& slot(Op op, std::uint64_t key) const {
    const auto x = static_cast<std::uint32_t>(key >> 32);
    const auto y = static_cast<std::uint32_t>(key);
    const std::uint64_t fixed = op == Op::kTagged ? x : std::uint64_t{y - x} << 8;
    const std::uint64_t base = mix(fixed, static_cast<std::uint64_t>(op));
    return entries_[(base + y / 2) & mask_];
  }

  unsigned bits_to_grow() const {  // touching fresh memory is not for nothing
    return size() <= kSmall && size() * 4 <= max_entries_ ? 2 : 1;
  }

  std::size_t max_entries_;
  unsigned least_bits_;
  Reservation memory_;
  Entry* entries_;
  unsigned bits_;
  std::uint64_t mask_;
  bool shared_;
};

inline OpCache::OpCache(std::size_t initial_entries, std::size_t max_entries, bool shared)
    : max_entries_(std::max(std::bit_floor(max_entries), std::bit_ceil(initial_entries))),
      least_bits_(static_cast<unsigned>(std::countr_zero(std::bit_ceil(initial_entries)))),
      memory_(max_entries_ * sizeof(Entry), kSmall * sizeof(Entry)),
      entries_(memory_.as<Entry>()),
      bits_(least_bits_),
      mask_(size() - 1),
      shared_(shared) {}

// In place, because fresh memory is dear: an entry stays, or moves to where its longer index says,
// which is in the new part.
inline void OpCache::grow() {
  const std::size_t old_size = size();
  bits_ += bits_to_grow();
  mask_ = size() - 1;
  for (std::size_t i = 0; i < old_size; ++i) {
    Entry& entry = entries_[i];
    const Op op = kind(entry.value);
    if (op == Op::kNone) continue;
    Entry& place = slot(op, entry.key);
    if (&place == &entry) continue;
    place = entry;
    entry = Entry{0, 0};
  }
}

inline void OpCache::shrink() {
  bits_ = least_bits_;
  mask_ = size() - 1;
  std::fill_n(entries_, size(), Entry{0, 0});
  memory_.discard_from(bytes());
}

template <class IsLive>
void OpCache::keep_if(IsLive is_live) {
  for (std::size_t i = 0; i < size(); ++i) {
    Entry& entry = entries_[i];
    const Op op = kind(entry.value);
    if (op == Op::kNone) continue;
    const auto x = static_cast<NodeId>(entry.key >> 32);
    const auto y = static_cast<NodeId>(entry.key);
    const bool keep = (op == Op::kTagged || is_live(x)) && is_live(y) &&
                      is_live(static_cast<NodeId>(entry.value));
    if (!keep) entry = Entry{0, 0};
  }
}

}  // namespace mpisog::mdd
