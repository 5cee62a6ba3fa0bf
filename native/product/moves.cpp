#include "product/moves.hpp"

#include <algorithm>

namespace mpisog::product {

Moves::Moves(Automaton automaton, std::vector<petri::Atom> atoms, std::size_t transitions)
    : automaton_(std::move(automaton)),
      atoms_(std::move(atoms)),
      event_of_(transitions, 0),
      transitions_(transitions) {
  for (const petri::Atom& atom : atoms_)
    if (const auto* fire = std::get_if<petri::Fire>(&atom))
      if (event_of_[fire->transition] == 0) event_of_[fire->transition] = events_++;
}

Moves::Label Moves::label(const petri::Layout& layout, const petri::Word* packed) {
  std::vector<bool> truth(atoms_.size());
  for (std::size_t i = 0; i < atoms_.size(); ++i)
    truth[i] = petri::holds(atoms_[i], layout, packed, transitions_);
  return label(truth);
}

Moves::Label Moves::label(const std::vector<bool>& truth) {
  const auto known = numbers_.find(truth);
  if (known != numbers_.end()) return known->second;
  // Its truth comes first: without it, the next label would get the same number.
  labels_.push_back(truth);
  return numbers_.try_emplace(truth, static_cast<Label>(labels_.size() - 1)).first->second;
}

const std::vector<Automaton::Edge>& Moves::edges(Label label, std::uint32_t transition,
                                                 std::uint32_t state) {
  const std::uint32_t event = transition == kNoTransition ? 0 : event_of_[transition];
  const std::uint64_t key =
      (std::uint64_t{label} * events_ + event) * automaton_.edges.size() + state;
  const auto known = known_.find(key);
  if (known != known_.end()) return known->second;
  std::vector<bool> letter = labels_[label];
  if (event != 0)
    for (std::size_t i = 0; i < atoms_.size(); ++i)
      if (const auto* fire = std::get_if<petri::Fire>(&atoms_[i]))
        letter[i] = fire->transition == transition;
  std::vector<Automaton::Edge> found;  // known only once it is whole, should memory run out
  for (const Automaton::Edge& edge : automaton_.edges[state])
    if (meets(edge.condition, letter)) found.push_back(edge);
  return known_.try_emplace(key, std::move(found)).first->second;
}

bool Moves::stuck(Label label, std::uint32_t state) {
  if (!edges(label, kNoTransition, state).empty()) return false;
  return std::all_of(atoms_.begin(), atoms_.end(), [&](const petri::Atom& atom) {
    const auto* fire = std::get_if<petri::Fire>(&atom);
    return fire == nullptr || edges(label, fire->transition, state).empty();
  });
}

bool Moves::meets(std::uint32_t condition, const std::vector<bool>& letter) const noexcept {
  while (condition > 1) {
    const Automaton::Node& node = automaton_.nodes[condition];
    condition = letter[node.atom] ? node.high : node.low;
  }
  return condition == 1;
}

}  // namespace mpisog::product
