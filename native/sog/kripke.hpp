// The observation graph as the Kripke structure that Spot pulls (mpisog/sog/kripke.py).
//
// A state is the pair (aggregate, mode): waiting, or doing an observed step at once or after
// waiting. A run that never leaves an aggregate goes on in a sink, one for each label. With event
// atoms an extra root comes first.
#pragma once

#include <exception>
#include <functional>
#include <map>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "pins/source.hpp"
#include "sog/explorer.hpp"

namespace mpisog::sog {

// An atom of the formula: which state atom, or which observed transition, of the observation.
struct AtomOf {
  bool is_event;
  std::uint32_t index;
};

class Kripke final : public pins::Source {
 public:
  struct Hooks {
    Explorer::Hooks explorer;
    std::function<void(const std::function<void()>&)> unlocked;  // runs what may take long
    std::function<void()> pulled;                                // called at each pull
  };

  Kripke(Graph& graph, std::vector<AtomOf> atoms, Hooks hooks, Explorer::Options options);

  void initial(std::span<int> to) noexcept override;
  void successors(std::span<const int> from, pins::Emitter& emit) noexcept override;
  [[nodiscard]] bool answered(std::span<const int> from) const noexcept override;
  [[nodiscard]] bool stopped() const noexcept override { return failure_ != nullptr; }

  [[nodiscard]] std::exception_ptr failure() const { return failure_; }
  [[nodiscard]] Explorer& explorer() { return explorer_; }

 private:
  void give(int number, Mode mode, pins::Emitter& emit);
  void give_entered(const std::vector<Number>& numbers, pins::Emitter& emit);
  void give_state(int number, LabelId label, Mode mode, pins::Emitter& emit);
  std::vector<Number> targets(Number number, Mode mode);
  Number first();
  int sink(LabelId label);
  void remember(std::span<const int> from);
  std::vector<int>& state(int number, LabelId label, Mode mode);

  Graph& graph_;
  std::vector<AtomOf> atoms_;
  Hooks hooks_;
  bool has_root_;
  Explorer explorer_;
  std::unordered_map<std::uint64_t, std::vector<int>> letters_;  // states by label and event
  std::map<LabelId, int> sinks_;
  std::vector<LabelId> sink_labels_;
  std::vector<bool> waited_;                    // aggregates that were asked about in waiting mode
  std::unordered_set<std::uint64_t> answered_;  // the other states
  std::exception_ptr failure_;
};

}  // namespace mpisog::sog
