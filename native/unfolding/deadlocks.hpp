// Dead markings in which a violating run may end, as a propositional formula.
#pragma once

#include <cstdint>
#include <vector>

#include "petri/net.hpp"
#include "unfolding/process.hpp"
#include "unfolding/reader.hpp"

namespace mpisog::unfolding {

// Clauses in the form of DIMACS: literals, each clause ends with 0. A model's true variables among
// the first `events.size()` are the events of a configuration that leads to a dead marking.
struct DeadlockProblem {
  bool possible = false;  // otherwise there is no such configuration, and no clause
  std::vector<std::uint32_t> events;
  std::vector<std::int32_t> clauses;
  std::uint32_t variables = 0;
};

DeadlockProblem deadlock_problem(Process& process, Reader& reader, const petri::Net& net);

}  // namespace mpisog::unfolding
