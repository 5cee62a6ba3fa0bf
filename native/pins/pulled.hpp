// A graph whose states and successors a callback gives: the bridge to graphs written elsewhere.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "pins/source.hpp"

namespace mpisog::pins {

class PulledGraph final : public Source {
 public:
  using State = std::vector<int>;
  // None of them may throw.
  struct Callbacks {
    std::function<State()> initial;
    std::function<std::vector<State>(int number, int mode)> successors;
    std::function<bool()> stopped;
  };

  PulledGraph(std::vector<std::string> variables, Callbacks callbacks)
      : Source(std::move(variables)), callbacks_(std::move(callbacks)) {}

  void initial(std::span<int> to) noexcept override {
    const State state = callbacks_.initial();
    std::fill(to.begin(), to.end(), 0);
    std::copy_n(state.begin(), std::min(state.size(), to.size()), to.begin());
  }
  void successors(std::span<const int> from, Emitter& emit) noexcept override {
    const auto known = given_.find({from[0], from[1]});
    if (known != given_.end()) return give(known->second, emit);
    std::vector<State> states = callbacks_.successors(from[0], from[1]);
    if (!callbacks_.stopped()) return give(given_[{from[0], from[1]}] = std::move(states), emit);
    give(states, emit);  // perhaps not all of them
  }
  [[nodiscard]] bool answered(std::span<const int> from) const noexcept override {
    return given_.contains({from[0], from[1]});
  }
  [[nodiscard]] bool stopped() const noexcept override { return callbacks_.stopped(); }

 private:
  void give(std::vector<State>& states, Emitter& emit) {
    for (State& state : states) {
      state.resize(variables());
      emit(state.data());
    }
  }

  Callbacks callbacks_;
  std::map<std::pair<int, int>, std::vector<State>> given_;  // answers so far
};

}  // namespace mpisog::pins
