// Esparza and Heljanko's tableau for livelocks, in the form for 1-safe nets: does an infinite
// sequence of invisible transitions begin in some of the checkpoints?
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "unfolding/process.hpp"
#include "unfolding/queue.hpp"
#include "unfolding/tableau.hpp"

namespace mpisog::unfolding {

class Livelocks {
 public:
  // The rules are those of the invisible transitions.
  Livelocks(const Rules& rules, Limits& limits);

  // Builds the component that begins in a marking. If it finds an event and a companion, the local
  // configuration of the event without that of the companion is a cycle.
  std::optional<Violation> search(const std::vector<std::uint32_t>& marking);

  Process process;

 private:
  bool cut(std::uint32_t event, std::uint64_t key);
  void grow(std::uint32_t event, std::uint64_t key);
  void extend(std::uint32_t event);

  Queue queue_;
  MarkTable table_;
};

}  // namespace mpisog::unfolding
