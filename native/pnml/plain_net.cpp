#include "pnml/plain_net.hpp"

#include <algorithm>

namespace mpisog::pnml {

std::uint32_t plain_number(std::string_view digits) {
  if (digits.empty() || digits.size() > 10) throw NotPlain();
  std::uint64_t value = 0;
  for (const char c : digits) {
    if (c < '0' || c > '9') throw NotPlain();
    value = value * 10 + static_cast<std::uint64_t>(c - '0');
  }
  if (value > kMostTokens) throw NotPlain();
  return static_cast<std::uint32_t>(value);
}

void add_up(Arcs& arcs) {
  std::sort(arcs.begin(), arcs.end());
  std::size_t kept = 0;
  for (std::size_t i = 0; i < arcs.size(); ++i) {
    if (kept != 0 && arcs[kept - 1].first == arcs[i].first) {
      const std::uint64_t sum = std::uint64_t{arcs[kept - 1].second} + arcs[i].second;
      if (sum > kMostTokens) throw NotPlain();
      arcs[kept - 1].second = static_cast<std::uint32_t>(sum);
    } else {
      arcs[kept++] = arcs[i];
    }
  }
  arcs.resize(kept);
}

}  // namespace mpisog::pnml
