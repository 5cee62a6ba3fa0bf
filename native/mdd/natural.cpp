#include "natural.hpp"

#include <algorithm>

namespace mpisog::mdd {

Natural::Natural(const std::uint64_t* limbs, std::size_t count) {
  while (count > 0 && limbs[count - 1] == 0) --count;
  limbs_.assign(limbs, limbs + count);
}

Natural& Natural::operator+=(const Natural& other) {
  limbs_.resize(std::max(limbs_.size(), other.limbs_.size()));
  unsigned __int128 carry = 0;
  for (std::size_t i = 0; i < limbs_.size(); ++i) {
    carry += limbs_[i];
    if (i < other.limbs_.size()) carry += other.limbs_[i];
    limbs_[i] = static_cast<std::uint64_t>(carry);
    carry >>= 64;
  }
  if (carry != 0) limbs_.push_back(static_cast<std::uint64_t>(carry));
  return *this;
}

std::string Natural::decimal() const {
  constexpr std::uint64_t kChunk = 1'000'000'000'000'000'000ULL;
  constexpr std::size_t kChunkDigits = 18;
  std::vector<std::uint64_t> rest = limbs_;
  std::string digits;  // least significant first
  while (!rest.empty()) {
    unsigned __int128 remainder = 0;
    for (std::size_t i = rest.size(); i-- > 0;) {
      remainder = (remainder << 64) | rest[i];
      rest[i] = static_cast<std::uint64_t>(remainder / kChunk);
      remainder %= kChunk;
    }
    while (!rest.empty() && rest.back() == 0) rest.pop_back();
    auto chunk = static_cast<std::uint64_t>(remainder);
    for (std::size_t d = 0; d < kChunkDigits && (chunk != 0 || !rest.empty()); ++d, chunk /= 10) {
      digits.push_back(static_cast<char>('0' + chunk % 10));
    }
  }
  if (digits.empty()) return "0";
  std::reverse(digits.begin(), digits.end());
  return digits;
}

double Natural::approximate() const {
  double result = 0;
  for (std::size_t i = limbs_.size(); i-- > 0;)
    result = result * 18446744073709551616.0 + static_cast<double>(limbs_[i]);
  return result;
}

}  // namespace mpisog::mdd
