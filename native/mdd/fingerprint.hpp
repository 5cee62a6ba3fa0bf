// 96 bits that stand for the content of a set, the same in every process with the same order.
//
// So many that among a hundred million nodes two are alike with a probability of 10^-13, and so few
// that a node and its fingerprint are a quarter of a cache line.
#pragma once

#include <array>
#include <cstdint>
#include <mutex>

#include "node_map.hpp"
#include "node_store.hpp"
#include "types.hpp"

namespace mpisog::mdd {

struct Context;

struct Fingerprint {
  std::array<std::uint32_t, 3> words{};

  std::uint64_t low() const { return (std::uint64_t{words[1]} << 32) | words[0]; }
  bool operator==(const Fingerprint&) const = default;
};

// A node's fingerprint depends on its values and on its children's fingerprints. Those that are
// known are kept: sets that follow each other have most nodes in common.
class Fingerprints {
 public:
  explicit Fingerprints(std::size_t most_bytes) : most_bytes_(most_bytes) {}

  // Called inside an operation, so that no collection comes in between.
  Fingerprint of(Context& context, NodeId root);
  // Before identifiers are given out again.
  void forget();

 private:
  // What the edges of a node have come to so far.
  struct Mixture {
    std::uint64_t low = 0x452821E638D01377ULL, high = 0xBE5466CF34E90C6CULL;
    void add(std::uint64_t x, std::uint64_t y);
    Fingerprint finished(std::uint32_t edges) const;
  };
  // A node on the way.
  struct Frame {
    NodeId node;
    std::uint32_t next = 0, edges = 0;
    Mixture mixture{};
  };

  // Goes over edges as far as the nodes below are known; the first that is not, or kEmpty.
  NodeId advance(Frame& frame, const NodeStore& store) const;
  const Fingerprint* known(NodeId node) const;

  std::mutex mutex_;
  std::size_t most_bytes_;
  NodeMap<Fingerprint> known_;
};

}  // namespace mpisog::mdd
