// All reachable markings of a net, numbered, with the steps between them in both directions.
//
// Numbers are given breadth first and depend on the net alone: they mean the same in every process.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "bits/set.hpp"
#include "petri/cancellation.hpp"
#include "petri/state_space.hpp"

namespace mpisog::bits {

using petri::Marking;

// A firing, seen from one of its ends; `state` is the other.
struct Edge {
  std::uint32_t transition;
  StateId state;
};

class Reachable {
 public:
  Reachable(const Reachable&) = delete;
  Reachable& operator=(const Reachable&) = delete;

  [[nodiscard]] StateId size() const noexcept { return space_.store().size(); }
  [[nodiscard]] std::uint64_t edge_count() const noexcept { return out_.edges.size(); }
  [[nodiscard]] std::size_t bytes() const noexcept;
  [[nodiscard]] const petri::Net& net() const noexcept { return space_.net(); }
  [[nodiscard]] const petri::Layout& layout() const noexcept { return space_.layout(); }
  // Differs, most likely, between nets with different numbers.
  [[nodiscard]] std::uint64_t fingerprint() const noexcept { return fingerprint_; }

  [[nodiscard]] const petri::Word* packed(StateId id) const noexcept {
    return space_.store().at(id);
  }
  [[nodiscard]] Marking marking(StateId id) const { return space_.marking(id); }
  // kNoState for a marking that is not reachable.
  [[nodiscard]] StateId number(std::span<const std::int64_t> marking) const;

  [[nodiscard]] std::span<const Edge> successors(StateId id) const noexcept { return out_.of(id); }
  [[nodiscard]] std::span<const Edge> predecessors(StateId id) const noexcept { return in_.of(id); }

 private:
  friend class Enumerator;

  struct Edges {
    std::vector<std::size_t> begin{0};  // one more than there are states
    std::vector<Edge> edges;

    [[nodiscard]] std::span<const Edge> of(StateId id) const noexcept {
      return {edges.data() + begin[id], edges.data() + begin[id + 1]};
    }
  };

  explicit Reachable(petri::Net net) : space_(std::move(net)) {}
  void add_predecessors();
  void take_fingerprint();

  petri::StateSpace space_;
  Edges out_;
  Edges in_;
  std::uint64_t fingerprint_ = 0;
};

// What an enumeration may cost. Work is counted in words of markings that are written: it does not
// depend on the machine, so every process gives up at the same place.
struct Limits {
  StateId markings;
  std::uint64_t work;
};

enum class Ending { complete, stopped, unbounded, too_many };

struct Enumeration {
  Ending ending = Ending::complete;
  std::size_t unbounded_place = 0;       // meaningful when that is how it ended
  std::shared_ptr<Reachable> reachable;  // null unless complete
};

Enumeration enumerate(petri::Net net, Limits limits, petri::CancellationToken::Poll poll);

}  // namespace mpisog::bits
