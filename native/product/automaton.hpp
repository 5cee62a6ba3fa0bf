// A generalised Büchi automaton over atoms; its edges' conditions are decision diagrams.
#pragma once

#include <cstdint>
#include <vector>

namespace mpisog::product {

using Marks = std::uint32_t;  // acceptance sets as bits

struct Automaton {
  // Whether the condition holds is read off from its node: go low where the atom is false.
  struct Node {
    std::uint32_t atom, low, high;
  };
  struct Edge {
    std::uint32_t target;
    std::uint32_t condition;
    Marks marks;
  };

  std::vector<Node> nodes;               // the first two stand for false and true
  std::vector<std::vector<Edge>> edges;  // by state, in the order in which to try them
  std::vector<std::uint32_t> goals;      // by state, the condition that leads on to acceptance
  std::uint32_t initial = 0;
  Marks all_marks = 0;
};

}  // namespace mpisog::product
