#include "sog/builders.hpp"

namespace mpisog::sog {

template class SetBuilder<BitsSets>;
template class SetBuilder<MddSets>;

}  // namespace mpisog::sog
