// How a marking is packed into 64-bit words.
//
// Every place owns a field of `bits` value bits below one guard bit that is zero in a stored
// marking. The guard bits make enabledness, firing and overflow detection word operations:
//   enabled:  ((m | guards) - need) keeps every guard bit set   <=>  each field holds at least need
//   fired:    m + effect (mod 2^64), no carry can leave a field because of the guard bit
//   overflow: a guard bit is set after firing, the field has to be widened
// Widths start as narrow as the initial marking and the arc weights allow and grow on demand, so
// no bound has to be known beforehand.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "petri/net.hpp"

namespace mpisog::petri {

using Word = std::uint64_t;

inline constexpr unsigned kMaxFieldBits = 62;

// One word of a transition's enabling test or effect; only words it touches are listed.
struct WordTerm {
  std::uint32_t word;
  Word value;
};

struct PackedTransition {
  std::uint32_t need_begin, need_end;      // into Layout::needs()
  std::uint32_t effect_begin, effect_end;  // into Layout::effects()
};

class Layout {
 public:
  Layout(const Net& net, std::vector<unsigned> bits);

  // The narrowest widths that hold the initial marking and every arc weight.
  static std::vector<unsigned> initial_bits(const Net& net);

  [[nodiscard]] std::size_t words() const noexcept { return guards_.size(); }
  [[nodiscard]] const std::vector<unsigned>& bits() const noexcept { return bits_; }

  void pack(std::span<const std::int64_t> marking, Word* out) const noexcept;
  void unpack(const Word* packed, std::span<std::int64_t> out) const noexcept;
  [[nodiscard]] std::int64_t tokens(const Word* packed, std::size_t place) const noexcept {
    const Field& field = fields_[place];
    return static_cast<std::int64_t>((packed[field.word] >> field.shift) & field.mask);
  }

  // Calls `visit` with every place that holds a token.
  template <class Visit>
  void for_each_marked(const Word* packed, Visit&& visit) const {
    for (std::size_t w = 0; w < guards_.size(); ++w)
      for (Word rest = packed[w]; rest != 0;) {
        const auto bit = static_cast<std::size_t>(std::countr_zero(rest));
        const std::uint32_t place = place_of_bit_[w * 64 + bit];
        rest &= ~(fields_[place].mask << fields_[place].shift);
        visit(place);
      }
  }

  [[nodiscard]] bool enabled(const Word* packed, std::size_t transition) const noexcept {
    const PackedTransition& t = transitions_[transition];
    for (std::uint32_t i = t.need_begin; i != t.need_end; ++i) {
      const WordTerm& need = needs_[i];
      const Word guard = guards_[need.word];
      if ((((packed[need.word] | guard) - need.value) & guard) != guard) return false;
    }
    return true;
  }

  // Applies an enabled transition in place; false when a field overflowed.
  bool fire(Word* packed, std::size_t transition) const noexcept {
    const PackedTransition& t = transitions_[transition];
    Word overflow = 0;
    for (std::uint32_t i = t.effect_begin; i != t.effect_end; ++i) {
      const WordTerm& effect = effects_[i];
      packed[effect.word] += effect.value;
      overflow |= packed[effect.word] & guards_[effect.word];
    }
    return overflow == 0;
  }

  // Whether every place holds at least as many tokens in `upper` as in `lower`.
  [[nodiscard]] bool covers(const Word* upper, const Word* lower) const noexcept {
    for (std::size_t w = 0; w < guards_.size(); ++w)
      if ((((upper[w] | guards_[w]) - lower[w]) & guards_[w]) != guards_[w]) return false;
    return true;
  }

 private:
  struct Field {
    std::uint32_t word;
    std::uint32_t shift;
    Word mask;
  };

  void place_fields();
  void compile(const Net& net);
  static void move_terms(std::vector<Word>& dense, const std::vector<std::uint32_t>& touched,
                         std::vector<WordTerm>& terms);

  std::vector<unsigned> bits_;
  std::vector<Field> fields_;
  std::vector<Word> guards_;
  std::vector<std::uint32_t> place_of_bit_;  // by word and bit
  std::vector<WordTerm> needs_;
  std::vector<WordTerm> effects_;
  std::vector<PackedTransition> transitions_;
};

// Value bits needed for a non-negative count.
unsigned bits_for(std::int64_t value) noexcept;

}  // namespace mpisog::petri
