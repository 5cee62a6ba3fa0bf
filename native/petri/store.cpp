#include "petri/store.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>

#include "memory/limit.hpp"

namespace mpisog::petri {

namespace {
constexpr std::size_t kInitialSlots = std::size_t{1} << 12;

// Chunks of about a megabyte: small ones would be many, large ones pass a memory limit at once.
unsigned chunk_shift_for(std::size_t words) {
  constexpr std::size_t kChunkWords = (std::size_t{1} << 20) / sizeof(Word);
  constexpr unsigned kMostShift = 14;
  const auto shift = std::bit_width(kChunkWords / std::max<std::size_t>(words, 1));
  return std::clamp(static_cast<unsigned>(shift), 1U, kMostShift + 1) - 1;
}

}  // namespace

std::uint64_t hash_words(const Word* words, std::size_t count) noexcept {
  std::uint64_t h = 0x9E3779B97F4A7C15ULL ^ count;
  for (std::size_t i = 0; i < count; ++i) {
    h = (h ^ words[i]) * 0xFF51AFD7ED558CCDULL;
    h ^= h >> 32;
  }
  h *= 0xC4CEB9FE1A85EC53ULL;
  return h ^ (h >> 29);
}

MarkingStore::MarkingStore(std::size_t words_per_marking)
    : words_(words_per_marking),
      chunk_shift_(chunk_shift_for(words_per_marking)),
      index_(kInitialSlots),
      mask_(kInitialSlots - 1) {}

MarkingStore::Insertion MarkingStore::insert(const Word* packed, std::uint64_t hash,
                                             StateId parent) {
  const auto tag = static_cast<std::uint32_t>(hash);
  std::size_t slot = slot_of(hash);
  while (index_[slot] != 0) {
    if (static_cast<std::uint32_t>(index_[slot] >> 32) == tag) {
      const auto id = static_cast<StateId>(index_[slot]) - 1;
      if (std::equal(packed, packed + words_, at(id))) return {id, false};
    }
    slot = (slot + 1) & mask_;
  }
  const StateId id = append(packed, parent);
  index_[slot] = (std::uint64_t{tag} << 32) | (id + 1);
  if (std::size_t{size()} * 4 > index_.size() * 3) grow_index();
  return {id, true};
}

StateId MarkingStore::find(const Word* packed, std::uint64_t hash) const noexcept {
  const auto tag = static_cast<std::uint32_t>(hash);
  for (std::size_t slot = slot_of(hash); index_[slot] != 0; slot = (slot + 1) & mask_) {
    if (static_cast<std::uint32_t>(index_[slot] >> 32) != tag) continue;
    const auto id = static_cast<StateId>(index_[slot]) - 1;
    if (std::equal(packed, packed + words_, at(id))) return id;
  }
  return kNoState;
}

StateId MarkingStore::append(const Word* packed, StateId parent) {
  const StateId id = size();
  if (id >= kNoState - 1) throw std::length_error("more than 4 billion markings");
  memory::require_room(parents_);
  if ((id & chunk_mask()) == 0) chunks_.push_back(new_chunk());
  std::copy(packed, packed + words_, const_cast<Word*>(at(id)));
  parents_.push_back(parent);
  return id;
}

std::unique_ptr<Word[]> MarkingStore::new_chunk() const {
  memory::require(chunk_bytes());
  return std::make_unique_for_overwrite<Word[]>(words_ << chunk_shift_);
}

void MarkingStore::place(std::uint64_t entry) noexcept {
  std::size_t slot = static_cast<std::size_t>(entry >> 32) & mask_;
  while (index_[slot] != 0) slot = (slot + 1) & mask_;
  index_[slot] = entry;
}

void MarkingStore::grow_index() {
  memory::require(2 * index_.size() * sizeof(std::uint64_t));
  std::vector<std::uint64_t> old(index_.size() * 2);
  old.swap(index_);
  mask_ = index_.size() - 1;
  for (const std::uint64_t entry : old)
    if (entry != 0) place(entry);
}

std::size_t MarkingStore::bytes() const noexcept {
  return chunks_.size() * chunk_bytes() + parents_.capacity() * sizeof(StateId) +
         index_.size() * sizeof(std::uint64_t);
}

void MarkingStore::relayout(const Layout& from, const Layout& to, std::size_t places) {
  // Asked for beforehand: half a store is none.
  memory::require(((to.words() - words_) * chunks_.size() + to.words()) << chunk_shift_ << 3);
  std::vector<std::int64_t> marking(places);
  std::fill(index_.begin(), index_.end(), std::uint64_t{0});
  std::vector<std::unique_ptr<Word[]>> old(chunks_.size());
  old.swap(chunks_);
  const std::size_t old_words = words_;
  words_ = to.words();
  for (StateId id = 0; id < size(); ++id) {
    const std::size_t chunk = id >> chunk_shift_;
    if ((id & chunk_mask()) == 0) {
      chunks_[chunk] = std::make_unique_for_overwrite<Word[]>(words_ << chunk_shift_);
      if (chunk > 0) old[chunk - 1].reset();  // keep the peak near one copy
    }
    from.unpack(old[chunk].get() + (id & chunk_mask()) * old_words, marking);
    Word* packed = const_cast<Word*>(at(id));
    to.pack(marking, packed);
    const auto tag = static_cast<std::uint32_t>(hash_words(packed, words_));
    place((std::uint64_t{tag} << 32) | (id + 1));
  }
}

}  // namespace mpisog::petri
