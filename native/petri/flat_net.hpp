// A net in flat arrays: what a transition needs and changes, and who takes from a place.
//
// Made once for a net and shared by everything that fires its transitions one at a time.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "petri/net.hpp"

namespace mpisog::petri {

struct Change {
  std::uint32_t place;
  std::int64_t tokens;  // never zero
};

struct Taker {
  std::uint32_t transition;
  std::int64_t weight;
};

// Identifies a marking: a random linear combination of its tokens, so that a firing adds a
// constant. Two different markings have the same one with probability 2^-97 at most (see
// factor_of).
__extension__ typedef unsigned __int128 Fingerprint;

class FlatNet {
 public:
  // `bits`: how many of a fingerprint's bits count; with few of them, tests see markings collide.
  explicit FlatNet(const Net& net, unsigned bits = 128);

  [[nodiscard]] std::size_t places() const noexcept { return initial_.size(); }
  [[nodiscard]] std::size_t transitions() const noexcept { return pre_begin_.size() - 1; }
  [[nodiscard]] const Marking& initial() const noexcept { return initial_; }
  [[nodiscard]] std::span<const Arc> pre(std::uint32_t transition) const noexcept {
    return between(pre_, pre_begin_, transition);
  }
  [[nodiscard]] std::span<const Change> effect(std::uint32_t transition) const noexcept {
    return between(effect_, effect_begin_, transition);
  }
  // The transitions that need tokens of a place.
  [[nodiscard]] std::span<const Taker> takers(std::uint32_t place) const noexcept {
    return between(takers_, takers_begin_, place);
  }
  // The transitions that change a place; `weight` is by how much, negative where they take more.
  [[nodiscard]] std::span<const Taker> changers(std::uint32_t place) const noexcept {
    return between(changers_, changers_begin_, place);
  }

  [[nodiscard]] Fingerprint initial_fingerprint() const noexcept { return initial_fingerprint_; }
  // What firing the transition adds to the fingerprint of a marking.
  [[nodiscard]] Fingerprint step(std::uint32_t transition) const noexcept {
    return steps_[transition];
  }

 private:
  template <class T>
  static std::span<const T> between(const std::vector<T>& list,
                                    const std::vector<std::uint32_t>& begin,
                                    std::uint32_t index) noexcept {
    return {list.data() + begin[index], list.data() + begin[index + 1]};
  }
  void compile_transitions(const Net& net);
  void compile_places();
  void compile_fingerprints(unsigned bits);

  Marking initial_;
  std::vector<std::uint32_t> pre_begin_, effect_begin_, takers_begin_, changers_begin_;
  std::vector<Arc> pre_;
  std::vector<Change> effect_;
  std::vector<Taker> takers_, changers_;
  std::vector<Fingerprint> steps_;
  Fingerprint initial_fingerprint_ = 0;
};

}  // namespace mpisog::petri
