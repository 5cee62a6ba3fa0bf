#include "petri/explore.hpp"

#include <algorithm>

#include "petri/state_space.hpp"

namespace mpisog::petri {

namespace {

void count_tokens(const StateSpace& space, StateId id, ExplorationFigures& figures) {
  const Word* packed = space.store().at(id);
  std::uint64_t total = 0;
  std::uint64_t largest = figures.max_tokens_in_place;
  for (std::size_t p = 0; p < space.net().places(); ++p) {
    const auto tokens = static_cast<std::uint64_t>(space.layout().tokens(packed, p));
    total += tokens;
    largest = std::max(largest, tokens);
  }
  figures.max_tokens_in_marking = std::max(figures.max_tokens_in_marking, total);
  figures.max_tokens_in_place = largest;
}

void run(StateSpace& space, Pulse& pulse, ExplorationFigures& figures) {
  const auto progress = [&] {
    return Progress{space.store().size(), figures.edges, space.store().bytes()};
  };
  // Numbers are given in order of discovery, so counting up is a breadth-first search.
  for (StateId id = StateSpace::initial(); id < space.store().size(); ++id) {
    if (pulse.check(progress)) {
      figures.outcome = Outcome::stopped;
      return;
    }
    count_tokens(space, id, figures);
    const std::size_t firings = space.expand(id, space.all_transitions()).size();
    figures.edges += firings;
    if (firings == 0) ++figures.dead;
  }
}

}  // namespace

ExplorationFigures explore(Net net, Pulse::Beat beat) {
  StateSpace space(std::move(net));
  Pulse pulse(std::move(beat));
  ExplorationFigures figures;
  try {
    run(space, pulse, figures);
  } catch (const UnboundedNet& found) {
    figures.outcome = Outcome::unbounded;
    figures.unbounded_place = found.place;
  }
  figures.states = space.store().size();
  figures.bytes = space.store().bytes();
  figures.packed_bytes_per_marking = space.layout().words() * sizeof(Word);
  return figures;
}

}  // namespace mpisog::petri
