#include "fingerprint.hpp"

#include <bit>
#include <vector>

#include "context.hpp"
#include "op_cache.hpp"

namespace mpisog::mdd {

namespace {

constexpr Fingerprint kOfEmpty{{0x243F6A88U, 0x85A308D3U, 0x13198A2EU}};
constexpr Fingerprint kOfTrue{{0xA4093822U, 0x299F31D0U, 0x082EFA98U}};
constexpr std::uint64_t kOdd = 0x9E3779B97F4A7C15ULL;

}  // namespace

// The two halves are mixed in different ways, so that one is no function of the other.
void Fingerprints::Mixture::add(std::uint64_t x, std::uint64_t y) {
  const std::uint64_t before = low;
  low = mix(before ^ x, y + 0x452821E638D01377ULL);
  high = mix(high ^ y, x ^ 0xBE5466CF34E90C6CULL) + std::rotl(before, 23);
}

Fingerprint Fingerprints::Mixture::finished(std::uint32_t edges) const {
  Mixture all = *this;
  all.add(edges, kOdd);
  return {{static_cast<std::uint32_t>(all.low), static_cast<std::uint32_t>(all.low >> 32),
           static_cast<std::uint32_t>(all.high ^ (all.high >> 32))}};
}

Fingerprint Fingerprints::of(Context& context, NodeId root) {
  const std::lock_guard lock(mutex_);
  if (root <= kTrue) return root == kEmpty ? kOfEmpty : kOfTrue;
  // Forgotten in between only, never on the way: children are looked up when their parent is done.
  if (known_.bytes() > most_bytes_) known_.clear();
  std::vector<Frame> stack;
  if (known_.find(root) == nullptr) stack.push_back({root});
  while (!stack.empty()) {
    context.look();
    const NodeId missing = advance(stack.back(), context.store);
    if (missing != kEmpty) {
      stack.push_back({missing});
      continue;
    }
    const Frame& done = stack.back();
    known_.add(done.node, done.mixture.finished(done.edges));
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
    frame.mixture.add(below->low() + kOdd * node.value(frame.next), below->words[2]);
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

}  // namespace mpisog::mdd
