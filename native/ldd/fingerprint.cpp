#include "fingerprint.hpp"

#include <bit>
#include <vector>

#include "op_cache.hpp"

namespace mpisog::ldd {

namespace {

constexpr Fingerprint kOfEmpty{0x243F6A8885A308D3ULL, 0x13198A2E03707344ULL};
constexpr Fingerprint kOfTrue{0xA4093822299F31D0ULL, 0x082EFA98EC4E6C89ULL};
constexpr Fingerprint kSeed{0x452821E638D01377ULL, 0xBE5466CF34E90C6CULL};
constexpr std::uint64_t kOdd = 0x9E3779B97F4A7C15ULL;

// The two halves are mixed in different ways, so that one is no function of the other.
Fingerprint mixed(const Fingerprint& so_far, std::uint64_t x, std::uint64_t y) {
  return {mix(so_far.low ^ x, y + kSeed.low),
          mix(so_far.high ^ y, x ^ kSeed.high) + std::rotl(so_far.low, 23)};
}

}  // namespace

Fingerprint Fingerprints::of(const NodeStore& store, NodeId root) {
  const std::lock_guard lock(mutex_);
  if (root <= kTrue) return known(root);
  // Forgotten in between only, never on the way: children are looked up when their parent is done.
  if (known_.bytes() > most_bytes_) known_.clear();
  struct Frame {
    NodeId node;
    std::uint32_t next;
  };
  std::vector<Frame> stack;
  if (known_.find(root) == nullptr) stack.push_back({root, 0});
  while (!stack.empty()) {
    Frame& frame = stack.back();
    const NodeView node = store.view(frame.node);
    NodeId missing = kEmpty;
    while (frame.next < node.size && missing == kEmpty) {
      const NodeId child = node.child(frame.next++);
      if (child > kTrue && known_.find(child) == nullptr) missing = child;
    }
    if (missing != kEmpty) {
      stack.push_back({missing, 0});
      continue;
    }
    known_.add(frame.node, combine(node));
    stack.pop_back();
  }
  return known(root);
}

void Fingerprints::forget() {
  const std::lock_guard lock(mutex_);
  known_.clear();
}

Fingerprint Fingerprints::combine(const NodeView& node) const {
  Fingerprint print = kSeed;
  std::uint64_t edges = 0;
  for (std::uint32_t i = 0; i < node.size; ++i) {
    if (node.child(i) == kEmpty) continue;
    const Fingerprint below = known(node.child(i));
    print = mixed(print, below.low + kOdd * node.value(i), below.high);
    ++edges;
  }
  return mixed(print, edges, kOdd);
}

Fingerprint Fingerprints::known(NodeId node) const {
  if (node == kEmpty) return kOfEmpty;
  return node == kTrue ? kOfTrue : *known_.find(node);
}

}  // namespace mpisog::ldd
