// Builds and expands the aggregates of one observation, whatever their sets are.
#pragma once

#include <string>
#include <string_view>

#include "sog/aggregate.hpp"

namespace mpisog::sog {

// What the sets occupy. Of decision diagrams `live` is known since the last collection.
struct Occupied {
  std::size_t live = 0, nodes = 0, caches = 0;  // bytes
  std::size_t budget = 0;                       // 0: what the process has left
  std::size_t collections = 0;
};

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

  // For whoever builds a graph together with others.
  virtual LabelId number(const Label& label) = 0;
  // Bytes that tell a set from all others, and all of a set; the same in every process.
  virtual std::string fingerprint(SetId set) = 0;
  virtual std::string serialise(SetId set) = 0;
  virtual SetId deserialise(std::string_view bytes) = 0;
  // Of one marking of the set, always the same one, the tokens in some places.
  virtual std::vector<std::uint64_t> tokens(SetId set,
                                            const std::vector<std::uint32_t>& places) = 0;
  // Every set that was given out is kept until it is dropped as often.
  virtual void drop(SetId set) = 0;
  [[nodiscard]] virtual Occupied occupied() const = 0;
  virtual void collect_garbage() = 0;
};

}  // namespace mpisog::sog
