// Rules that keep every word: any LTL formula, with X, events and `dead`, has the same verdict.
//
// What none of them may change: forget the removed places, and the markings and firings of the net
// are those of before, step by step; each atom, rewritten, has the same truth at each instant; and
// a marking is dead exactly where it was. That is a bisimulation that keeps letters, so the words
// are the same, and a run of the reduced net is a run of the original as it stands (a word of one
// firing for each transition).
//
// Each rule is applied wherever it can be and says how often that was.
#pragma once

#include "reduce/working_net.hpp"

namespace mpisog::reduce {

// Remove transitions that can never fire. Atoms that ask about them, and their events, are false.
//
// Sound: a place that no transition that may fire adds to never holds more than at first. By
// induction on a run, what needs more than that cannot be the next to fire. What never fires and is
// never enabled is in no letter, and makes no marking alive.
std::size_t dead_transitions(WorkingNet& net);

// Remove places whose tokens never change, and the transitions that need more than they have.
//
// Sound: what is left has enough tokens there, always, so enabling does not depend on the place;
// comparisons get its number.
std::size_t constant_places(WorkingNet& net);

// Remove places, in no comparison, that never lose tokens and have enough at first for all takers.
//
// Sound: they never keep a transition from firing, so firings, `fireable` and `dead` do not depend
// on them. A place that may gain for ever stays: that the net is unbounded is to be found out.
std::size_t sink_places(WorkingNet& net);

// Remove a place that changes as another does and always has enough when that one has.
//
// Sound: the difference of the two is constant, so comparisons get the other place and a number,
// whatever their factors; that enabling does not need the place is `implies` with one other place.
std::size_t parallel_places(WorkingNet& net);

// Remove a transition when another does the same and needs no more. Events stay, and so does one
// that an atom asks about, unless the other needs exactly the same: then the atom asks about that.
//
// Sound: where the one is enabled so is the other, which leads to the same marking; neither is an
// event, so the letter is the same whichever fires. A marking that is dead without the one is dead
// with it.
std::size_t dominated_transitions(WorkingNet& net);

// Remove places, in no comparison, that a weighting of others shows to be always sufficient.
//
// Sound: see `implies`; enabling is the same without the place, and so are firings, `fireable` and
// `dead`. As with sinks, a place that may gain for ever over the weighted others stays.
std::size_t implicit_places(WorkingNet& net);

// Whether weighted other places never let a transition through that `place` would stop.
//
// If every firing adds to the place at least what it adds to the weighted sum of the others, then
// the place always holds that sum and the difference at first. A transition whose other inputs
// suffice finds there at least their weighted sum and the difference: that must be enough.
bool implies(const WorkingNet& net, const Bag& weights, Index place);

}  // namespace mpisog::reduce
