// Variable orders for the places of a net. The order decides the size of decision diagrams, so
// several candidates are made and compared by cheap figures about the transitions' spans.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace mpisog::order {

using Place = std::uint32_t;
using Order = std::vector<Place>;  // order[position] = place

// What a transition does to one place.
struct Arc {
  Place place = 0;
  std::uint32_t needed = 0;
  std::int64_t effect = 0;
};

struct Structure {
  std::uint32_t places = 0;
  std::vector<std::vector<Arc>> transitions;  // each touches a place once
  std::vector<std::uint32_t> initial;         // tokens of each place at first
  // When the time for orders is over: what has been found until then must do.
  std::chrono::steady_clock::time_point until = std::chrono::steady_clock::time_point::max();

  bool late() const { return std::chrono::steady_clock::now() >= until; }
};

// Figures about where transitions are in an order; small is good.
struct Spans {
  double heights =
      0;  // sum over transitions of the distance of the first place from the last level
  double weighted = 0;  // the same, times the number of levels from the first place to the last
};

Order file_order(const Structure& net);
Order force(const Structure& net, Order start, unsigned rounds);
// Reverse Cuthill-McKee on places that share a transition, from a given place or from one at the
// rim.
Order cuthill_mckee(const Structure& net, std::optional<Place> from = {});
Order sloan(const Structure& net);
Order reversed(Order order);
Spans spans(const Structure& net, const Order& order);

// Work that the closure takes in this order on a net with fewer tokens; gives up beyond the limit.
std::size_t probe(const Structure& net, const Order& order, std::size_t limit);

// The best of many candidates; deterministic. The effort grows with how large the diagrams are
// expected to be.
Order choose(const Structure& net);

}  // namespace mpisog::order
