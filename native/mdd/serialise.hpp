// Canonical bytes of a set: they depend on its markings and the number of levels only.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "context.hpp"

namespace mpisog::mdd {

// Layout, all numbers as variable-length integers of 7 bits a byte:
//   'L' 'D' version levels number-of-nodes, then the nodes in post-order, the root last. A node is
//   4 * number-of-edges + (2 if it is on the last level) + (1 if its values are contiguous), the
//   first value, the gaps between the others (minus 1, absent when contiguous), and for each edge
//   how far back its child is (absent on the last level).
// The empty set has no nodes. Without levels there is a final byte that tells the empty marking's
// set from it.
std::vector<std::uint8_t> serialise(Context& context, Level levels, NodeId root);

// Throws MalformedBytes unless these are exactly the bytes of some set with that number of levels.
NodeId deserialise(Context& context, Level levels, std::span<const std::uint8_t> bytes);

}  // namespace mpisog::mdd
