// Which transitions to try in a marking, without looking at all of them.
//
// Every transition is filed under one of its input places; only those filed under marked places
// can be enabled. In a safe net few places are marked, so few transitions are tried.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "petri/layout.hpp"

namespace mpisog::petri {

class Candidates {
 public:
  Candidates(const Net& net, std::span<const std::uint32_t> transitions);

  // Calls `visit` with every listed transition that may be enabled, until it returns false.
  template <class Visit>
  void visit(const Layout& layout, const Word* packed, Visit&& try_transition) const {
    bool going = true;
    const auto try_range = [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; going && i < end; ++i) going = try_transition(filed_[i]);
    };
    try_range(0, begin_.front());
    layout.for_each_marked(
        packed, [&](std::uint32_t place) { try_range(begin_[place], begin_[place + 1]); });
  }

 private:
  std::vector<std::uint32_t> filed_;  // those without inputs, then place by place
  std::vector<std::size_t> begin_;    // where a place's transitions begin in filed_
};

}  // namespace mpisog::petri
