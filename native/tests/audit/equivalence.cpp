#include "tests/audit/equivalence.hpp"

#include <algorithm>
#include <bitset>

namespace mpisog::audit {

namespace {

using States = std::bitset<Graph::kMost>;

// Atoms of the reduced net as letters of the original: constant ones are set or not for ever.
struct Atoms {
  std::vector<petri::Atom> atoms;
  std::vector<std::uint32_t> numbers;
  Letter always = 0;

  explicit Atoms(const std::vector<reduce::BoundAtom>& bound) {
    for (std::uint32_t number = 0; number < bound.size(); ++number) {
      if (const bool* truth = std::get_if<bool>(&bound[number])) {
        if (*truth) always |= Letter{1} << number;
      } else {
        atoms.push_back(std::get<petri::Atom>(bound[number]));
        numbers.push_back(number);
      }
    }
  }

  [[nodiscard]] Letter renumbered(Letter found) const {
    Letter result = always;
    for (std::size_t i = 0; i < numbers.size(); ++i)
      if ((found >> i & 1U) != 0) result |= Letter{1} << numbers[i];
    return result;
  }
};

std::vector<Letter> letters_of(const TinyNet& net, const Graph& graph,
                               const std::vector<petri::Atom>& atoms) {
  std::vector<Letter> letters;
  letters.reserve(graph.markings.size());
  for (const Tokens& m : graph.markings) letters.push_back(letter(net, atoms, m));
  return letters;
}

// Where a run can repeat its letter for ever: dead markings, and what leads to a cycle of one
// letter.
std::vector<bool> can_stay(const TinyNet& net, const Graph& graph,
                           const std::vector<Letter>& letters) {
  const std::size_t size = graph.markings.size();
  std::vector<bool> dead(size);
  for (std::size_t i = 0; i < size; ++i)
    dead[i] = graph.first_edge[i] == graph.first_edge[i + 1] && is_dead(net, graph.markings[i]);
  std::vector<bool> stays(size, true);
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = 0; i < size; ++i) {
      if (!stays[i] || dead[i]) continue;
      bool goes_on = false;
      for (std::uint32_t e = graph.first_edge[i]; e < graph.first_edge[i + 1] && !goes_on; ++e) {
        const std::uint32_t target = graph.edges[e].target;
        goes_on = stays[target] && letters[target] == letters[i];
      }
      if (!goes_on) {
        stays[i] = false;
        changed = true;
      }
    }
  }
  return stays;
}

class Comparison {
 public:
  Comparison(const Observed& original, const reduce::Reduced& reduced, bool stuttering)
      : original_(original),
        reduced_(reduced),
        stuttering_(stuttering),
        net_(to_tiny(reduced.net)),
        atoms_(reduced.atoms) {
    graph_.explore(net_);  // its tables are kept from one comparison to the next
    letters_ = letters_of(net_, graph_, atoms_.atoms);
    for (Letter& found : letters_) found = atoms_.renumbered(found);
  }

  Judgement judge() {
    std::optional<std::string> fault = lifts();
    if (!fault && stuttering_) fault = follows();
    return {std::move(fault), original_.graph.complete && graph_.complete};
  }

 private:
  struct Pair {
    std::uint32_t here;
    Tokens there;
    bool operator==(const Pair&) const = default;
  };

  // A few: they are gone through one by one.
  struct Pairs {
    std::vector<Pair> pairs;

    bool insert(const Pair& pair) {
      if (std::find(pairs.begin(), pairs.end(), pair) != pairs.end()) return false;
      pairs.push_back(pair);
      return true;
    }
  };

  // Pairs of a marking of the reduced net and the original's beside it.
  std::optional<std::string> lifts() {
    Tokens there = original_.net.initial;
    for (const std::uint32_t t : reduced_.first) {
      if (!enabled(original_.net.transitions[t], there)) return "what fires at first cannot";
      if (letter_there(there) != letters_[0]) return "what fires at first can be seen";
      there = fired(original_.net.transitions[t], there);
    }
    std::vector<Pair> todo{{0, there}};
    Pairs seen;
    seen.insert(todo.front());
    while (!todo.empty()) {
      const Pair pair = todo.back();
      todo.pop_back();
      if (letter_there(pair.there) != letters_[pair.here]) return "letters differ";
      if (auto fault = steps_match(pair, seen, todo)) return fault;
      if (seen.pairs.size() > (original_.graph.complete ? 4 * Graph::kMost : Graph::kEnough)) break;
    }
    return std::nullopt;
  }

