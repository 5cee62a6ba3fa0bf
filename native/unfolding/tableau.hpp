// Esparza and Heljanko's tableau for illegal omega-traces, and the checkpoints of livelocks.
//
// Without a reader it is the complete prefix of the net's unfolding.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "unfolding/process.hpp"
#include "unfolding/queue.hpp"
#include "unfolding/reader.hpp"

namespace mpisog::unfolding {

// What proves a violation: a terminal and its companion, or an event after which any run will do.
struct Violation {
  std::uint32_t event;
  std::uint32_t companion;  // none: the automaton accepts whatever follows
};

class Tableau {
 public:
  Tableau(const Rules& rules, Reader* reader, Limits& limits);

  // Builds it, or what is needed to find a violation.
  std::optional<Violation> build();

  // Moves after which the automaton accepts that nothing visible happens any more.
  [[nodiscard]] const std::vector<std::uint32_t>& checkpoints() const noexcept {
    return checkpoints_;
  }
  Process process;

 private:
  struct Found {
    Violation violation;
  };

  void start();
  bool cut(std::uint32_t event, std::uint64_t key);
  void close(std::uint32_t event, std::uint32_t companion);
  [[noreturn]] void found(std::uint32_t event, std::uint32_t companion);
  void grow(std::uint32_t event, std::uint64_t key);
  void note_move(std::uint32_t event);
  void extend(std::uint32_t event);
  void push(std::uint32_t rule, std::span<const std::uint32_t> inputs, std::uint32_t state);
  [[nodiscard]] std::uint64_t key(std::uint32_t event) const;
  [[nodiscard]] std::uint32_t state(std::uint32_t event) const;
  [[nodiscard]] std::uint32_t accepted(std::uint32_t event) const;

  Reader* reader_;
  Queue queue_;
  MarkTable table_;
  std::vector<std::uint32_t> checkpoints_;
  petri::Marking marking_;  // scratch
};

}  // namespace mpisog::unfolding
