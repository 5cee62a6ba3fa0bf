// Atoms of a formula, evaluated on packed or plain markings.
#pragma once

#include <cstdint>
#include <utility>
#include <variant>
#include <vector>

#include "petri/layout.hpp"

namespace mpisog::petri {

enum class Relation { le, ge, eq, ne, lt, gt };

struct Comparison {
  std::vector<std::pair<std::uint32_t, std::int64_t>> terms;  // (place, coefficient)
  Relation relation;
  std::int64_t bound;
};

struct Fireable {
  std::vector<std::uint32_t> transitions;
};

struct Dead {};

struct Fire {
  std::uint32_t transition;
};

__extension__ typedef __int128 Wide;  // coefficients times token counts may leave 64 bits

bool compare(Wide left, Relation relation, Wide right) noexcept;

using Atom = std::variant<Comparison, Fireable, Dead, Fire>;

// Truth of a state atom; an event atom is a property of steps and counts as false here.
bool holds(const Atom& atom, const Layout& layout, const Word* packed,
           std::size_t transition_count);
bool holds(const Atom& atom, const Net& net, const Marking& marking);

}  // namespace mpisog::petri