  std::optional<std::string> steps_match(const Pair& pair, Pairs& seen, std::vector<Pair>& todo) {
    if (is_dead(net_, graph_.markings[pair.here])) return ending(pair.there);
    for (std::uint32_t e = graph_.first_edge[pair.here]; e < graph_.first_edge[pair.here + 1];
         ++e) {
      const Edge& edge = graph_.edges[e];
      Pair next{edge.target, pair.there};
      if (auto fault = fires(pair, edge, next.there)) return fault;
      if (seen.insert(next)) todo.push_back(next);
    }
    return stuttering_ ? std::nullopt : each_is_matched(pair, seen, todo);
  }

  // The word of a step: the letter before, again and again, then the one after.
  std::optional<std::string> fires(const Pair& pair, const Edge& edge, Tokens& there) const {
    bool after = false;
    const reduce::Word& word = reduced_.words[edge.transition];
    for (std::size_t i = 0; i < word.size(); ++i) {
      const Arrow& t = original_.net.transitions[word[i]];
      if (!enabled(t, there)) return "a step's word does not fire";
      if (letter_there(there) != letters_[after ? edge.target : pair.here]) {
        if (after || letter_there(there) != letters_[edge.target]) return "a word shows a letter";
        after = true;
      }
      there = fired(t, there);
    }
    if (!stuttering_) {
      if (word.size() != 1) return "a word has several firings";
      if (events(original_.atoms, word[0]) != events_here(edge.transition)) return "events differ";
    }
    return std::nullopt;
  }

  // Every firing of the original is one of the reduced net, with the same event, to what is left of
  // the same marking.
  std::optional<std::string> each_is_matched(const Pair& pair, Pairs& seen,
                                             std::vector<Pair>& todo) const {
    if (graph_.markings[pair.here] != what_is_left(pair.there)) return "markings differ";
    for (std::uint32_t t = 0; t < original_.net.transitions.size(); ++t) {
      if (!enabled(original_.net.transitions[t], pair.there)) continue;
      const Tokens next = fired(original_.net.transitions[t], pair.there);
      const auto same = std::find_if(
          graph_.edges.begin() + graph_.first_edge[pair.here],
          graph_.edges.begin() + graph_.first_edge[pair.here + 1], [&](const Edge& edge) {
            return graph_.markings[edge.target] == what_is_left(next) &&
                   events_here(edge.transition) == events(original_.atoms, t);
          });
      if (same == graph_.edges.begin() + graph_.first_edge[pair.here + 1]) {
        if (graph_.complete) return "a firing is lost";
        continue;
      }
      const Pair after{same->target, next};
      if (seen.insert(after)) todo.push_back(after);
    }
    return std::nullopt;
  }

  [[nodiscard]] Tokens what_is_left(const Tokens& there) const {
    Tokens left{};
    for (std::size_t p = 0; p < reduced_.places.size(); ++p) left[p] = there[reduced_.places[p]];
    return left;
  }

  // The reduced net is dead: what the original can still do ends and shows nothing.
  std::optional<std::string> ending(const Tokens& there) const {
    if (is_dead(original_.net, there)) return std::nullopt;
    if (!stuttering_) return "the reduced net is dead too soon";
    TinyNet rest{there, original_.net.transitions};
    Graph graph;
    graph.explore(rest);
    const std::vector<Letter> letters = letters_of(rest, graph, original_.atoms);
    if (std::any_of(letters.begin(), letters.end(), [&](Letter l) { return l != letters[0]; }))
      return "an ending can be seen";
    for (std::size_t i = 0; i < graph.markings.size(); ++i)
      for (std::uint32_t e = graph.first_edge[i]; e < graph.first_edge[i + 1]; ++e)
        if (reaches(graph, graph.edges[e].target, static_cast<std::uint32_t>(i)))
          return "an ending runs in a circle";
    return graph.complete ? std::nullopt : std::optional<std::string>("an ending goes on and on");
  }

