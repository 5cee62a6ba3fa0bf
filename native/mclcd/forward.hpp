// The forward phase: all threads explore, and label what they find.
#pragma once

#include <vector>

#include "mclcd/check.hpp"

namespace mpisog::mclcd {

class Forward {
 public:
  Forward(Graph& graph, Team& team, const MemoryAccount& account, const Property& property,
          const Evaluator& evaluator, Variant variant, Tally* tallies);

  void run();

  // A marking whose being reached decides; kNoState when there is none.
  [[nodiscard]] StateId decisive() const noexcept { return decisive_.load(); }
  // Whether reverse edges were given up for fathers, or never kept.
  [[nodiscard]] bool parental() const noexcept { return parental_; }

 private:
  // What to do about a marking.
  enum class Treatment { expand, prune, decide };
  struct Judgement {
    Treatment treatment;
    std::uint32_t flags = 0;  // of its label
  };
  // How far the successors of one marking have been stored, when they are too many for once.
  struct Progress {
    std::uint32_t tried = 0;  // transitions
    std::uint32_t count = 0;  // firings
    std::uint32_t sons = 0;
  };
  struct alignas(64) Worker {
    Firings firings;
    Progress stored;
    std::uint32_t tried = 0;                 // once the firings are stored, too
    std::size_t room = 0;                    // in the index, claimed and not used yet
    std::vector<Graph::Overflow> overflows;  // fields that were too narrow
  };

  bool work(unsigned worker);
  Range take(unsigned worker);
  bool fire_group(unsigned worker, StateId& next, StateId end);
  [[nodiscard]] Judgement judge(StateId id) const;
  bool insert_group(unsigned worker);
  [[nodiscard]] bool crowded() const noexcept;
  std::uint32_t insert_successors(unsigned worker, const Firings::Source& source);
  void finish(unsigned worker, const Firings::Source& source);
  void decide(StateId id) noexcept;
  void count_tokens(Tally& tally, StateId id) const noexcept;

  // All threads pause, when one has asked for it.
  void pause();
  void plan();
  void widen();
  void drop_edges();
  void grow_index();
  template <class Visit>
  void for_each_part(std::size_t count, Visit&& visit);
  template <class Visit>
  void for_each_chunk(Visit&& visit);

  Graph& graph_;
  Team& team_;
  const MemoryAccount& account_;
  const Property& property_;
  const Evaluator& evaluator_;
  const Variant variant_;
  Tally* const tallies_;
  std::vector<Worker> workers_;
  Quiet quiet_;
  std::atomic<StateId> decisive_ = petri::kNoState;
  bool parental_;  // changes while all threads pause

  std::atomic<bool> pause_wanted_ = false;
  std::atomic<bool> growth_wanted_ = false;
  std::atomic<bool> drop_wanted_ = false;
  // The plan of a pause.
  std::vector<Graph::Overflow> overflows_;
  std::unique_ptr<petri::Layout> layout_;
  bool grows_ = false;
  bool drops_ = false;
  std::atomic<std::size_t> next_part_ = 0;
};

}  // namespace mpisog::mclcd
