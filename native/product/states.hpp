// The product states found so far: (marking, automaton state) pairs, numbered as they are found.
#pragma once

#include <cstdint>
#include <vector>

#include "memory/limit.hpp"
#include "petri/store.hpp"

namespace mpisog::product {

using Number = std::uint32_t;

inline constexpr Number kUnknown = 0xFFFFFFFFU;

class States {
 public:
  explicit States(std::uint32_t automaton_states) : width_(automaton_states), slots_(1U << 10) {}

  struct Insertion {
    Number number;
    bool fresh;
  };
  Insertion insert(petri::StateId marking, std::uint32_t state) {
    const std::uint64_t key = key_of(marking, state);
    std::uint32_t& slot = slots_[find_slot(key)];
    if (slot != 0) return {slot - 1, false};
    if (keys_.size() >= kUnknown - 1) throw std::bad_alloc();
    memory::require_room(keys_);
    keys_.push_back(key);
    slot = static_cast<std::uint32_t>(keys_.size());
    if (keys_.size() * 2 > slots_.size()) grow();
    return {static_cast<Number>(keys_.size() - 1), true};
  }
  [[nodiscard]] Number find(petri::StateId marking, std::uint32_t state) const noexcept {
    const std::uint32_t slot = slots_[find_slot(key_of(marking, state))];
    return slot == 0 ? kUnknown : slot - 1;
  }

  [[nodiscard]] petri::StateId marking(Number number) const noexcept {
    return static_cast<petri::StateId>(keys_[number] / width_);
  }
  [[nodiscard]] std::uint32_t state(Number number) const noexcept {
    return static_cast<std::uint32_t>(keys_[number] % width_);
  }
  [[nodiscard]] std::size_t size() const noexcept { return keys_.size(); }
  [[nodiscard]] std::size_t bytes() const noexcept {
    return keys_.capacity() * sizeof(std::uint64_t) + slots_.size() * sizeof(std::uint32_t);
  }

 private:
  [[nodiscard]] std::uint64_t key_of(petri::StateId marking, std::uint32_t state) const noexcept {
    return std::uint64_t{marking} * width_ + state;
  }
  // Where the key is, or would go.
  [[nodiscard]] std::size_t find_slot(std::uint64_t key) const noexcept {
    const std::size_t mask = slots_.size() - 1;
    std::size_t slot = (key * 0x9E3779B97F4A7C15ULL >> 20) & mask;
    while (slots_[slot] != 0 && keys_[slots_[slot] - 1] != key) slot = (slot + 1) & mask;
    return slot;
  }
  void grow() {
    memory::require(2 * slots_.size() * sizeof(std::uint32_t));
    slots_.assign(slots_.size() * 2, 0);
    for (std::size_t n = 0; n < keys_.size(); ++n)
      slots_[find_slot(keys_[n])] = static_cast<std::uint32_t>(n + 1);
  }

  std::uint64_t width_;
  std::vector<std::uint64_t> keys_;   // by number
  std::vector<std::uint32_t> slots_;  // open addressing: number + 1, zero is empty
};

}  // namespace mpisog::product
