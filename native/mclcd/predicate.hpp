// Boolean combinations of state atoms, as decision diagrams over the truth of atoms.
#pragma once

#include <cstdint>
#include <vector>

#include "petri/atoms.hpp"
#include "petri/candidates.hpp"

namespace mpisog::mclcd {

struct Predicate {
  struct Node {
    std::uint32_t atom;
    std::uint32_t low, high;  // where the atom is false, where it is true
  };
  std::vector<Node> nodes;  // the first two stand for false and true
  std::uint32_t root = 0;
};

// Atoms and what they are evaluated with.
class Evaluator {
 public:
  Evaluator(std::vector<petri::Atom> atoms, std::size_t transitions,
            const petri::Candidates& candidates)
      : atoms_(std::move(atoms)), transitions_(transitions), candidates_(candidates) {}

  [[nodiscard]] bool holds(const Predicate& predicate, const petri::Layout& layout,
                           const petri::Word* packed) const {
    std::uint32_t node = predicate.root;
    while (node > 1) {
      const Predicate::Node& at = predicate.nodes[node];
      node = true_in(atoms_[at.atom], layout, packed) ? at.high : at.low;
    }
    return node == 1;
  }

 private:
  [[nodiscard]] bool true_in(const petri::Atom& atom, const petri::Layout& layout,
                             const petri::Word* packed) const {
    if (std::holds_alternative<petri::Dead>(atom)) return dead(layout, packed);
    return petri::holds(atom, layout, packed, transitions_);
  }
  [[nodiscard]] bool dead(const petri::Layout& layout, const petri::Word* packed) const {
    bool found = false;
    candidates_.visit(layout, packed, [&](std::uint32_t transition) {
      found = layout.enabled(packed, transition);
      return !found;
    });
    return !found;
  }

  std::vector<petri::Atom> atoms_;
  std::size_t transitions_;
  const petri::Candidates& candidates_;
};

}  // namespace mpisog::mclcd
