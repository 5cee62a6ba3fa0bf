// A concurrent hash index from markings to their numbers.
//
// Open addressing in shards. An entry is a number and 32 hash bits, so that shards grow without
// touching the markings. Threads look up and insert without any lock; an insertion is one
// compare-and-swap. Growing needs all threads to pause, and goes shard by shard on all threads, so
// that only a few shards exist twice at any time.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "mclcd/memory.hpp"
#include "petri/store.hpp"

namespace mpisog::mclcd {

using petri::StateId;

class Index {
 public:
  Index(MemoryAccount& account, unsigned threads);
  ~Index();
  Index(const Index&) = delete;
  Index& operator=(const Index&) = delete;

  // Room for this many insertions, or false: then the index has to grow first.
  bool claim_room(std::size_t insertions) noexcept;

  void prefetch(std::uint64_t hash) const noexcept {
    const Place place = home(tag_of(hash));
    __builtin_prefetch(&shards_[place.shard].entries[place.slot]);
  }
  // A number that is filed where the hash belongs and has its bits, or kNoState; a hint only.
  [[nodiscard]] StateId guess(std::uint64_t hash) const noexcept;

  // The number for which `same(number)` holds, or kNoState.
  template <class Same>
  [[nodiscard]] StateId find(std::uint64_t hash, Same&& same) const noexcept {
    const std::uint32_t tag = tag_of(hash);
    Place place = home(tag);
    const Shard& shard = shards_[place.shard];
    for (;; place.slot = shard.after(place.slot)) {
      const std::uint64_t entry = shard.entries[place.slot].load(std::memory_order_acquire);
      if (entry == 0) return petri::kNoState;
      if (tag_in(entry) == tag && same(number_in(entry))) return number_in(entry);
    }
  }

  // The same, but files the number that `make()` gives when there is none yet. Another thread may
  // be faster: then its number is the result and what was made is not used. Room must have been
  // claimed.
  template <class Same, class Make>
  StateId insert(std::uint64_t hash, Same&& same, Make&& make) {
    const std::uint32_t tag = tag_of(hash);
    Place place = home(tag);
    Shard& shard = shards_[place.shard];
    StateId made = petri::kNoState;
    for (std::size_t probes = 0;; place.slot = shard.after(place.slot)) {
      std::uint64_t entry = shard.entries[place.slot].load(std::memory_order_acquire);
      if (entry == 0) {
        if (made == petri::kNoState) made = make();
        if (shard.entries[place.slot].compare_exchange_strong(
                entry, entry_of(tag, made), std::memory_order_acq_rel, std::memory_order_acquire))
          return made;
      }
      if (tag_in(entry) == tag && same(number_in(entry))) return number_in(entry);
      // Room is claimed in all shards together; hashes that all go to one are not to be expected.
      if (++probes == shard.size) throw std::bad_alloc();
    }
  }

  // While all threads pause. grow_shard may run for different shards at the same time.
  [[nodiscard]] std::size_t shards() const noexcept { return shards_.size(); }
  void grow_shard(std::size_t number);
  void clear_shard(std::size_t number) noexcept;
  void finish_growing() noexcept;
  // Files a number that is not there yet; concurrently, without comparing.
  void refile(std::uint64_t hash, StateId number) noexcept;

 private:
  struct Shard {
    Pages pages;
    std::atomic<std::uint64_t>* entries = nullptr;
    std::uint32_t size = 0;

    [[nodiscard]] std::uint32_t after(std::uint32_t slot) const noexcept {
      return slot + 1 == size ? 0 : slot + 1;
    }
  };
  struct Place {
    std::uint32_t shard;
    std::uint32_t slot;
  };

  static std::uint32_t tag_of(std::uint64_t hash) noexcept {
    return static_cast<std::uint32_t>(hash);
  }
  static std::uint32_t tag_in(std::uint64_t entry) noexcept {
    return static_cast<std::uint32_t>(entry >> 32);
  }
  static StateId number_in(std::uint64_t entry) noexcept { return static_cast<StateId>(entry) - 1; }
  static std::uint64_t entry_of(std::uint32_t tag, StateId number) noexcept {
    return (std::uint64_t{tag} << 32) | (number + 1);
  }
  // The upper bits choose the shard, the others the slot.
  [[nodiscard]] Place home(std::uint32_t tag) const noexcept {
    const std::uint32_t shard = tag >> (32 - shard_bits_);
    return {shard, slot_in(shards_[shard].size, tag)};
  }
  [[nodiscard]] std::uint32_t slot_in(std::uint32_t size, std::uint32_t tag) const noexcept {
    const std::uint64_t rest = tag << shard_bits_;
    return static_cast<std::uint32_t>((rest * size) >> 32);
  }
  Shard make_shard(std::uint32_t size);
  void file(Shard& shard, std::uint64_t entry) const noexcept;

  MemoryAccount& account_;
  unsigned shard_bits_;
  std::vector<Shard> shards_;
  std::size_t most_;  // entries before it has to grow
  alignas(64) std::atomic<std::size_t> claimed_ = 0;
};

}  // namespace mpisog::mclcd
