// Builds and expands the aggregates of one observation, whatever their sets are.
#pragma once

#include "sog/aggregate.hpp"

namespace mpisog::sog {

// Safe in several threads at once. What is remembered between calls makes them faster, never
// different. All but the last two may take long and throw what sets and their limits throw.
class Builder {
 public:
  virtual ~Builder() = default;

  virtual Entry initial() = 0;
  // `stuttering`: whether it matters to the formula that a run stays there for ever.
  virtual Built build(Entry entry, bool stuttering) = 0;
  virtual Expansion expand(const Aggregate& aggregate) = 0;
  [[nodiscard]] virtual Label label(LabelId id) const = 0;
  [[nodiscard]] virtual std::size_t events() const = 0;
};

}  // namespace mpisog::sog
