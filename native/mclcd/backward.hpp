// The backward phase: markings are cleared once all their successors are.
#pragma once

#include <deque>
#include <utility>

#include "mclcd/check.hpp"
#include "mclcd/labels.hpp"
#include "mclcd/stack.hpp"

namespace mpisog::mclcd {

class Backward {
 public:
  Backward(Graph& graph, Team& team, MemoryAccount& account, Form form, Variant variant,
           Tally* tallies);

  // One clearing phase, from what was cleared forwards at first, then from what was collected.
  // True when everything that has to be cleared is.
  bool clear();
  // Variant rpg, once nothing more can be cleared by way of fathers: looks for markings all of
  // whose successors are cleared. False when there is none.
  bool collect();

  // A marking that should have been cleared and was not.
  [[nodiscard]] StateId uncleared() const;

 private:
  // Whether a marking's successors are all cleared, found out a few firings at a time.
  struct Test {
    StateId id;
    Label bookmark;             // transitions whose firings are known to lead to what is cleared
    std::uint32_t firings = 1;  // to look up next: most tests fail at once
    std::uint32_t end = 0;      // of these
    bool exhausted = false;     // these are the last ones
  };
  struct alignas(64) Worker {
    Firings firings;
    std::vector<Label> tried;  // of each firing, how many transitions had been tried
    std::vector<Test> tests;
  };

  bool clear_next(unsigned worker);
  bool scan_next(unsigned worker);
  bool steal(unsigned worker);
  void clear_marking(unsigned worker, StateId id);
  void tell_parents(unsigned worker, StateId id);
  void tell_by_firing(unsigned worker, StateId id);
  void tell_sources(unsigned worker);
  void tell(unsigned worker, StateId parent);
  [[nodiscard]] bool maybe_work() const noexcept;
  [[nodiscard]] bool complete() const noexcept;
  void test_range(unsigned worker, Range range);
  void run_tests(unsigned worker);
  void fire_some(Worker& worker, Test& test) const;
  bool judge(unsigned worker, Test& test, std::uint32_t begin);

  Graph& graph_;
  Team& team_;
  const Form form_;
  const Variant variant_;
  Tally* const tallies_;
  std::vector<Worker> workers_;
  std::deque<WorkStack> stacks_;
  Quiet quiet_;
  bool scanning_ = true;  // the first time
  std::atomic<bool> collected_ = false;
  // Of variant no-graph: the net with all arcs turned round.
  petri::Net reverse_;
  std::unique_ptr<petri::Layout> reverse_layout_;
  std::unique_ptr<petri::Candidates> reverse_candidates_;
};

}  // namespace mpisog::mclcd
