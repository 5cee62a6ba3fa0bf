// The part of one builder in a run (mpisog/team/plan.py).
#pragma once

#include "team/digest.hpp"

namespace mpisog::team {

using Rank = std::int64_t;
inline constexpr Rank kNobody = -1, kChecker = 0, kFirstBuilder = 1;

struct Plan {
  Rank rank = kFirstBuilder;
  Rank builders = 1;
  bool eager = true;  // builders run ahead of the checker

  [[nodiscard]] bool alone() const noexcept { return builders == 1; }
  // Where in a row a rank takes from: the first one at its beginning, the last at its end.
  [[nodiscard]] double quantile(Rank of) const noexcept {
    return alone() ? 0
                   : static_cast<double>(of - kFirstBuilder) / static_cast<double>(builders - 1);
  }
  // The rank that is responsible for a name.
  [[nodiscard]] Rank owner(const Digest& name) const noexcept {
    return kFirstBuilder + static_cast<Rank>(low_half(name) % static_cast<std::uint64_t>(builders));
  }
};

}  // namespace mpisog::team
