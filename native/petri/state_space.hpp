// Reachable markings on demand: expanding a marking fires transitions and numbers what they reach.
#pragma once

#include <optional>
#include <span>
#include <stdexcept>
#include <vector>

#include "petri/candidates.hpp"
#include "petri/layout.hpp"
#include "petri/store.hpp"

namespace mpisog::petri {

// A marking strictly covers one it was reached from: the steps between can repeat for ever.
class UnboundedNet : public std::runtime_error {
 public:
  explicit UnboundedNet(std::size_t place_index)
      : std::runtime_error("unbounded net"), place(place_index) {}
  std::size_t place;
};

struct Successor {
  std::uint32_t transition;
  StateId target;
  bool fresh;
};

// Whether it is asked if a net is bounded. Searches that look at what is near, and go no further
// for ever, do well without.
enum class Bounds { checked, ignored };

class StateSpace {
 public:
  explicit StateSpace(Net net, Bounds bounds = Bounds::checked);

  // All firings of the given transitions from a marking; valid until the next call.
  // Throws UnboundedNet when that is found out on the way.
  std::span<const Successor> expand(StateId id, const Candidates& transitions);

  // What firing an enabled transition leads to. Throws as above.
  StateId fire(StateId id, std::uint32_t transition);
  // The same, but kNoState when that marking has not been reached yet.
  [[nodiscard]] StateId peek(StateId id, std::uint32_t transition);
  // The packed marking that it leads to, for a look before it is fired; fields may have overflowed.
  [[nodiscard]] const Word* preview(StateId id, std::uint32_t transition) {
    fire_one(id, transition);
    return words_.data();
  }

  [[nodiscard]] static constexpr StateId initial() noexcept { return 0; }
  [[nodiscard]] const Net& net() const noexcept { return net_; }
  [[nodiscard]] const Layout& layout() const noexcept { return layout_; }
  [[nodiscard]] const MarkingStore& store() const noexcept { return store_; }
  [[nodiscard]] const Candidates& all_transitions() const noexcept { return all_; }
  [[nodiscard]] Marking marking(StateId id) const;

 private:
  struct Pending {
    std::uint32_t transition;
    std::uint64_t hash;
  };

  // Fires into pending_/words_; false when fields have to be widened for overflowing_ first.
  bool fire_all(StateId id, const Candidates& transitions);
  // Fires into the front of words_; false when a field overflowed.
  bool fire_one(StateId id, std::uint32_t transition);
  void widen(StateId from, std::span<const std::uint32_t> transitions);
  void check_bounded(StateId from, const Marking& reached, std::size_t place) const;

  Net net_;
  Bounds bounds_;
  Layout layout_;
  MarkingStore store_;
  Candidates all_;
  std::vector<Pending> pending_;
  std::vector<Word> words_;                 // the packed markings of pending_, one after another
  std::vector<std::uint32_t> overflowing_;  // transitions
  std::vector<Successor> successors_;
};

}  // namespace mpisog::petri
