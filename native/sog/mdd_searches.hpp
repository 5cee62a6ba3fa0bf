// Explicit searches, marking by marking, inside sets of the decision diagrams' kernel.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "mdd/kernel.hpp"
#include "search/cycle_finder.hpp"
#include "search/grower.hpp"

namespace mpisog::sog {

// Of each level of the diagrams, the place.
using PlaceOrder = std::vector<std::uint32_t>;

// Steps that several searches share, and what they must keep.
struct SearchSteps {
  std::vector<search::Step> list;
  std::vector<search::Condition> kept;
};

// The first `limit` markings, in the order of the levels.
std::vector<mdd::Marking> first_markings(mdd::Kernel& kernel, const mdd::Set& set,
                                         std::size_t limit);
mdd::Set to_set(mdd::Kernel& kernel, const PlaceOrder& order,
                const std::vector<petri::Marking>& markings);
petri::Marking to_marking(const PlaceOrder& order, const mdd::Marking& values);
// Refers to all three while it lives.
search::Contains membership(mdd::Kernel& kernel, const mdd::Set& set, const PlaceOrder& order);

struct FoundCycle {
  petri::Marking start;  // the marking of `starts` behind which the cycle is
  search::CycleFinder::Lasso lasso;
};
struct CycleSearch {
  std::optional<FoundCycle> found;
  bool gave_up = false;  // more than `limit` markings were met: nothing was proved
};
CycleSearch find_cycle(mdd::Kernel& kernel, const petri::Net& net, const PlaceOrder& order,
                       const std::vector<search::Step>& steps, const mdd::Set& starts,
                       const mdd::Set& within, std::size_t limit);

// What is met depth first, where steps lead out of it, and the deepest marking there.
struct GrownPart {
  mdd::Set inside, beyond, deepest;
};
GrownPart grow(mdd::Kernel& kernel, const petri::Net& net, const PlaceOrder& order,
               const SearchSteps& steps, const petri::Marking& start, std::size_t limit,
               const std::function<void()>& poll);

}  // namespace mpisog::sog
