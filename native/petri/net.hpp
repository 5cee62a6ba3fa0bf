// The net as the native code sees it: indices and numbers, no names.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace mpisog::petri {

using Marking = std::vector<std::int64_t>;

struct Arc {
  std::uint32_t place;
  std::int64_t weight;
};

struct Transition {
  std::vector<Arc> pre;
  std::vector<Arc> post;
};

struct Net {
  Marking initial;
  std::vector<Transition> transitions;

  [[nodiscard]] std::size_t places() const noexcept { return initial.size(); }
};

}  // namespace mpisog::petri
