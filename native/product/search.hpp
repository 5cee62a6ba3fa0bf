// Depth-first search of the product of a net and an automaton for an accepting lasso.
//
// Strongly connected components are found as in Couvreur's algorithm: a stack of components with
// the acceptance marks seen inside, merged when an edge leads back. Successors are fired one by one
// as the search gets to them, so a deep path through a wide net stores little beside itself. When
// the search ends without a lasso, there is none.
#pragma once

#include <functional>
#include <random>
#include <vector>

#include "petri/cancellation.hpp"
#include "petri/state_space.hpp"
#include "product/guide.hpp"
#include "product/moves.hpp"
#include "product/states.hpp"
#include "product/strategy.hpp"

namespace mpisog::product {

class Search {
 public:
  Search(petri::Net net, std::vector<petri::Atom> atoms, Automaton automaton, Strategy strategy,
         petri::CancellationToken::Poll poll);
  Search(const Search&) = delete;
  Search& operator=(const Search&) = delete;

  Outcome run() noexcept;

  [[nodiscard]] const Lasso& lasso() const noexcept { return lasso_; }
  [[nodiscard]] std::size_t unbounded_place() const noexcept { return unbounded_; }
  [[nodiscard]] std::size_t states() const noexcept { return states_.size(); }
  [[nodiscard]] std::uint64_t edges() const noexcept { return edges_; }
  [[nodiscard]] std::size_t markings() const noexcept { return space_.store().size(); }
  [[nodiscard]] std::size_t bytes() const noexcept;

 private:
  struct Move {
    std::uint32_t transition;
    std::uint32_t target;  // automaton state
    Marks marks;
  };
  struct Frame {
    Number number;
    std::size_t moves_begin;   // its moves that are left are those from here to the next frame's
    std::uint32_t transition;  // that led here
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
  using Path = std::vector<Step>;

  Outcome search();
  void enter(Number number, std::uint32_t transition, Marks arc);
  void leave();
  // Joins what lies between a state of the path and its end; true when that is accepting.
  bool close(Number back, Marks marks);
  void list_moves(Number number);
  void arrange(Number number, std::size_t begin);
  void look_ahead(Number number, std::size_t begin);
  void sort_by_distance(Number number, std::size_t begin);
  petri::StateId target(petri::StateId marking, std::uint32_t transition);

  void extract();
  Path stem();
  Path walk_around(Number start);
  Path shortest(Number from, const std::function<bool(Number)>& within,
                const std::function<bool(const Step&)>& goal, std::size_t limit);
  std::vector<Step> known_steps(Number number);
  [[nodiscard]] bool in_component(Number number) const {
    return live_[number] && number >= components_.back().root;
  }

  petri::StateSpace space_;
  Moves moves_;
  Guide guide_;
  Strategy strategy_;
  petri::CancellationToken cancellation_;
  std::mt19937_64 random_;
  States states_;
  std::vector<Moves::Label> labels_;  // by marking
  std::vector<bool> live_;            // by product state: its component is not finished
  std::vector<Number> alive_;         // the live ones, in order
  std::vector<Frame> frames_;
  std::vector<std::pair<Distance, Move>> ranked_;
  std::vector<Move> pending_;  // moves of all frames; the last is tried next
  std::vector<Component> components_;
  std::uint64_t edges_ = 0;
  std::size_t unbounded_ = 0;
  Lasso lasso_;
};

}  // namespace mpisog::product
