// Exhaustive exploration: the figures of the whole reachability graph.
#pragma once

#include <cstdint>
#include <string>

#include "petri/net.hpp"
#include "petri/pulse.hpp"

namespace mpisog::petri {

enum class Outcome { complete, stopped, unbounded };

struct ExplorationFigures {
  Outcome outcome = Outcome::complete;
  std::uint64_t states = 0;
  std::uint64_t edges = 0;
  std::uint64_t dead = 0;
  std::uint64_t max_tokens_in_marking = 0;
  std::uint64_t max_tokens_in_place = 0;
  std::uint64_t bytes = 0;
  std::uint64_t packed_bytes_per_marking = 0;
  std::size_t unbounded_place = 0;  // meaningful when the outcome is `unbounded`
};

ExplorationFigures explore(Net net, Pulse::Beat beat);

}  // namespace mpisog::petri
