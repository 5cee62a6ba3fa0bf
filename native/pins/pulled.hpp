// A graph whose states and successors a callback gives: the bridge to graphs written elsewhere.
#pragma once

#include <algorithm>
#include <functional>
#include <span>
#include <string>
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
    for (State& state : callbacks_.successors(from[0], from[1])) {
      state.resize(variables());
      emit(state.data());
    }
  }
  [[nodiscard]] bool stopped() const noexcept override { return callbacks_.stopped(); }

 private:
  Callbacks callbacks_;
};

}  // namespace mpisog::pins