  static bool reaches(const Graph& graph, std::uint32_t from, std::uint32_t to) {
    std::vector<std::uint32_t> todo{from};
    std::vector<bool> seen(graph.markings.size());
    while (!todo.empty()) {
      const std::uint32_t at = todo.back();
      todo.pop_back();
      if (at == to) return true;
      if (seen[at]) continue;
      seen[at] = true;
      for (std::uint32_t e = graph.first_edge[at]; e < graph.first_edge[at + 1]; ++e)
        todo.push_back(graph.edges[e].target);
    }
    return false;
  }

  // A marking of the original with all that the reduced net may be at by then.
  struct Followed {
    std::uint32_t there;
    States here;
  };

  std::optional<std::string> follows() {
    if (!graph_.complete) return std::nullopt;
    const Graph& graph = original_.graph;
    const std::vector<Letter> letters = letters_of(original_.net, graph, original_.atoms);
    const std::vector<bool> stays_there = can_stay(original_.net, graph, letters);
    const std::vector<bool> stays_here = can_stay(net_, graph_, letters_);
    States stays;
    for (std::size_t i = 0; i < stays_here.size(); ++i) stays[i] = stays_here[i];
    if (letters[0] != letters_[0]) return "the first letters differ";
    std::vector<Followed> todo{{0, States{1}}};
    std::vector<std::vector<States>> seen(graph.markings.size());
    seen[0].push_back(States{1});
    while (!todo.empty()) {
      const Followed at = todo.back();
      todo.pop_back();
      if (stays_there[at.there] && (silently_reached(at.here) & stays).none())
        return "a run that shows nothing more is lost";
      for (std::uint32_t e = graph.first_edge[at.there]; e < graph.first_edge[at.there + 1]; ++e) {
        const std::uint32_t target = graph.edges[e].target;
        const bool silent = letters[target] == letters[at.there];
        States here = silent ? at.here : States{};
        step(at.here, letters[target], here);
        if (here.none()) return "a letter is lost";
        auto& known = seen[target];
        if (std::find(known.begin(), known.end(), here) != known.end()) continue;
        known.push_back(here);
        todo.push_back({target, here});
      }
    }
    return std::nullopt;
  }

  // Adds what one step to markings of that letter leads to.
  void step(const States& from, Letter wanted, States& reached) const {
    for (std::size_t i = from._Find_first(); i < graph_.markings.size(); i = from._Find_next(i))
      for (std::uint32_t e = graph_.first_edge[i]; e < graph_.first_edge[i + 1]; ++e)
        if (letters_[graph_.edges[e].target] == wanted) reached.set(graph_.edges[e].target);
  }

  // With repetitions of the letter without end, any number of silent steps can be followed.
  [[nodiscard]] States silently_reached(States here) const {
    const Letter same = letters_[here._Find_first()];
    for (States before; before != here;) {
      before = here;
      step(before, same, here);
    }
    return here;
  }

  [[nodiscard]] Letter letter_there(const Tokens& m) const {
    return letter(original_.net, original_.atoms, m);
  }
  [[nodiscard]] Letter events_here(std::uint32_t transition) const {
    return atoms_.renumbered(events(atoms_.atoms, transition)) & ~atoms_.always;
  }

  const Observed& original_;
  const reduce::Reduced& reduced_;
  bool stuttering_;
  TinyNet net_;
  Atoms atoms_;
  Graph& graph_ = scratch();
  std::vector<Letter> letters_;

  static Graph& scratch() {
    thread_local Graph graph;
    return graph;
  }
};

}  // namespace

Judgement compare(const Observed& original, const reduce::Reduced& reduced, bool stuttering) {
  return Comparison(original, reduced, stuttering).judge();
}

}  // namespace mpisog::audit
