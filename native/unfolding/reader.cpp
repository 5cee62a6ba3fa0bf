#include "unfolding/reader.hpp"

#include <algorithm>
#include <utility>

#include "unfolding/rules.hpp"

namespace mpisog::unfolding {

Reader::Reader(petri::Net net, std::vector<petri::Atom> atoms, product::Automaton automaton)
    : net_(std::move(net)), atoms_(std::move(atoms)), automaton_(std::move(automaton)) {
  for (std::uint32_t i = 0; i < atoms_.size(); ++i)
    if (const auto* fire = std::get_if<petri::Fire>(&atoms_[i])) event_atom_[fire->transition] = i;
  for (std::uint32_t state = 0; state < automaton_.edges.size(); ++state) {
    const auto& edges = automaton_.edges[state];
    const auto marked = [&](const auto& edge) { return edge.marks == automaton_.all_marks; };
    accepting_.push_back(!edges.empty() && std::all_of(edges.begin(), edges.end(), marked));
    const auto loops = [&](const auto& e) { return e.target == state && e.condition == 1; };
    universal_.push_back(accepting_.back() && std::any_of(edges.begin(), edges.end(), loops));
  }
}

std::uint32_t Reader::label(const petri::Marking& marking) {
  Letter letter;
  for (const petri::Atom& atom : atoms_)
    letter.push_back(!std::holds_alternative<petri::Dead>(atom) &&
                     petri::holds(atom, net_, marking));
  const auto number = static_cast<std::uint32_t>(labels_.size());
  const auto [found, fresh] = label_numbers_.emplace(letter, number);
  if (fresh) labels_.push_back(std::move(letter));
  return found->second;
}

const std::vector<std::uint32_t>& Reader::successors(std::uint32_t state, std::uint32_t label,
                                                     std::uint32_t transition) {
  const auto event = event_atom_.find(transition);
  const std::uint32_t atom = event == event_atom_.end() ? kNone : event->second;
  const auto [found, fresh] = successors_.try_emplace({state, label, atom});
  if (fresh) {
    Letter letter = labels_[label];
    if (atom != kNone) letter[atom] = true;
    for (const product::Automaton::Edge& edge : automaton_.edges[state])
      if (reads(edge.condition, letter)) found->second.push_back(edge.target);
    std::sort(found->second.begin(), found->second.end());
    found->second.erase(std::unique(found->second.begin(), found->second.end()),
                        found->second.end());
  }
  return found->second;
}

bool Reader::accepts_for_ever(std::uint32_t state, std::uint32_t label, bool dead) {
  const auto [found, fresh] = for_ever_.try_emplace({label, dead});
  if (fresh) {
    Letter letter = labels_[label];
    for (std::size_t i = 0; dead && i < atoms_.size(); ++i)
      if (std::holds_alternative<petri::Dead>(atoms_[i])) letter[i] = true;
    found->second = accepting_for_ever(letter);
  }
  return found->second[state];
}

bool Reader::reads(std::uint32_t condition, const Letter& letter) const {
  while (condition > 1) {
    const product::Automaton::Node& node = automaton_.nodes[condition];
    condition = letter[node.atom] ? node.high : node.low;
  }
  return condition == 1;
}

// States from which a cycle through an accepting state can be reached with one letter.
std::vector<bool> Reader::accepting_for_ever(const Letter& letter) const {
  const std::size_t count = automaton_.edges.size();
  std::vector<std::vector<std::uint32_t>> next(count);
  for (std::size_t state = 0; state < count; ++state)
    for (const product::Automaton::Edge& edge : automaton_.edges[state])
      if (reads(edge.condition, letter)) next[state].push_back(edge.target);
  const auto reachable = [&](std::uint32_t start) {
    std::vector<bool> seen(count);
    std::vector<std::uint32_t> todo{start};
    while (!todo.empty()) {
      const std::uint32_t state = todo.back();
      todo.pop_back();
      for (const std::uint32_t target : next[state])
        if (!seen[target]) {
          seen[target] = true;
          todo.push_back(target);
        }
    }
    return seen;  // the start only if it lies on a cycle
  };
  std::vector<bool> good(count);
  for (std::uint32_t state = 0; state < count; ++state)
    if (accepting_[state]) good[state] = reachable(state)[state];
  std::vector<bool> result(count);
  for (std::uint32_t state = 0; state < count; ++state) {
    const std::vector<bool> reached = reachable(state);
    for (std::size_t i = 0; i < count; ++i)
      if (good[i] && (reached[i] || i == state)) result[state] = true;
  }
  return result;
}

}  // namespace mpisog::unfolding
