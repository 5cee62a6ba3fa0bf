// Breadth-first searches of the product of net and automaton: what is near is found first.
#pragma once

#include <span>
#include <vector>

#include "petri/state_space.hpp"
#include "product/allowance.hpp"
#include "product/moves.hpp"
#include "product/search.hpp"
#include "product/states.hpp"

namespace mpisog::product {

// `none`: there is nothing shorter than was asked for. `gave_up`: nothing was found in time.
enum class NearestEnd { found, none, gave_up };

struct Near {
  NearestEnd end = NearestEnd::gave_up;
  bool shortest = false;  // whether nothing shorter exists
  Lasso lasso;
};

// Firings after which the word of the run is no prefix of a word of the monitor; the monitor is
// deterministic, and a word without an edge is outside for good. With so many steps or more it is
// of no interest.
Near nearest_bad_prefix(const petri::Net& net, Moves& monitor, std::size_t fewer_than,
                        Allowance& allowance);

// A lasso whose word the Büchi automaton accepts, the shortest of the product as far as it is
// explored. (Runs may be shorter: there the automaton takes several rounds of the net's cycle.)
Near nearest_lasso(const petri::Net& net, Moves& violations, std::size_t fewer_than,
                   Allowance& allowance);

}  // namespace mpisog::product
