// The set of markings found so far: packed words in chunks, and an open-addressing index.
//
// A marking's identity is its 32-bit number in order of discovery. Beside its words it costs an
// index entry (number and 32 hash bits, so that the index grows without touching the markings)
// and the number of the marking it was first reached from.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "petri/layout.hpp"

namespace mpisog::petri {

using StateId = std::uint32_t;

inline constexpr StateId kNoState = 0xFFFFFFFFU;

std::uint64_t hash_words(const Word* words, std::size_t count) noexcept;

class MarkingStore {
 public:
  explicit MarkingStore(std::size_t words_per_marking);

  struct Insertion {
    StateId id;
    bool fresh;
  };
  // `hash` must be hash_words() of the marking; `parent` is recorded when it is fresh.
  Insertion insert(const Word* packed, std::uint64_t hash, StateId parent);

  // The number of a marking, or kNoState; `hash` as above.
  [[nodiscard]] StateId find(const Word* packed, std::uint64_t hash) const noexcept;

  void prefetch(std::uint64_t hash) const noexcept { __builtin_prefetch(&index_[slot_of(hash)]); }

  [[nodiscard]] const Word* at(StateId id) const noexcept {
    return chunks_[id >> chunk_shift_].get() + (id & chunk_mask()) * words_;
  }
  [[nodiscard]] StateId parent(StateId id) const noexcept { return parents_[id]; }
  [[nodiscard]] StateId size() const noexcept { return static_cast<StateId>(parents_.size()); }
  [[nodiscard]] std::size_t bytes() const noexcept;
  [[nodiscard]] std::size_t words() const noexcept { return words_; }

  // Re-encodes every marking from one layout to a wider one; numbers and parents stay.
  void relayout(const Layout& from, const Layout& to, std::size_t places);

 private:
  [[nodiscard]] StateId chunk_mask() const noexcept { return (1U << chunk_shift_) - 1; }
  [[nodiscard]] std::size_t chunk_bytes() const noexcept {
    return (words_ << chunk_shift_) * sizeof(Word);
  }
  std::unique_ptr<Word[]> new_chunk() const;  // asks whether there is memory for it

  [[nodiscard]] std::size_t slot_of(std::uint64_t hash) const noexcept {
    // The low 32 bits only: they are what an index entry keeps of the hash.
    return static_cast<std::uint32_t>(hash) & mask_;
  }
  StateId append(const Word* packed, StateId parent);
  void grow_index();
  void place(std::uint64_t entry) noexcept;

  std::size_t words_;
  unsigned chunk_shift_;  // markings in a chunk: about a megabyte of them
  std::vector<std::unique_ptr<Word[]>> chunks_;
  std::vector<StateId> parents_;
  std::vector<std::uint64_t> index_;  // (low 32 hash bits << 32) | (id + 1); zero is empty
  std::size_t mask_;
};

}  // namespace mpisog::petri
