// Figures about a set: exact numbers of markings and of steps, largest values.
#pragma once

#include <cstdint>
#include <vector>

#include "context.hpp"
#include "natural.hpp"
#include "types.hpp"

namespace mpisog::mdd {

Natural count_markings(Context& context, NodeId root);
// Number of pairs (marking of the set, event enabled in it). Events are normalised.
Natural count_steps(Context& context, Level levels, NodeId root, const std::vector<Event>& events);
std::vector<Value> largest_values(Context& context, Level levels, NodeId root);
// Of a set that is not empty. Coefficients by level.
std::int64_t largest_sum(Context& context, NodeId root,
                         const std::vector<std::int64_t>& coefficients);
// Of a set that is not empty: a marking with the fewest tokens more or less than the wished one.
Marking nearest(Context& context, Level levels, NodeId root, const Marking& wished);

}  // namespace mpisog::mdd
