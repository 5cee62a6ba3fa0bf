// Explicit search for a firing sequence inside sets of markings.
//
// Goes backwards from one marking, guided towards a likely start by the tokens that differ.
// Counterexamples need the way to a particular marking: a few markings one by one are cheaper than
// images of large sets.
#pragma once

#include <cstdint>
#include <vector>

#include "search/explicit_steps.hpp"

namespace mpisog::search {

struct Question {
  petri::Marking target;
  petri::Marking anchor;  // one of the sources, where the search is drawn to
  const std::vector<Step>& steps;
  Contains within;    // what lies between
  Contains sources;   // where a path may start
  bool at_once;       // whether the target itself may be the start
  std::size_t limit;  // markings to look at before giving up
};

struct FoundPath {
  petri::Marking start;
  std::vector<std::uint32_t> firings;
};

enum class SearchEnd { found, none, gave_up };

struct Answer {
  SearchEnd end;
  FoundPath path;  // meaningful when found
};

Answer find_path(const petri::Net& net, const Question& question);

}  // namespace mpisog::search
