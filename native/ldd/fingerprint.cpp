#include "fingerprint.hpp"

#include <bit>
#include <vector>

#include "op_cache.hpp"

namespace mpisog::ldd {

namespace {

constexpr Fingerprint kOfEmpty{0x243F6A8885A308D3ULL, 0x13198A2E03707344ULL};
constexpr Fingerprint kOfTrue{0xA4093822299F31D0ULL, 0x082EFA98EC4E6C89ULL};
constexpr std::uint64_t kOdd = 0x9E3779B97F4A7C15ULL;

// The two halves are mixed in different ways, so that one is no function of the other.
Fingerprint mixed(const Fingerprint& so_far, std::uint64_t x, std::uint64_t y) {
  return {mix(so_far.low ^ x, y + 0x452821E638D01377ULL),
          mix(so_far.high ^ y, x ^ 0xBE5466CF34E90C6CULL) + std::rotl(so_far.low, 23)};
}

}  // namespace

Fingerprint Fingerprints::of(const NodeStore& store, NodeId root) {
  const std::lock_guard lock(mutex_);
  if (root <= kTrue) return root == kEmpty ? kOfEmpty : kOfTrue;
  // Forgotten in between only, never on the way: children are looked up when their parent is done.
  if (known_.bytes() > most_bytes_) known_.clear();
  std::vector<Frame> stack;
  if (known_.find(root) == nullptr) stack.push_back({root});
  while (!stack.empty()) {
    const NodeId missing = advance(stack.back(), store);
    if (missing != kEmpty) {
      stack.push_back({missing});
      continue;
    }
    const Frame& done = stack.back();
    known_.add(done.node, mixed(done.print, done.edges, kOdd));
    stack.pop_back();
  }
  return *known_.find(root);
}

NodeId Fingerprints::advance(Frame& frame, const NodeStore& store) const {
  const NodeView node = store.view(frame.node);
  if (frame.next == 0) {
    for (std::uint32_t i = 0; i < node.size; ++i) known_.prefetch(node.child(i));
  }
  for (; frame.next < node.size; ++frame.next) {
    const NodeId child = node.child(frame.next);
    if (child == kEmpty) continue;
    const Fingerprint* const below = known(child);
    if (below == nullptr) return child;
    frame.print = mixed(frame.print, below->low + kOdd * node.value(frame.next), below->high);
    ++frame.edges;
  }
  return kEmpty;
}

void Fingerprints::forget() {
  const std::lock_guard lock(mutex_);
  known_.clear();
}

const Fingerprint* Fingerprints::known(NodeId node) const {
  return node == kTrue ? &kOfTrue : known_.find(node);
}

}  // namespace mpisog::ldd
