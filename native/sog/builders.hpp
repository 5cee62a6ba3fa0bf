// The builders of the two backends, compiled once.
#pragma once

#include "sog/bits_sets.hpp"
#include "sog/mdd_sets.hpp"
#include "sog/set_builder.hpp"

namespace mpisog::sog {

extern template class SetBuilder<BitsSets>;
extern template class SetBuilder<MddSets>;
using BitsBuilder = SetBuilder<BitsSets>;
using MddBuilder = SetBuilder<MddSets>;

}  // namespace mpisog::sog
