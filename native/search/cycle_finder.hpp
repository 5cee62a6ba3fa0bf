// Explicit search for a cycle inside a set of markings, depth first.
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "search/explicit_steps.hpp"

namespace mpisog::search {

// Looks for cycles behind one marking after another and remembers what it has seen.
class CycleFinder {
 public:
  CycleFinder(const petri::Net& net, const std::vector<Step>& steps, Contains within,
              std::size_t limit)
      : net_(net), steps_(steps), within_(std::move(within)), limit_(limit) {}

  struct Lasso {
    petri::Marking meeting;            // on the cycle
    std::vector<std::uint32_t> stem;   // transitions from the start to it
    std::vector<std::uint32_t> cycle;  // and back to it
  };
  // A cycle that can be reached from here, if there is one.
  std::optional<Lasso> behind(const petri::Marking& start);
  // Whether more markings were met than the limit allows: then nothing was proved.
  [[nodiscard]] bool gave_up() const noexcept { return gave_up_; }

 private:
  enum class Colour : unsigned char { open, done };
  struct Frame {
    const petri::Marking* marking;
    std::size_t next_step;
  };

  [[nodiscard]] Lasso lasso(const std::vector<Frame>& stack, const petri::Marking& meeting) const;

  const petri::Net& net_;
  const std::vector<Step>& steps_;
  Contains within_;
  std::size_t limit_;
  std::unordered_map<petri::Marking, Colour, MarkingHash> seen_;
  bool gave_up_ = false;
};

}  // namespace mpisog::search
