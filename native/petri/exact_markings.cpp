#include "petri/exact_markings.hpp"

#include <algorithm>
#include <bit>

#include "memory/limit.hpp"

namespace mpisog::petri {

ExactMarkings::ExactMarkings(const Marking& initial, const std::vector<std::int64_t>& most)
    : fields_(initial.size(), Field{0, 0, 0}), current_(1, 0) {
  unsigned used = 0;
  for (std::size_t place = 0; place < initial.size(); ++place) {
    if (most[place] == kUnchanged) continue;
    const auto bits =
        static_cast<unsigned>(std::bit_width(static_cast<std::uint64_t>(most[place])));
    if (used + bits > 64) {
      current_.push_back(0);
      used = 0;
    }
    const Word mask = bits == 64 ? ~Word{0} : (Word{1} << bits) - 1;
    fields_[place] = {static_cast<std::uint32_t>(current_.size() - 1), used, mask};
    current_.back() |= static_cast<Word>(initial[place]) << used;
    used += bits;
  }
  known_ = current_;
}

bool ExactMarkings::agrees(StateId number, std::span<const Change> effect) {
  const std::size_t words = current_.size();
  reached_ = current_;
  if (!add(reached_, effect, 1)) return false;
  if (number * words == known_.size()) {
    memory::require_room(known_, words);
    known_.insert(known_.end(), reached_.begin(), reached_.end());
    return true;
  }
  const auto known = known_.begin() + static_cast<std::ptrdiff_t>(number * words);
  return std::equal(reached_.begin(), reached_.end(), known);
}

bool ExactMarkings::add(Packed& marking, std::span<const Change> effect,
                        std::int64_t sign) const noexcept {
  for (const Change& change : effect) {
    const Field& field = fields_[change.place];
    Word& word = marking[field.word];
    const auto held = static_cast<std::int64_t>((word >> field.shift) & field.mask);
    const auto holds = static_cast<Word>(held + sign * change.tokens);
    if (holds > field.mask) return false;
    word = (word & ~(field.mask << field.shift)) | (holds << field.shift);
  }
  return true;
}

}  // namespace mpisog::petri
