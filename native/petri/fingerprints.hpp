// The markings found so far, each as its fingerprint.
//
// 16 bytes a marking and an index of 11 to 21: what a marking of a large net costs in full is
// kilobytes. Two markings of a billion share one with a probability below 2^-37; what must be
// certain is compared with `ExactMarkings`.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <vector>

#include "memory/limit.hpp"
#include "petri/flat_net.hpp"
#include "petri/store.hpp"

namespace mpisog::petri {

class FingerprintTable {
 public:
  FingerprintTable() : index_(kInitialSlots) {}

  struct Insertion {
    StateId id;
    bool fresh;
  };
  Insertion insert(Fingerprint fingerprint) {
    const std::size_t slot = slot_of(fingerprint);
    if (index_[slot] != 0) return {static_cast<StateId>(index_[slot]) - 1, false};
    if (known_.size() >= kNoState - 1) throw std::length_error("more than 4 billion markings");
    memory::require_room(known_);
    known_.push_back(fingerprint);
    const auto id = static_cast<StateId>(known_.size());
    index_[slot] = entry(fingerprint, id);
    if (known_.size() * 4 > index_.size() * 3) grow();
    return {id - 1, true};
  }
  [[nodiscard]] StateId find(Fingerprint fingerprint) const noexcept {
    const std::uint64_t found = index_[slot_of(fingerprint)];
    return found == 0 ? kNoState : static_cast<StateId>(found) - 1;
  }

  [[nodiscard]] std::size_t size() const noexcept { return known_.size(); }
  [[nodiscard]] std::size_t bytes() const noexcept {
    return known_.capacity() * sizeof(Fingerprint) + index_.size() * sizeof(std::uint64_t);
  }

 private:
  static constexpr std::size_t kInitialSlots = std::size_t{1} << 12;

  static std::uint64_t entry(Fingerprint fingerprint, StateId number) noexcept {
    return (static_cast<std::uint64_t>(fingerprint >> 96) << 32) | number;
  }
  // Where the fingerprint is, or would go.
  [[nodiscard]] std::size_t slot_of(Fingerprint fingerprint) const noexcept {
    const std::size_t mask = index_.size() - 1;
    const auto tag = static_cast<std::uint32_t>(fingerprint >> 96);
    auto slot = static_cast<std::size_t>(fingerprint) & mask;
    while (index_[slot] != 0 && (static_cast<std::uint32_t>(index_[slot] >> 32) != tag ||
                                 known_[static_cast<StateId>(index_[slot]) - 1] != fingerprint))
      slot = (slot + 1) & mask;
    return slot;
  }
  void grow() {
    memory::require(2 * index_.size() * sizeof(std::uint64_t));
    index_.assign(index_.size() * 2, 0);
    for (std::size_t i = 0; i < known_.size(); ++i)
      index_[slot_of(known_[i])] = entry(known_[i], static_cast<StateId>(i + 1));
  }

  std::vector<Fingerprint> known_;    // by number
  std::vector<std::uint64_t> index_;  // (high 32 bits << 32) | (number + 1); zero is empty
};

}  // namespace mpisog::petri
