// The reachability graph as the Kripke structure that Spot pulls.
//
// Spot labels states, event atoms belong to steps. So a Kripke state is a marking together with
// the choice of what fires next: one observed transition, or (choice 0) any unobserved one, or
// nothing for ever in a dead marking. With event atoms the initial marking may offer several
// choices, and a SpinS model has one initial state: an extra root (marking -1) comes before them,
// and the formula is checked one instant later.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "petri/atoms.hpp"
#include "petri/cancellation.hpp"
#include "petri/state_space.hpp"
#include "pins/source.hpp"

namespace mpisog::petri {

class LabelledGraph final : public pins::Source {
 public:
  LabelledGraph(Net net, std::vector<Atom> atoms, CancellationToken::Poll poll);

  void initial(std::span<int> to) noexcept override;
  void successors(std::span<const int> from, pins::Emitter& emit) noexcept override;
  [[nodiscard]] bool answered(std::span<const int> from) const noexcept override;

  // Whether the extra root is there.
  [[nodiscard]] bool has_root() const noexcept { return !observed_.empty(); }
  // By the cancellation, a lack of memory or an unbounded place.
  [[nodiscard]] bool stopped() const noexcept override { return cancellation_.stopped(); }
  [[nodiscard]] bool out_of_memory() const noexcept { return out_of_memory_; }
  [[nodiscard]] std::optional<std::size_t> unbounded_place() const noexcept { return unbounded_; }

  [[nodiscard]] Progress progress() const noexcept {
    return {space_.store().size(), edges_, space_.store().bytes()};
  }
  [[nodiscard]] Marking marking(StateId id) const { return space_.marking(id); }
  // The transition that leads from a Kripke state to a marking; none for a dead marking's loop.
  std::optional<std::uint32_t> firing(StateId from, int choice, StateId to);

 private:
  // Markings with the same label and the same choices share their Kripke vectors.
  struct LabelClass {
    std::vector<std::vector<int>> vectors;  // one a choice; the marking's number is filled in
  };
  using LabelKey = std::vector<bool>;

  std::size_t answer_index(std::span<const int> from) const noexcept;
  void expand(StateId id, int choice, pins::Emitter& emit);
  void emit_choices(StateId id, pins::Emitter& emit);
  LabelClass& class_of(StateId id);
  LabelKey label_of(StateId id) const;
  LabelClass make_class(const LabelKey& label) const;

  StateSpace space_;
  std::vector<Atom> atoms_;
  CancellationToken cancellation_;
  std::vector<std::uint32_t> observed_;    // transitions with an event atom, in order of choice
  std::vector<std::uint32_t> unobserved_;  // all the others
  std::vector<Candidates> choices_;        // what each choice may fire
  std::map<LabelKey, std::uint32_t> class_numbers_;
  std::vector<LabelClass> classes_;
  std::vector<std::uint32_t> class_of_;  // marking -> class, grows with the state space
  std::vector<bool> answered_;           // by marking and choice; the root comes first
  std::uint64_t edges_ = 0;
  bool out_of_memory_ = false;
  std::optional<std::size_t> unbounded_;
};

}  // namespace mpisog::petri
