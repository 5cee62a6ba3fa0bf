// What may fire for ever.
#pragma once

#include "reduce/working_net.hpp"

namespace mpisog::reduce {

// Of these transitions (by index), those that are not shown to fire only finitely often in a run of
// these alone. One that takes from a place that none of the rest adds to is shown: each firing
// loses tokens there, and nothing brings them back.
std::vector<bool> may_run_on(const WorkingNet& net, std::vector<bool> transitions);

// The same of all transitions.
std::vector<bool> may_run_on(const WorkingNet& net);

}  // namespace mpisog::reduce
