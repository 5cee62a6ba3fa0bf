#include "product/shortest.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <new>
#include <unordered_map>
#include <unordered_set>

namespace mpisog::product {

namespace {

using StateSet = std::uint32_t;  // of the automaton, as bits
using Firings = std::vector<std::uint32_t>;

template <class Visit>
void for_each_state(StateSet set, Visit&& visit) {
  for (; set != 0; set &= set - 1) visit(static_cast<std::uint32_t>(std::countr_zero(set)));
}

// By state: where a word leads to, and to which of these with an accepting edge on the way.
struct Relation {
  std::vector<StateSet> reach, accepting;
  auto operator<=>(const Relation&) const = default;
};

Relation identity(std::size_t states) {
  Relation same{std::vector<StateSet>(states), std::vector<StateSet>(states)};
  for (std::size_t q = 0; q < states; ++q) same.reach[q] = StateSet{1} << q;
  return same;
}

Relation compose(const Relation& first, const Relation& second) {
  Relation both{std::vector<StateSet>(first.reach.size()),
                std::vector<StateSet>(first.reach.size())};
  for (std::size_t q = 0; q < first.reach.size(); ++q)
    for_each_state(first.reach[q], [&](std::uint32_t r) {
      both.reach[q] |= second.reach[r];
      both.accepting[q] |=
          (first.accepting[q] >> r & 1U) != 0 ? second.reach[r] : second.accepting[r];
    });
  return both;
}

StateSet image(const Relation& relation, StateSet set) {
  StateSet reached = 0;
  for_each_state(set, [&](std::uint32_t q) { reached |= relation.reach[q]; });
  return reached;
}

StateSet closed(const Relation& relation, StateSet set) {
  for (StateSet more = set; more != 0;) {
    more = image(relation, more) & ~set;
    set |= more;
  }
  return set;
}

// The states from which the word of the relation, for ever, is accepted.
StateSet accepted_for_ever(const Relation& relation) {
  StateSet good = 0;
  const auto states = static_cast<std::uint32_t>(relation.reach.size());
  for (std::uint32_t q = 0; q < states; ++q)
    for_each_state(relation.accepting[q], [&](std::uint32_t r) {
      if ((closed(relation, StateSet{1} << r) >> q & 1U) != 0) good |= StateSet{1} << q;
    });
  StateSet all = 0;
  for (std::uint32_t q = 0; q < states; ++q)
    if ((closed(relation, StateSet{1} << q) & good) != 0) all |= StateSet{1} << q;
  return all;
}

// Relations by number, and how letters extend them.
class Relations {
 public:
  using Id = std::uint32_t;

  explicit Relations(Moves& moves) : moves_(moves) {
    identity_ = number(identity(moves.automaton().edges.size()));
  }

  [[nodiscard]] Id one() const noexcept { return identity_; }
  [[nodiscard]] StateSet accepted(Id id) const { return accepted_[id]; }
  [[nodiscard]] bool is_empty(Id id) const {
    const auto& reach = relations_[id]->reach;
    return std::all_of(reach.begin(), reach.end(), [](StateSet set) { return set == 0; });
  }
  [[nodiscard]] StateSet after(Id id, StateSet set) const { return image(*relations_[id], set); }

  Id letter(Moves::Label label, std::uint32_t transition) {
    const std::uint64_t key = std::uint64_t{label} << 32 | transition;
    const auto [entry, fresh] = letters_.try_emplace(key, 0);
    if (fresh) entry->second = number(read(label, transition));
    return entry->second;
  }

  Id extended(Id id, Id letter) {
    const std::uint64_t key = std::uint64_t{id} << 32 | letter;
    const auto [entry, fresh] = products_.try_emplace(key, 0);
    if (fresh) entry->second = number(compose(*relations_[id], *relations_[letter]));
    return entry->second;
  }

 private:
  Relation read(Moves::Label label, std::uint32_t transition) {
    const Automaton& automaton = moves_.automaton();
    Relation relation = identity(automaton.edges.size());
    for (std::uint32_t q = 0; q < automaton.edges.size(); ++q) {
      relation.reach[q] = 0;
      for (const auto& edge : moves_.edges(label, transition, q)) {
        relation.reach[q] |= StateSet{1} << edge.target;
        if ((edge.marks & automaton.all_marks) == automaton.all_marks)
          relation.accepting[q] |= StateSet{1} << edge.target;
      }
    }
    return relation;
  }

  Id number(Relation relation) {
    const auto [entry, fresh] =
        numbers_.try_emplace(std::move(relation), static_cast<Id>(relations_.size()));
    if (fresh) {
      relations_.push_back(&entry->first);
      accepted_.push_back(accepted_for_ever(entry->first));
    }
    return entry->second;
  }

  Moves& moves_;
  Id identity_;
  std::map<Relation, Id> numbers_;
  std::vector<const Relation*> relations_;
  std::vector<StateSet> accepted_;
  std::unordered_map<std::uint64_t, Id> letters_, products_;
};

class ShortestSearch {
 public:
  ShortestSearch(const petri::Net& net, Moves& moves, std::size_t fewer_than, Allowance& allowed)
      : space_(net, petri::Bounds::ignored),
        moves_(moves),
        relations_(moves),
        best_(fewer_than),
        allowance_(allowed) {}

