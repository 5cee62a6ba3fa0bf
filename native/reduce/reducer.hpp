// Which rules there are, their fixpoint, and the net that is left.
#pragma once

#include <span>
#include <string_view>

#include "reduce/working_net.hpp"

namespace mpisog::reduce {

struct Rule {
  std::string_view name;
  std::size_t (*apply)(WorkingNet& net);
  bool stuttering;  // only for formulas that are stutter-invariant and have no events
  bool costly;      // applied only when the others have nothing left to do
};

std::span<const Rule> all_rules();

// How often each of all rules did something; only those whose numbers are given are applied, again
// and again until none does anything or the net's time is over.
std::vector<std::size_t> reduce(WorkingNet& net, const std::vector<std::size_t>& rules);

// What is left, with indices of its own.
struct Reduced {
  petri::Net net;
  std::vector<Index> places;  // their indices in the original net
  std::vector<Word> words;    // what the original fires for each transition
  Word first;                 // what the original fires before anything else
  std::vector<BoundAtom> atoms;
};

Reduced finished(const WorkingNet& net);

}  // namespace mpisog::reduce
