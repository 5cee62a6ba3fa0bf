// How searches of a product go about it, and what they end with.
#pragma once

#include <cstdint>
#include <vector>

namespace mpisog::product {

// `guided` tries first what comes nearest to what the automaton waits for.
enum class Order { forward, backward, random, guided };

struct Strategy {
  Order order = Order::forward;
  std::uint64_t seed = 0;
  // Try first what leads back to the path: a cycle is found as soon as it can be closed.
  bool look_ahead = false;
  // Product states after which to give up; none: no limit.
  std::size_t limit = 0;
  // Markings with more tokens in a place are not entered; none: no limit.
  std::int64_t most_tokens = 0;
};

// `gave_up`: the limit on states was reached; `left_out`: no lasso but for markings left out;
// `collided`: no lasso, but two markings were taken for one.
enum class Outcome { empty, found, gave_up, left_out, collided, stopped, unbounded, out_of_memory };

struct Lasso {
  std::vector<std::uint32_t> prefix;
  std::vector<std::uint32_t> cycle;  // empty: the prefix leads to a dead marking
};

}  // namespace mpisog::product
