// 128 bits that stand for the content of a set, the same in every process with the same order.
#pragma once

#include <cstdint>
#include <mutex>

#include "node_map.hpp"
#include "node_store.hpp"
#include "types.hpp"

namespace mpisog::ldd {

struct Fingerprint {
  std::uint64_t low = 0, high = 0;
  bool operator==(const Fingerprint&) const = default;
};

// A node's fingerprint depends on its values and on its children's fingerprints. Those that are
// known are kept: sets that follow each other have most nodes in common.
class Fingerprints {
 public:
  explicit Fingerprints(std::size_t most_bytes) : most_bytes_(most_bytes) {}

  // Called inside an operation, so that no collection comes in between.
  Fingerprint of(const NodeStore& store, NodeId root);
  // Before identifiers are given out again.
  void forget();

 private:
  // A node on the way, with what its first edges have come to.
  struct Frame {
    NodeId node;
    std::uint32_t next = 0, edges = 0;
    Fingerprint print = kSeed;
  };
  static constexpr Fingerprint kSeed{0x452821E638D01377ULL, 0xBE5466CF34E90C6CULL};

  // Goes over edges as far as the nodes below are known; the first that is not, or kEmpty.
  NodeId advance(Frame& frame, const NodeStore& store) const;
  const Fingerprint* known(NodeId node) const;

  std::mutex mutex_;
  std::size_t most_bytes_;
  NodeMap<Fingerprint> known_;
};

}  // namespace mpisog::ldd
