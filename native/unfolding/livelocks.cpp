#include "unfolding/livelocks.hpp"

namespace mpisog::unfolding {

Livelocks::Livelocks(const Rules& rules, Limits& limits)
    : process(rules, limits), queue_(process), table_(process) {}

std::optional<Violation> Livelocks::search(const std::vector<std::uint32_t>& marking) {
  const std::uint32_t root = process.add_root(marking, nullptr);
  const std::uint64_t key = process.events[root].hash;
  bool known = false;
  table_.visit(key,
               [&](std::uint32_t other) { known = known || process.same_marking(root, other); });
  if (known) return std::nullopt;
  table_.insert(root, key);
  try {
    extend(root);
    queue_.run([this](std::uint32_t e, std::uint64_t k) { return cut(e, k); },
               [this](std::uint32_t e, std::uint64_t k) { grow(e, k); });
  } catch (const Violation& found) {
    return found;
  }
  return std::nullopt;
}

bool Livelocks::cut(std::uint32_t number, std::uint64_t key) {
  Event& event = process.events[number];
  table_.visit(key, [&](std::uint32_t other) {
    if (!process.same_marking(number, other)) return;
    const Event& known = process.events[other];
    const bool conflict = known.root == event.root && process.in_conflict(number, other);
    if (known.root != event.root || (conflict && known.size == event.size)) {
      event.companion = other;
    } else if (!conflict) {
      process.place(number);
      process.grow(number);  // as far as the net is 1-safe, the difference is a cycle
      throw Violation{number, other};
    }
  });
  event.terminal = event.companion != kNone;
  if (!event.terminal) return false;
  process.place(number);
  ++process.figures.cutoffs;
  return true;
}

void Livelocks::grow(std::uint32_t number, std::uint64_t key) {
  process.place(number);
  process.grow(number);
  table_.insert(number, key);
  extend(number);
}

void Livelocks::extend(std::uint32_t number) {
  process.extend(number, [this](std::uint32_t rule, std::span<const std::uint32_t> inputs) {
    const std::uint32_t event = process.add(rule, inputs, 0, false);
    queue_.push(event, process.events[event].hash);
  });
}

}  // namespace mpisog::unfolding
