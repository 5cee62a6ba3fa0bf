// One marking that firings change in place; the enabled transitions are kept up to date.
//
// A step costs what it changes, whatever the size of the net. Taking a step back costs the same.
#pragma once

#include "petri/flat_net.hpp"
#include "petri/index_set.hpp"

namespace mpisog::petri {

class TokenGame {
 public:
  explicit TokenGame(const FlatNet& net);

  // `listener.changed(place, by)` is told every change of tokens, and `listener.turned(transition,
  // enabled)` every transition that becomes enabled or disabled.
  template <class Listener>
  void fire(std::uint32_t transition, Listener& listener) {
    for (const Change& change : net_.effect(transition))
      move(change.place, change.tokens, listener);
    fingerprint_ += net_.step(transition);
  }
  template <class Listener>
  void undo(std::uint32_t transition, Listener& listener) {
    for (const Change& change : net_.effect(transition))
      move(change.place, -change.tokens, listener);
    fingerprint_ -= net_.step(transition);
  }

  [[nodiscard]] const FlatNet& net() const noexcept { return net_; }
  [[nodiscard]] std::int64_t tokens(std::uint32_t place) const noexcept { return tokens_[place]; }
  [[nodiscard]] const IndexSet& enabled() const noexcept { return enabled_; }
  // How many input places of a transition have too few tokens.
  [[nodiscard]] const std::vector<std::uint32_t>& missing() const noexcept { return missing_; }
  [[nodiscard]] Fingerprint fingerprint() const noexcept { return fingerprint_; }
  [[nodiscard]] Fingerprint fingerprint_after(std::uint32_t transition) const noexcept {
    return fingerprint_ + net_.step(transition);
  }
  // Whether firing leaves no place with more tokens than `most`.
  [[nodiscard]] bool stays_within(std::uint32_t transition, std::int64_t most) const noexcept {
    for (const Change& change : net_.effect(transition))
      if (change.tokens > 0 && tokens_[change.place] + change.tokens > most) return false;
    return true;
  }
  [[nodiscard]] std::size_t bytes() const noexcept {
    return tokens_.size() * sizeof(std::int64_t) + missing_.size() * sizeof(std::uint32_t);
  }

 private:
  template <class Listener>
  void move(std::uint32_t place, std::int64_t by, Listener& listener) {
    const std::int64_t before = tokens_[place];
    const std::int64_t after = before + by;
    tokens_[place] = after;
    for (const Taker& taker : net_.takers(place)) {
      const bool had = before >= taker.weight;
      if (had == (after >= taker.weight)) continue;
      if (had) {
        if (missing_[taker.transition]++ == 0) {
          enabled_.erase(taker.transition);
          listener.turned(taker.transition, false);
        }
      } else if (--missing_[taker.transition] == 0) {
        enabled_.insert(taker.transition);
        listener.turned(taker.transition, true);
      }
    }
    listener.changed(place, by);
  }

  const FlatNet& net_;
  Marking tokens_;
  std::vector<std::uint32_t> missing_;
  IndexSet enabled_;
  Fingerprint fingerprint_;
};

}  // namespace mpisog::petri