  Near run() {
    add(petri::StateSpace::initial(), StateSet{1} << moves_.automaton().initial, 0, kNoTransition,
        0);
    for (std::size_t n = 0; n < nodes_.size() && nodes_[n].depth < best_; ++n)
      if (!look_at(n)) return {found_ ? NearestEnd::found : NearestEnd::gave_up, false, lasso_};
    return {found_ ? NearestEnd::found : NearestEnd::none, true, lasso_};
  }

 private:
  struct Node {
    petri::StateId marking;
    StateSet states;
    std::size_t from;
    std::uint32_t transition;
    std::uint32_t depth;
  };
  struct Visit {
    petri::StateId marking;
    Relations::Id relation;
    std::size_t from;
    std::uint32_t transition;
    std::uint32_t depth;
  };
  struct Step {
    std::uint32_t transition;
    petri::StateId target;
    Relations::Id letter;
  };
  struct Return {
    Relations::Id relation;
    Firings cycle;
  };

  void add(petri::StateId marking, StateSet states, std::size_t from, std::uint32_t transition,
           std::uint32_t depth) {
    if (states != 0 && known_.insert(std::uint64_t{marking} << 32 | states).second)
      nodes_.push_back({marking, states, from, transition, depth});
  }

  bool look_at(std::size_t n) {
    if (allowance_.spent()) return false;
    const Node node = nodes_[n];
    const auto& steps = steps_of(node.marking);
    if (steps.empty()) {
      const auto stays = relations_.letter(label(node.marking), kNoTransition);
      if ((relations_.accepted(stays) & node.states) != 0) take(n, {});
      return true;
    }
    if (node.depth + 1 < best_ && !look_at_cycles(n)) return false;
    for (const Step& step : steps_of(node.marking))
      add(step.target, relations_.after(step.letter, node.states), n, step.transition,
          node.depth + 1);
    return true;
  }

  bool look_at_cycles(std::size_t n) {
    const Node& node = nodes_[n];
    const auto [entry, fresh] = returns_.try_emplace(node.marking);
    if (fresh && !find_returns(node.marking, best_ - node.depth - 1, entry->second)) return false;
    for (const Return& back : entry->second)  // the shortest come first
      if ((relations_.accepted(back.relation) & node.states) != 0 &&
          node.depth + back.cycle.size() < best_) {
        take(n, back.cycle);
        break;
      }
    return true;
  }

  // The ways back to a marking with at most so many steps, one for each relation.
  bool find_returns(petri::StateId marking, std::size_t most, std::vector<Return>& returns) {
    std::vector<Visit> visits{{marking, relations_.one(), 0, kNoTransition, 0}};
    std::unordered_set<std::uint64_t> seen;
    for (std::size_t i = 0; i < visits.size() && visits[i].depth < most; ++i) {
      if (allowance_.spent()) return false;
      const Visit here = visits[i];
      for (const Step& step : steps_of(here.marking)) {
        const auto relation = relations_.extended(here.relation, step.letter);
        if (relations_.is_empty(relation) ||
            !seen.insert(std::uint64_t{step.target} << 32 | relation).second)
          continue;
        visits.push_back({step.target, relation, i, step.transition, here.depth + 1});
        if (step.target == marking) returns.push_back({relation, path(visits)});
      }
    }
    return true;
  }

  static Firings path(const std::vector<Visit>& visits) {
    Firings firings;
    for (std::size_t i = visits.size() - 1; i != 0; i = visits[i].from)
      firings.push_back(visits[i].transition);
    std::reverse(firings.begin(), firings.end());
    return firings;
  }

  Moves::Label label(petri::StateId marking) {
    return moves_.label(space_.layout(), space_.store().at(marking));
  }

  const std::vector<Step>& steps_of(petri::StateId marking) {
    const auto [entry, fresh] = steps_.try_emplace(marking);
    if (fresh) {
      const Moves::Label here = label(marking);
      for (const petri::Successor& next : space_.expand(marking, space_.all_transitions()))
        entry->second.push_back(
            {next.transition, next.target, relations_.letter(here, next.transition)});
    }
    return entry->second;
  }

  void take(std::size_t n, Firings cycle) {
    Firings prefix;
    for (std::size_t i = n; i != 0; i = nodes_[i].from) prefix.push_back(nodes_[i].transition);
    std::reverse(prefix.begin(), prefix.end());
    best_ = prefix.size() + cycle.size();
    found_ = true;
    lasso_ = {std::move(prefix), std::move(cycle)};
  }

  petri::StateSpace space_;
  Moves& moves_;
  Relations relations_;
  std::size_t best_;
  Allowance& allowance_;
  std::vector<Node> nodes_;
  std::unordered_set<std::uint64_t> known_;
  std::unordered_map<petri::StateId, std::vector<Step>> steps_;
  std::unordered_map<petri::StateId, std::vector<Return>> returns_;
  bool found_ = false;
  Lasso lasso_;
};

}  // namespace

Near shortest_lasso(const petri::Net& net, Moves& violations, std::size_t fewer_than,
                    Allowance& allowance) {
  if (violations.automaton().edges.size() > kRelationStates) return {};
  try {
    return ShortestSearch(net, violations, fewer_than, allowance).run();
  } catch (const petri::UnboundedNet&) {
    return {};
  } catch (const std::bad_alloc&) {
    return {};
  }
}

}  // namespace mpisog::product
