// Rules that keep words up to stuttering, for formulas that are stutter-invariant, without events.
//
// What none of them may change: the set of words with repeated letters merged. A run that does
// nothing visible for ever and one that ends in a dead marking look the same, unless the formula
// has `dead`: then `dead` is part of the letter, and the marking before a firing that ends the run
// must be kept, since it is not dead. "Invisible" says that a firing changes no other state atom,
// anywhere; what it does to `dead` is each rule's own business.
//
// Words are shortened, never lengthened: each word of the original net has one here that is the
// same or has fewer repeated letters, and each word here has one there that is the same or has
// more. That is what formulas with X are told (see docs/reductions.md).
//
// Each rule is applied wherever it can be and says how often that was.
#pragma once

#include "reduce/working_net.hpp"

namespace mpisog::reduce {

// Remove transitions that neither touch what is observed, nor feed what does, nor run on.
//
// Conditions: the formula has no `dead`. Kept are the transitions that change a place of a
// comparison or of a transition that atoms ask about, those transitions themselves, those that
// might fire for ever among the others, and, again and again, whatever changes an input of one
// kept.
//
// Sound: those removed change no input of those kept, so a run without them is still one, and looks
// the same. They have no run without end of their own, so a run without end keeps infinitely many
// steps; and where all that is kept is dead, the original ends soon after, looking the same.
std::size_t irrelevant_transitions(WorkingNet& net);

// Fire what takes from a place together with what puts tokens there.
//
// Conditions on the place p, its makers H and its takers F, which are disjoint: each f needs p and
// nothing else, all of them the same number of tokens there, and is invisible; each h gives a
// multiple of that. With several f no h gives enough for two, and p has not enough for one at
// first; a single f fires at first as often as it can. If the formula has `dead`, what each f gives
// is enough for some other transition.
//
// Sound: once h has fired nothing stops an f. In a run, move each f to right after the h it takes
// from, and add one where it is missing: f is invisible and needs nothing else, so what is in
// between still fires and looks the same. F alone has no run without end. Where an f is enabled or
// has just fired, `dead` is false: so it is false where an f has been moved, before and after.
// Without that condition an f may be what makes the net dead, and the marking before it would be
// lost. `fireable(h)` is `fireable` of h and f together, as f needs p only; no atom asks about an
// f, since it would be visible.
std::size_t post_agglomeration(WorkingNet& net);

// Fire what puts tokens into a place only together with what takes them.
//
// Conditions on the place p, its makers H and its takers F, which are disjoint: all arcs of p have
// the same weight, and p has less than that at first; each h gives tokens to p and nowhere else,
// needs something, and is invisible. And either each f needs p and nothing else; or the formula has
// no `dead` and no other transition takes from an input of an h.
//
// Sound: in a run, move each h to right before the f that takes from it, and leave it out where
// there is none; nothing else needs what h gives. H alone has no run without end, as each h takes
// from places that none adds to. If each f needs p only: from h to f the original is not dead, as f
// is enabled; nor is the run in which h waits, as h is. None is left out of a run that ends, and h
// is enabled where h and f together are. Otherwise leaving h out gives tokens back that no other
// transition takes, so nothing becomes enabled; and where h and f together are dead, the original
// fires h until it cannot, invisibly. No atom asks about an h or an f: either has an input that h
// changes.
std::size_t pre_agglomeration(WorkingNet& net);

}  // namespace mpisog::reduce
