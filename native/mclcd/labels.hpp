// What a marking's label says: a counter and flags in 32 bits that change in one atomic step.
//
// The counter is what is left to be cleared before the marking can be: firings (variants rg and
// no-graph), or those markings that it is the father of (rpg). A cleared marking has a flag of its
// own: the counter of a dead one is zero from the start, and it is not cleared.
#pragma once

#include <atomic>
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

// One successor less to wait for; true when it was the last. Counting down and seeing zero is one
// step: of several threads that count down one label, one sees it.
template <class AtomicLabel>
bool count_down(const AtomicLabel& label) noexcept {
  if ((label.load(std::memory_order_relaxed) & kCleared) != 0) return false;
  const Label before = label.fetch_sub(1);
  return (before & kCounter) == 1 && (before & kOther) == 0;
}

}  // namespace mpisog::mclcd
