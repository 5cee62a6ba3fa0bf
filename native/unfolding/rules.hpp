// A net as its unfolding needs it: weights are one, and some transitions move an automaton's token.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "petri/net.hpp"

namespace mpisog::unfolding {

inline constexpr std::uint32_t kNone = 0xFFFFFFFF;

// Who takes part in a move of the automaton; see docs/unfolding.md.
enum class Role : std::uint8_t { invisible, visible, copied };

struct Rule {
  std::uint32_t transition;
  bool moves;        // takes the automaton's token and puts it back
  bool must_change;  // a copy of an invisible transition: the automaton's state has to change
  std::uint64_t effect;
  std::vector<std::uint32_t> inputs;  // places, the token's among them if it moves
  std::vector<std::uint32_t> outputs;
};

// The hash of a number; hashes of sets are sums.
std::uint64_t scatter(std::uint64_t number) noexcept;

class Rules {
 public:
  // Roles by transition; without `with_moves` only the plain forms of invisible transitions.
  Rules(const petri::Net& net, const std::vector<Role>& roles, bool with_moves);

  [[nodiscard]] const Rule& operator[](std::size_t i) const { return rules_[i]; }
  [[nodiscard]] std::size_t size() const noexcept { return rules_.size(); }
  [[nodiscard]] const std::vector<std::uint32_t>& consumers(std::uint32_t place) const {
    return consumers_[place];
  }
  [[nodiscard]] std::uint32_t token() const noexcept { return token_; }
  [[nodiscard]] std::size_t places() const noexcept { return consumers_.size(); }
  // Places with a token in the beginning; a place with several appears as often.
  [[nodiscard]] const std::vector<std::uint32_t>& initial() const noexcept { return initial_; }

 private:
  void add(const petri::Net& net, std::uint32_t transition, bool moves, bool must_change);

  std::uint32_t token_;
  std::vector<std::uint32_t> own_place_;  // of transitions without inputs, else none
  std::vector<Rule> rules_;
  std::vector<std::vector<std::uint32_t>> consumers_;
  std::vector<std::uint32_t> initial_;
};

}  // namespace mpisog::unfolding
