// A set of indices below a bound: constant-time insertion and removal, iteration in order.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

namespace mpisog::petri {

class IndexSet {
 public:
  static constexpr std::uint32_t kNone = 0xFFFFFFFFU;

  explicit IndexSet(std::size_t bound) : bound_(bound) {
    do {
      bound = (bound + 63) / 64;
      levels_.emplace_back(bound);
    } while (bound > 1);
  }

  void insert(std::uint32_t index) noexcept {
    ++size_;
    for (auto& level : levels_) {
      std::uint64_t& word = level[index / 64];
      const bool known = word != 0;
      word |= std::uint64_t{1} << (index % 64);
      if (known) return;
      index /= 64;
    }
  }
  void erase(std::uint32_t index) noexcept {
    --size_;
    for (auto& level : levels_) {
      std::uint64_t& word = level[index / 64];
      word &= ~(std::uint64_t{1} << (index % 64));
      if (word != 0) return;
      index /= 64;
    }
  }

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  [[nodiscard]] bool contains(std::uint32_t index) const noexcept {
    return (levels_[0][index / 64] >> (index % 64) & 1) != 0;
  }

  // The least member that is at least `from`, or kNone.
  [[nodiscard]] std::uint32_t at_or_after(std::uint32_t from) const noexcept {
    std::size_t level = 0;
    std::uint64_t index = from;
    while (true) {
      if (index / 64 >= levels_[level].size()) return kNone;
      const std::uint64_t rest = levels_[level][index / 64] >> (index % 64);
      if (rest != 0) {
        index += static_cast<unsigned>(std::countr_zero(rest));
        break;
      }
      if (++level == levels_.size()) return kNone;
      index = index / 64 + 1;
    }
    while (level-- > 0)
      index = index * 64 + static_cast<unsigned>(std::countr_zero(levels_[level][index]));
    return static_cast<std::uint32_t>(index);
  }

  // The greatest member that is at most `from`, or kNone.
  [[nodiscard]] std::uint32_t at_or_before(std::uint32_t from) const noexcept {
    if (bound_ == 0) return kNone;
    std::size_t level = 0;
    std::uint64_t index = from;
    while (true) {
      const std::uint64_t rest = levels_[level][index / 64] << (63 - index % 64);
      if (rest != 0) {
        index -= static_cast<unsigned>(std::countl_zero(rest));
        break;
      }
      if (index < 64 || ++level == levels_.size()) return kNone;
      index = index / 64 - 1;
    }
    while (level-- > 0)
      index = index * 64 + 63 - static_cast<unsigned>(std::countl_zero(levels_[level][index]));
    return static_cast<std::uint32_t>(index);
  }

 private:
  std::size_t bound_;
  std::size_t size_ = 0;
  std::vector<std::vector<std::uint64_t>> levels_;  // a bit of a level: the word below is not zero
};

}  // namespace mpisog::petri
