#include "mclcd/index.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace mpisog::mclcd {

namespace {

// Large enough that hashes fill all shards about equally.
constexpr std::uint32_t kFirstSlots = 1024;
constexpr unsigned kLeastShards = 16;

std::size_t bytes_of(std::uint32_t slots) { return std::size_t{slots} * sizeof(std::uint64_t); }

// Doubling is for small ones: a large index would stay half empty for long.
std::uint32_t next_size(std::uint32_t slots) {
  constexpr std::uint32_t kSmall = 1U << 18;
  return slots < kSmall ? 2 * slots : slots + slots / 2;
}

}  // namespace

Index::Index(MemoryAccount& account, unsigned threads)
    : account_(account),
      shard_bits_(static_cast<unsigned>(
          std::countr_zero(std::bit_ceil(std::max(kLeastShards, 4 * threads))))) {
  shards_.resize(std::size_t{1} << shard_bits_);
  for (Shard& shard : shards_) shard = make_shard(kFirstSlots);
  finish_growing();
}

Index::~Index() {
  for (const Shard& shard : shards_) account_.give_back(bytes_of(shard.size));
}

Index::Shard Index::make_shard(std::uint32_t size) {
  account_.take(bytes_of(size));
  try {
    Shard shard{Pages(bytes_of(size), Pages::Use::everywhere), nullptr, size};
    shard.entries = shard.pages.as<std::atomic<std::uint64_t>>();
    return shard;
  } catch (...) {
    account_.give_back(bytes_of(size));
    throw;
  }
}

bool Index::claim_room(std::size_t insertions) noexcept {
  if (claimed_.fetch_add(insertions, std::memory_order_relaxed) + insertions <= most_) return true;
  claimed_.fetch_sub(insertions, std::memory_order_relaxed);
  return false;
}

StateId Index::guess(std::uint64_t hash) const noexcept {
  const Place place = home(tag_of(hash));
  const std::uint64_t entry =
      shards_[place.shard].entries[place.slot].load(std::memory_order_relaxed);
  return entry != 0 && tag_in(entry) == tag_of(hash) ? number_in(entry) : petri::kNoState;
}

void Index::grow_shard(std::size_t number) {
  Shard& old = shards_[number];
  Shard grown = make_shard(next_size(old.size));
  for (std::uint32_t slot = 0; slot < old.size; ++slot)
    if (const auto entry = old.entries[slot].load(std::memory_order_relaxed)) file(grown, entry);
  account_.give_back(bytes_of(old.size));
  old = std::move(grown);
}

void Index::file(Shard& shard, std::uint64_t entry) const noexcept {
  std::uint32_t slot = slot_in(shard.size, tag_in(entry));
  while (shard.entries[slot].load(std::memory_order_relaxed) != 0) slot = shard.after(slot);
  shard.entries[slot].store(entry, std::memory_order_relaxed);
}

void Index::clear_shard(std::size_t number) noexcept {
  Shard& shard = shards_[number];
  for (std::uint32_t slot = 0; slot < shard.size; ++slot)
    shard.entries[slot].store(0, std::memory_order_relaxed);
}

void Index::finish_growing() noexcept {
  std::size_t slots = 0;
  for (const Shard& shard : shards_) slots += shard.size;
  most_ = slots - slots / 4;
}

void Index::refile(std::uint64_t hash, StateId number) noexcept {
  const std::uint64_t entry = entry_of(tag_of(hash), number);
  Place place = home(tag_of(hash));
  Shard& shard = shards_[place.shard];
  for (;; place.slot = shard.after(place.slot)) {
    std::uint64_t empty = 0;
    if (shard.entries[place.slot].compare_exchange_strong(empty, entry, std::memory_order_acq_rel))
      return;
  }
}

}  // namespace mpisog::mclcd
