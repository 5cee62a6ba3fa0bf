// Depth-first search of the product of a net and an automaton, for nets that are large.
//
// As `Search`, but one marking is changed in place: a step costs what it changes and a marking is
// kept as its fingerprint, whatever the size of the net. Moves of a state are not listed; the
// search goes through the enabled transitions where it left off. When there is no lasso, it is all
// done again with whole markings beside the fingerprints, so that a proof is one for certain. Also
// for nets that are not bounded: with a bound on tokens that the caller lets grow, what lies beyond
// is left out.
#pragma once

#include <memory>
#include <optional>
#include <random>
#include <vector>

#include "petri/cancellation.hpp"
#include "petri/exact_markings.hpp"
#include "petri/fingerprints.hpp"
#include "product/letters.hpp"
#include "product/moves.hpp"
#include "product/planner.hpp"
#include "product/states.hpp"
#include "product/strategy.hpp"

namespace mpisog::product {

class Walk {
 public:
  Walk(std::shared_ptr<const petri::FlatNet> net, std::vector<petri::Atom> atoms,
       Automaton automaton, Strategy strategy, petri::CancellationToken::Poll poll);
  Walk(const Walk&) = delete;
  Walk& operator=(const Walk&) = delete;

  Outcome run() noexcept;

  [[nodiscard]] const Lasso& lasso() const noexcept { return lasso_; }
  [[nodiscard]] std::size_t unbounded_place() const noexcept { return unbounded_; }
  [[nodiscard]] std::size_t states() const noexcept { return states_.size(); }
  [[nodiscard]] std::uint64_t edges() const noexcept { return edges_; }
  [[nodiscard]] std::size_t markings() const noexcept { return markings_.size(); }
  [[nodiscard]] std::size_t bytes() const noexcept;

 private:
  struct Move {
    std::uint32_t transition;
    std::uint32_t target;  // automaton state
    Marks marks;
  };
  // A state of the path, and how far the search has got with its moves: first those of all
  // transitions that lead the automaton nearest to acceptance, where it would else wait for ever in
  // the first marking that could do without. Searches backwards take them the other way round.
  struct Frame {
    Number number;
    Moves::Label label;
    std::uint32_t preferred_begin;  // its moves to be tried first: from here to the next frame's
    std::uint32_t next;             // the transition to look for next
    std::uint32_t stop;             // where going round ends
    std::uint32_t edge : 31;        // of the automaton's edges, the one to try for all transitions
    std::uint32_t wrapped : 1;      // backwards: all transitions have been tried
  };
  struct Component {
    Number root;
    Marks inside;
    Marks arc;  // marks of the edge that led to the root
  };
  struct Step {
    Number from, to;
    std::uint32_t transition;
    Marks marks;
  };
  struct Origin {
    Number from;
    std::uint32_t transition;
    Marks marks;
  };
  using Path = std::vector<Step>;

  Outcome search();
  // Once more, in the same order, now with whole markings.
  Outcome search_exactly();
  void enter(const Step& step);
  void leave();
  bool close(const Step& step);
  bool next_move(Move& move);
  [[nodiscard]] std::uint32_t next_enabled(Frame& frame) const noexcept;
  void prefer_moves();
  void prefer(std::uint32_t transition);
  void look_ahead();
  void follow_plan();
  [[nodiscard]] bool leads_to_path(std::uint32_t transition, const Automaton::Edge& edge) const;
  void check_bounded(std::uint32_t fired);
  void note_tokens(std::uint32_t fired);

  void extract();
  Path walk_around(Number start) const;

  std::shared_ptr<const petri::FlatNet> net_;
  Moves moves_;
  petri::TokenGame game_;
  Letters letters_;
  Planner planner_;
  Strategy strategy_;
  Order order_;  // of moves that nothing is known of
  petri::CancellationToken::Poll poll_;
  petri::CancellationToken cancellation_;
  std::mt19937_64 random_;
  petri::FingerprintTable markings_;
  States states_;
  std::vector<Origin> reached_by_;  // by product state, the step that first led there
  std::vector<bool> live_;          // by product state: its component is not finished
  std::vector<Number> alive_;       // the live ones, in order
  std::vector<Step> links_;         // steps that joined components, or had marks that were missing
  std::vector<Frame> frames_;
  std::vector<Move> preferred_;  // of all frames; the last is tried first
  std::vector<Component> components_;
  std::vector<std::uint32_t> plan_;         // transitions to fire, the first at the end
  std::uint32_t planned_for_ = 0;           // automaton state
  std::size_t pause_ = 0, pause_left_ = 0;  // states that are not planned for
  std::int64_t suspicious_;           // tokens from which on it is asked whether the net is bounded
  std::vector<std::int64_t> gained_;  // by place, since some ancestor
  std::vector<std::int64_t> most_;    // by place that has changed, tokens
  std::optional<petri::ExactMarkings> exact_;
  std::uint64_t edges_ = 0;
  std::size_t unbounded_ = 0;
  bool left_out_ = false;
  Lasso lasso_;
};

}  // namespace mpisog::product
