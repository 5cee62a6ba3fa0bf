// The shortest run of a net whose word a Büchi automaton accepts, with proof that none is shorter.
//
// The automaton may need several rounds of the net's cycle before it is where it was. So what a
// word does to all states of the automaton at once is what the search keeps: a relation, with the
// pairs between which an accepting edge can be met. A cycle of the net with the relation r is
// accepted from a set of states when some power of r leads from there into an accepting loop of r.
#pragma once

#include "product/nearest.hpp"

namespace mpisog::product {

// States of automata that the search can take; larger ones get no answer.
inline constexpr std::size_t kRelationStates = 32;

Near shortest_lasso(const petri::Net& net, Moves& violations, std::size_t fewer_than,
                    Allowance& allowance);

}  // namespace mpisog::product
