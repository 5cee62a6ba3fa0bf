// From what was found in a prefix to firing sequences of the net.
#pragma once

#include <cstdint>
#include <vector>

#include "unfolding/process.hpp"

namespace mpisog::unfolding {

struct Lasso {
  std::vector<std::uint32_t> prefix;  // transitions
  std::vector<std::uint32_t> cycle;
  bool any_ending = false;  // the prefix may be continued in any way
};

// Fires events as late as possible: an invisible one when a move of the automaton needs it. Between
// two moves the automaton may not be able to wait.
class LazyRun {
 public:
  LazyRun(const Process& process, const Rules& rules);

  // The next event in an order in which they could fire.
  void add(std::uint32_t rule);
  void fire_all();
  [[nodiscard]] const std::vector<std::uint32_t>& fired() const noexcept { return fired_; }
  [[nodiscard]] const std::vector<bool>& marking() const noexcept { return marking_; }

 private:
  struct Step {
    std::uint32_t rule;
    bool fired;
    std::vector<std::uint32_t> causes;
  };

  void fire(std::uint32_t step);

  const Rules& rules_;
  std::vector<Step> steps_;
  std::vector<std::uint32_t> producer_;  // by place, the step that made its token
  std::vector<std::uint32_t> fired_;
  std::vector<bool> marking_;
};

// The companion is a cause of the event, with moves into accepting states in between.
Lasso accepting_lasso(Process& process, std::uint32_t event, std::uint32_t companion);
// Any run that begins with the event will do.
Lasso open_lasso(Process& process, std::uint32_t event);
// A checkpoint of the tableau, then a cycle of the livelock's component.
Lasso livelock_lasso(Process& process, std::uint32_t checkpoint, Process& livelock,
                     std::uint32_t event, std::uint32_t companion);
// A configuration after which nothing can fire.
Lasso dead_lasso(Process& process, std::vector<std::uint32_t> configuration);

}  // namespace mpisog::unfolding
