// Names of 16 bytes that are the same on every rank: MD5, as in the paper (not for secrets).
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace mpisog::team {

using Digest = std::array<std::uint8_t, 16>;

Digest md5(std::string_view bytes);

struct DigestHash {
  std::size_t operator()(const Digest& digest) const noexcept {
    std::size_t first = 0;
    std::memcpy(&first, digest.data(), sizeof first);
    return first;
  }
};

// The first half as a number, little-endian: whose remainder tells the owner.
inline std::uint64_t low_half(const Digest& digest) noexcept {
  std::uint64_t number = 0;
  for (std::size_t i = 8; i-- > 0;) number = number << 8 | digest[i];
  return number;
}

// Where there is only one rank, numbers do.
inline Digest of_number(std::uint64_t number) noexcept {
  Digest digest{};
  for (std::size_t i = 0; i < 8; ++i) digest[i] = static_cast<std::uint8_t>(number >> (8 * i));
  return digest;
}

}  // namespace mpisog::team
