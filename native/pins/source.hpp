// A graph that Spot can pull: derive from Source, hand hooks() to the SpinS shim.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "pins/hooks.h"

namespace mpisog::pins {

// Receives the successors of one state; each is a vector of Source::variables() ints.
class Emitter {
 public:
  Emitter(mpisog_emit emit, void* context) : emit_(emit), context_(context) {}

  void operator()(int* target) {
    mpisog_transition_info info{nullptr, -1};
    emit_(context_, &info, target);
    ++count_;
  }
  [[nodiscard]] int count() const noexcept { return count_; }

 private:
  mpisog_emit emit_;
  void* context_;
  int count_ = 0;
};

// Spot cannot be interrupted. When a graph has stopped, every state that Spot asks about for the
// first time leads to one where only the last variable, `stop`, is true; the automaton accepts that
// from everywhere (see spotglue), so Spot ends at once instead of visiting all it still has on its
// stack.
//
// Spot crashes if a state has other successors than before: nested searches ask twice, and a run is
// looked for among the states that the search has seen. So what was answered once is answered again
// whatever has happened since, and a graph that is settled no longer stops.
class Source {
 public:
  explicit Source(std::vector<std::string> variables);
  virtual ~Source() = default;
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;

  // Neither may throw: Spot stands between caller and callee.
  virtual void initial(std::span<int> to) noexcept = 0;
  virtual void successors(std::span<const int> from, Emitter& emit) noexcept = 0;

  // Whether the successors of this state have been given, all of them.
  [[nodiscard]] virtual bool answered(std::span<const int> from) const noexcept = 0;

  // Whether the work ended early: then no conclusion may be drawn from what was given.
  [[nodiscard]] virtual bool stopped() const noexcept = 0;

  void settle() noexcept { settled_ = true; }
  [[nodiscard]] bool settled() const noexcept { return settled_; }

  void give_successors(std::span<const int> from, Emitter& emit) noexcept;
  [[nodiscard]] const mpisog_pins_hooks& hooks() const noexcept { return hooks_; }
  // Ints of a state: those of the constructor, and `stop`, which is zero in every state given.
  [[nodiscard]] std::size_t variables() const noexcept { return names_.size(); }

 private:
  std::vector<std::string> names_;
  std::vector<const char*> name_pointers_;
  std::vector<int> stop_state_;
  mpisog_pins_hooks hooks_;
  bool settled_ = false;
};

}  // namespace mpisog::pins
