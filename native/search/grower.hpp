// A part of what steps lead to from one marking, explored depth first.
#pragma once

#include <functional>
#include <vector>

#include "petri/atoms.hpp"
#include "search/explicit_steps.hpp"

namespace mpisog::search {

// What every marking must fulfil.
struct Condition {
  petri::Atom atom;
  bool truth;
};

struct Part {
  std::vector<petri::Marking> inside;  // at most as many as the limit; the start is among them
  std::vector<petri::Marking> beyond;  // where steps lead out of it, the deepest first
};

// Calls `poll` now and then, which may throw, and throws memory::LimitReached: on a wide net one
// marking alone may have thousands of large successors.
Part grow(const petri::Net& net, const std::vector<Step>& steps,
          const std::vector<Condition>& conditions, const petri::Marking& start, std::size_t limit,
          const std::function<void()>& poll);

}  // namespace mpisog::search
