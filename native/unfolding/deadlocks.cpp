#include "unfolding/deadlocks.hpp"

#include <algorithm>

namespace mpisog::unfolding {

namespace {

using Literal = std::int32_t;

class Clauses {
 public:
  Clauses(Process& process, Reader& reader, const petri::Net& net)
      : process_(process), reader_(reader), net_(net) {}

  DeadlockProblem make() {
    for (const petri::Transition& transition : net_.transitions)
      if (transition.pre.empty()) return {};  // always enabled
    collect();
    if (endings_.empty()) return {};
    for (std::size_t c = 0; c < process_.conditions.size(); ++c) about_condition(c);
    about_transitions();
    about_endings();
    problem_.variables = static_cast<std::uint32_t>(variables_);
    problem_.possible = true;
    return std::move(problem_);
  }

 private:
  // Variables of the events that are not terminal, consumers of conditions, possible endings.
  void collect() {
    reserve(process_.events.size() * 2 * sizeof(std::uint32_t) +
            process_.conditions.size() * sizeof(std::vector<Literal>));
    variable_.resize(process_.events.size());
    consumers_.resize(process_.conditions.size());
    for (std::uint32_t e = 0; e < process_.events.size(); ++e) {
      const Event& event = process_.events[e];
      process_.limits().work(1 + event.input_count, process_.figures);
      if (event.terminal) continue;
      if (event.rule != kNone) {
        problem_.events.push_back(e);
        variable_[e] = ++variables_;
      }
      for (const std::uint32_t c : process_.inputs(event)) {
        reserve(2 * sizeof(Literal));
        consumers_[c].push_back(variable_[e]);
      }
      if (event.rule == kNone || process_.rules()[event.rule].moves) {
        const Move& move = process_.moves[event.move];
        if (reader_.accepts_for_ever(move.state, move.label, true)) endings_.push_back(e);
      }
    }
    places_ = variables_;
    variables_ += static_cast<Literal>(net_.places());
  }

  void about_condition(std::size_t c) {
    const Condition& condition = process_.conditions[c];
    if (process_.events[condition.producer].terminal) return;
    const Literal producer = variable_[condition.producer];
    for (const Literal consumer : consumers_[c])
      if (producer != 0) add({-consumer, producer});
    at_most_one(consumers_[c]);
    if (condition.place >= net_.places()) return;  // the automaton's token
    std::vector<Literal> clause = consumers_[c];
    clause.push_back(marked(condition.place));
    if (producer != 0) clause.push_back(-producer);
    add(clause);
  }

  void at_most_one(const std::vector<Literal>& literals) {
    if (literals.size() <= 5) {
      for (std::size_t i = 0; i < literals.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) add({-literals[i], -literals[j]});
      return;
    }
    Literal before = 0;  // one of those so far
    for (const Literal literal : literals) {
      const Literal now = ++variables_;
      add({-literal, now});
      if (before != 0) {
        add({-before, now});
        add({-literal, -before});
      }
      before = now;
    }
  }

  void about_transitions() {
    for (const petri::Transition& transition : net_.transitions) {
      std::vector<Literal> clause;
      bool possible = true;
      for (const petri::Arc& arc : transition.pre) {
        possible = possible && arc.weight == 1;
        clause.push_back(-marked(arc.place));
      }
      if (possible) add(clause);
    }
  }

  void about_endings() {
    std::vector<Literal> some;
    for (const std::uint32_t e : endings_) {
      const Literal ends = ++variables_;
      some.push_back(ends);
      if (variable_[e] != 0) add({-ends, variable_[e]});
      const Event& event = process_.events[e];
      const std::uint32_t token = event.first_output + event.output_count - 1;
      for (const Literal consumer : consumers_[token]) add({-ends, -consumer});
    }
    add(some);
  }

  [[nodiscard]] Literal marked(std::uint32_t place) const {
    return places_ + 1 + static_cast<Literal>(place);
  }

  void add(const std::vector<Literal>& clause) {
    const std::size_t size = problem_.clauses.size() + clause.size() + 1;
    if (size > problem_.clauses.capacity()) {
      const std::size_t before = problem_.clauses.capacity();
      reserve(2 * size * sizeof(Literal));
      problem_.clauses.reserve(2 * size);
      process_.limits().release(before * sizeof(Literal));
    }
    problem_.clauses.insert(problem_.clauses.end(), clause.begin(), clause.end());
    problem_.clauses.push_back(0);
    process_.limits().work(clause.size(), process_.figures);
  }

  void reserve(std::size_t bytes) { process_.limits().reserve(bytes); }

  Process& process_;
  Reader& reader_;
  const petri::Net& net_;
  DeadlockProblem problem_;
  std::vector<Literal> variable_;                // by event
  std::vector<std::vector<Literal>> consumers_;  // by condition
  std::vector<std::uint32_t> endings_;           // moves
  Literal variables_ = 0;
  Literal places_ = 0;
};

}  // namespace

DeadlockProblem deadlock_problem(Process& process, Reader& reader, const petri::Net& net) {
  return Clauses(process, reader, net).make();
}

}  // namespace mpisog::unfolding
