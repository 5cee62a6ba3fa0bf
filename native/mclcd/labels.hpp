// What a marking's label says: a counter and flags in 32 bits that change in one atomic step.
//
// The counter is what is left to be cleared before the marking can be: firings (variants rg and
// no-graph), or those markings that it is the father of (rpg). A cleared marking has a flag of its
// own: the counter of a dead one is zero from the start, and it is not cleared.
#pragma once

#include <cstdint>

namespace mpisog::mclcd {

using Label = std::uint32_t;

inline constexpr Label kCleared = Label{1} << 31;
inline constexpr Label kOther = Label{1} << 30;   // some firing leads to a marking that is no son
inline constexpr Label kSeed = Label{1} << 29;    // has to be cleared
inline constexpr Label kOnPath = Label{1} << 28;  // of the lasso
inline constexpr Label kTold = Label{1} << 27;    // cleared backwards; its parents are being told
inline constexpr Label kTested = Label{1} << 26;  // rpg: no sons left; the counter is a bookmark
inline constexpr Label kCounter = kTested - 1;

}  // namespace mpisog::mclcd
