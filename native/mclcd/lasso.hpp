// Runs of the net out of what a check has found: prefixes by fathers, and how they go on.
#pragma once

#include "mclcd/check.hpp"

namespace mpisog::mclcd {

class Tracer {
 public:
  Tracer(const Graph& graph, const Team& team, MemoryAccount& account)
      : graph_(graph), team_(team), account_(account) {}
  ~Tracer() { account_.give_back(taken_); }
  Tracer(const Tracer&) = delete;
  Tracer& operator=(const Tracer&) = delete;

  // To the marking, and on as the net likes.
  Lasso through(StateId id);
  // To the marking, and on through markings that are not cleared.
  Lasso uncleared(StateId id);

 private:
  std::vector<std::uint32_t> path_to(StateId id);
  [[nodiscard]] std::uint32_t firing(StateId from, StateId to);
  void end_anyhow(StateId id, Lasso& lasso);
  void count_step();
  void look() const;

  const Graph& graph_;
  const Team& team_;
  MemoryAccount& account_;
  std::vector<Word> scratch_;
  std::size_t steps_ = 0;
  std::size_t taken_ = 0;
};

}  // namespace mpisog::mclcd
