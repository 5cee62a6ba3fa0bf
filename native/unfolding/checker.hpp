// All parts of a check on unfoldings: the tableau, livelocks, and what is asked about deadlocks.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "unfolding/deadlocks.hpp"
#include "unfolding/lasso.hpp"
#include "unfolding/livelocks.hpp"
#include "unfolding/tableau.hpp"

namespace mpisog::unfolding {

enum class Outcome { complete, found, unsafe, stopped, out_of_memory };

// The place that can hold two tokens, and the transitions that put them there; none of these: the
// initial marking.
struct UnsafePlace {
  std::uint32_t place = kNone;
  std::uint32_t first = kNone;
  std::uint32_t second = kNone;
};

class Checker {
 public:
  // Without an automaton the tableau is the complete prefix of the net.
  Checker(petri::Net net, std::vector<petri::Atom> atoms,
          std::optional<product::Automaton> automaton, const std::vector<Role>& roles,
          std::size_t bytes, Limits::Poll poll);
  Checker(const Checker&) = delete;
  Checker& operator=(const Checker&) = delete;

  Outcome build_tableau() noexcept;
  // After the tableau is complete.
  Outcome search_livelocks() noexcept;
  // Whether there is something to solve: `deadlocks()`; `complete`: there is not.
  Outcome ask_for_deadlocks() noexcept;
  // The lasso of a configuration that leads to a dead marking.
  Lasso dead_end(const std::vector<std::uint32_t>& configuration);

  [[nodiscard]] const Lasso& lasso() const noexcept { return lasso_; }
  [[nodiscard]] const DeadlockProblem& deadlocks() const noexcept { return deadlocks_; }
  [[nodiscard]] const UnsafePlace& unsafe() const noexcept { return unsafe_; }
  [[nodiscard]] Process& tableau() noexcept { return tableau_.process; }
  [[nodiscard]] const Figures& livelock_figures() const noexcept {
    return livelocks_.process.figures;
  }
  [[nodiscard]] std::size_t checkpoints() const noexcept { return tableau_.checkpoints().size(); }
  [[nodiscard]] std::size_t peak_bytes() const noexcept { return limits_.peak(); }

 private:
  template <class Work>
  Outcome limited(Process& process, Work&& work) noexcept;

  petri::Net net_;
  Limits limits_;
  Rules rules_;
  Rules silent_rules_;
  std::optional<Reader> reader_;
  Tableau tableau_;
  Livelocks livelocks_;
  Lasso lasso_;
  DeadlockProblem deadlocks_;
  UnsafePlace unsafe_;
};

}  // namespace mpisog::unfolding
