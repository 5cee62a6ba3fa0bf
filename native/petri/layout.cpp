#include "petri/layout.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace mpisog::petri {

unsigned bits_for(std::int64_t value) noexcept {
  return std::max(1U, static_cast<unsigned>(std::bit_width(static_cast<std::uint64_t>(value))));
}

std::vector<unsigned> Layout::initial_bits(const Net& net) {
  std::vector<unsigned> bits(net.places(), 1U);
  const auto require = [&](std::size_t place, std::int64_t value) {
    bits[place] = std::max(bits[place], bits_for(value));
  };
  for (std::size_t p = 0; p < net.places(); ++p) require(p, net.initial[p]);
  for (const Transition& t : net.transitions) {
    for (const Arc& arc : t.pre) require(arc.place, arc.weight);
    for (const Arc& arc : t.post) require(arc.place, arc.weight);
  }
  return bits;
}

Layout::Layout(const Net& net, std::vector<unsigned> bits) : bits_(std::move(bits)) {
  place_fields();
  compile(net);
}

void Layout::place_fields() {
  unsigned used = 64;  // the first field opens the first word
  for (std::uint32_t place = 0; place < bits_.size(); ++place) {
    const unsigned width = bits_[place];
    if (used + width + 1 > 64) {
      guards_.push_back(0);
      place_of_bit_.resize(guards_.size() * 64);
      used = 0;
    }
    std::fill_n(place_of_bit_.end() - 64 + used, width, place);
    const Word mask = (Word{1} << width) - 1;
    fields_.push_back({static_cast<std::uint32_t>(guards_.size() - 1), used, mask});
    guards_.back() |= Word{1} << (used + width);
    used += width + 1;
  }
}

void Layout::compile(const Net& net) {
  std::vector<Word> need(words());
  std::vector<Word> effect(words());
  std::vector<std::uint32_t> touched;  // words of one transition: a net has many more
  const auto at = [&](const Arc& arc) {
    const Field& field = fields_[arc.place];
    touched.push_back(field.word);
    return std::pair{field.word, static_cast<Word>(arc.weight) << field.shift};
  };
  for (const Transition& t : net.transitions) {
    touched.clear();
    for (const Arc& arc : t.pre) {
      const auto [word, value] = at(arc);
      need[word] += value;
      effect[word] -= value;
    }
    for (const Arc& arc : t.post) {
      const auto [word, value] = at(arc);
      effect[word] += value;
    }
    std::sort(touched.begin(), touched.end());
    touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
    PackedTransition packed{};
    packed.need_begin = static_cast<std::uint32_t>(needs_.size());
    move_terms(need, touched, needs_);
    packed.need_end = static_cast<std::uint32_t>(needs_.size());
    packed.effect_begin = static_cast<std::uint32_t>(effects_.size());
    move_terms(effect, touched, effects_);
    packed.effect_end = static_cast<std::uint32_t>(effects_.size());
    transitions_.push_back(packed);
  }
}

// Leaves zeros behind.
void Layout::move_terms(std::vector<Word>& dense, const std::vector<std::uint32_t>& touched,
                        std::vector<WordTerm>& terms) {
  for (const std::uint32_t word : touched)
    if (const Word value = std::exchange(dense[word], Word{0}); value != 0)
      terms.push_back({word, value});
}

void Layout::pack(std::span<const std::int64_t> marking, Word* out) const noexcept {
  std::fill(out, out + words(), Word{0});
  for (std::size_t p = 0; p < fields_.size(); ++p)
    out[fields_[p].word] |= static_cast<Word>(marking[p]) << fields_[p].shift;
}

void Layout::unpack(const Word* packed, std::span<std::int64_t> out) const noexcept {
  for (std::size_t p = 0; p < fields_.size(); ++p) out[p] = tokens(packed, p);
}

}  // namespace mpisog::petri
