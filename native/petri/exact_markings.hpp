// Whole markings beside their fingerprints, of the places that a search has been seen to change.
//
// A search that has gone through all there is may have taken two markings for one. It is done again
// with these: whatever is known by its fingerprint is compared with the marking that it stands for.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "petri/flat_net.hpp"
#include "petri/layout.hpp"
#include "petri/store.hpp"

namespace mpisog::petri {

class ExactMarkings {
 public:
  // `most`: by place, the most tokens it was seen to hold; kUnchanged where none ever moved.
  static constexpr std::int64_t kUnchanged = -1;
  ExactMarkings(const Marking& initial, const std::vector<std::int64_t>& most);

  // The marking at hand changes.
  void fire(std::span<const Change> effect) noexcept { add(current_, effect, 1); }
  void undo(std::span<const Change> effect) noexcept { add(current_, effect, -1); }

  // Whether the marking that such a firing leads to is the one with this number; the next number
  // that is free becomes its own.
  bool agrees(StateId number, std::span<const Change> effect);

  [[nodiscard]] std::size_t bytes() const noexcept { return known_.capacity() * sizeof(Word); }

 private:
  struct Field {
    std::uint32_t word;
    std::uint32_t shift;
    Word mask;  // nothing: the place is not kept
  };
  using Packed = std::vector<Word>;

  // False when a place has more tokens than were ever seen, or is not kept.
  bool add(Packed& marking, std::span<const Change> effect, std::int64_t sign) const noexcept;

  std::vector<Field> fields_;  // by place
  Packed current_, reached_;
  std::vector<Word> known_;  // by number, as many words each as a packed marking has
};

}  // namespace mpisog::petri
