// Whether a reduced net has the words of the original one, and its runs lift to runs of it.
#pragma once

#include <optional>
#include <string>

#include "reduce/reducer.hpp"
#include "tests/audit/tiny_net.hpp"

namespace mpisog::audit {

// A net with its graph, and the atoms of a formula over it.
struct Observed {
  const TinyNet& net;
  const Graph& graph;
  const std::vector<petri::Atom>& atoms;
};

struct Judgement {
  std::optional<std::string> fault;
  bool whole = true;  // both graphs were complete
};

// All LTL formulas over the atoms, or all that are stutter-invariant, have the same verdict on both
// nets when this finds no fault: it compares the words, not a choice of formulas.
//
// From the reduced net to the original: beside each run of the reduced net goes the original one,
// with the word of each transition; both show the same letters, with repetitions only where words
// have several firings; where the reduced net is dead, all that the original can still do ends and
// shows nothing.
//
// From the original to the reduced net, for rules that keep every word: each firing is one of a
// transition there that leads to the same marking with the same letter. For the others: a word of
// the reduced net follows each run of the original, letter by letter, without more repetitions;
// where the original can repeat a letter for ever, so can the reduced net.
//
// Of graphs that are not complete, what there is of them is compared as far as that decides.
Judgement compare(const Observed& original, const reduce::Reduced& reduced, bool stuttering);

}  // namespace mpisog::audit
