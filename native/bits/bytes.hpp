// Sets of reachable markings as bytes: the numbers mean the same wherever the net is the same.
#pragma once

#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>

#include "bits/reachable.hpp"

namespace mpisog::bits {

class MalformedSet : public std::runtime_error {
 public:
  explicit MalformedSet(const std::string& why) : std::runtime_error(why) {}
};

// The graph's fingerprint, the number of members, and they in the set's own form, little-endian.
std::string serialise(const Reachable& graph, const Set& states);
Set deserialise(const Reachable& graph, std::span<const unsigned char> bytes);

}  // namespace mpisog::bits
