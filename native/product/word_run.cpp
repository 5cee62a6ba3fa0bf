#include "product/word_run.hpp"

#include <algorithm>

namespace mpisog::product {

namespace {

std::vector<std::uint32_t> observed_places(const petri::Atom& atom, const petri::Net& net) {
  std::vector<std::uint32_t> places;
  const auto inputs = [&](std::uint32_t transition) {
    for (const petri::Arc& arc : net.transitions[transition].pre) places.push_back(arc.place);
  };
  if (const auto* comparison = std::get_if<petri::Comparison>(&atom))
    for (const auto& term : comparison->terms) places.push_back(term.first);
  else if (const auto* fireable = std::get_if<petri::Fireable>(&atom))
    for (const std::uint32_t t : fireable->transitions) inputs(t);
  else if (std::holds_alternative<petri::Dead>(atom))
    for (std::uint32_t t = 0; t < net.transitions.size(); ++t) inputs(t);
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
  return places;
}

}  // namespace

WordRun::WordRun(const petri::Net& net, Moves& moves)
    : net_(net), moves_(moves), truth_(moves.atoms().size()), observers_(net.places()) {
  for (std::uint32_t atom = 0; atom < truth_.size(); ++atom)
    for (const std::uint32_t place : observed_places(moves.atoms()[atom], net))
      observers_[place].push_back(atom);
  marking_ = net_.initial;
  for (std::uint32_t atom = 0; atom < truth_.size(); ++atom) look_at(atom);
  first_truth_ = truth_;
}

void WordRun::restart() {
  marking_ = net_.initial;
  truth_ = first_truth_;
  label_.reset();
}

bool WordRun::enabled(std::uint32_t transition) const {
  const auto& pre = net_.transitions[transition].pre;
  return std::all_of(pre.begin(), pre.end(),
                     [this](const petri::Arc& arc) { return marking_[arc.place] >= arc.weight; });
}

void WordRun::fire(std::uint32_t transition) {
  const petri::Transition& fired = net_.transitions[transition];
  for (const petri::Arc& arc : fired.pre) marking_[arc.place] -= arc.weight;
  for (const petri::Arc& arc : fired.post) marking_[arc.place] += arc.weight;
  for (const auto* arcs : {&fired.pre, &fired.post})
    for (const petri::Arc& arc : *arcs)
      for (const std::uint32_t atom : observers_[arc.place]) look_at(atom);
}

bool WordRun::dead() const {
  for (std::uint32_t t = 0; t < net_.transitions.size(); ++t)
    if (enabled(t)) return false;
  return true;
}

Moves::Label WordRun::label() {
  if (!label_) label_ = moves_.label(truth_);
  return *label_;
}

void WordRun::look_at(std::uint32_t atom) {
  const bool now = petri::holds(moves_.atoms()[atom], net_, marking_);
  if (now != truth_[atom]) label_.reset();
  truth_[atom] = now;
}

namespace {

// What reading a word does: for each state that it leads to, whether an accepting edge can be met.
enum Reach : std::uint8_t { no, plain, accepting };

class Rounds {
 public:
  Rounds(Moves& moves, const std::vector<Letter>& cycle) : moves_(moves), cycle_(cycle) {}

  // Whether the cycle, read for ever from one of these states, is accepted.
  bool accepted_from(const std::vector<bool>& start) {
    const std::size_t size = moves_.automaton().edges.size();
    std::vector<std::vector<Reach>> rows(size);
    std::vector<std::uint32_t> open;
    for (std::uint32_t q = 0; q < size; ++q)
      if (start[q]) open.push_back(q);
    std::vector<bool> seen = start;
    while (!open.empty()) {
      const std::uint32_t q = open.back();
      open.pop_back();
      rows[q] = round(q);
      for (std::uint32_t r = 0; r < size; ++r)
        if (rows[q][r] != no && !seen[r]) {
          seen[r] = true;
          open.push_back(r);
        }
    }
    for (std::uint32_t q = 0; q < size; ++q)
      for (std::uint32_t r = 0; seen[q] && r < size; ++r)
        if (rows[q][r] == accepting && leads(rows, r, q)) return true;
    return false;
  }

 private:
  std::vector<Reach> round(std::uint32_t from) {
    const Automaton& automaton = moves_.automaton();
    std::vector<Reach> now(automaton.edges.size(), no);
    now[from] = plain;
    for (const Letter& letter : cycle_) {
      std::vector<Reach> next(now.size(), no);
      for (std::uint32_t q = 0; q < now.size(); ++q) {
        if (now[q] == no) continue;
        for (const auto& edge : moves_.edges(letter.label, letter.transition, q)) {
          const bool marked = (edge.marks & automaton.all_marks) == automaton.all_marks;
          next[edge.target] = std::max(next[edge.target], marked ? accepting : now[q]);
        }
      }
      now = std::move(next);
    }
    return now;
  }

  static bool leads(const std::vector<std::vector<Reach>>& rows, std::uint32_t from,
                    std::uint32_t to) {
    std::vector<bool> seen(rows.size());
    std::vector<std::uint32_t> open{from};
    seen[from] = true;
    while (!open.empty()) {
      const std::uint32_t q = open.back();
      open.pop_back();
      if (q == to) return true;
      for (std::uint32_t r = 0; r < rows.size(); ++r)
        if (rows[q][r] != no && !seen[r]) {
          seen[r] = true;
          open.push_back(r);
        }
    }
    return false;
  }

  Moves& moves_;
  const std::vector<Letter>& cycle_;
};

}  // namespace

bool accepts(Moves& moves, const std::vector<Letter>& prefix, const std::vector<Letter>& cycle) {
  std::vector<bool> now(moves.automaton().edges.size());
  now[moves.automaton().initial] = true;
  for (const Letter& letter : prefix) {
    std::vector<bool> next(now.size());
    for (std::uint32_t q = 0; q < now.size(); ++q)
      if (now[q])
        for (const auto& edge : moves.edges(letter.label, letter.transition, q))
          next[edge.target] = true;
    now = std::move(next);
  }
  return Rounds(moves, cycle).accepted_from(now);
}

}  // namespace mpisog::product
