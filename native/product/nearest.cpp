#include "product/nearest.hpp"

#include <algorithm>
#include <new>

namespace mpisog::product {

namespace {

using Firings = std::vector<std::uint32_t>;

constexpr std::size_t kMostBytes = std::size_t{1} << 28;

// Product states in the order of their distance from the initial one.
class Front {
 public:
  Front(const petri::Net& net, Moves& moves)
      : space_(net, petri::Bounds::ignored),
        moves_(moves),
        states_(static_cast<std::uint32_t>(moves.automaton().edges.size())) {
    add(petri::StateSpace::initial(), moves.automaton().initial, kUnknown, kNoTransition, 0);
  }

  [[nodiscard]] std::size_t size() const { return states_.size(); }
  // Markings of large nets are large: looking for something shorter is not worth all memory.
  [[nodiscard]] bool full() const { return space_.store().bytes() > kMostBytes; }
  [[nodiscard]] std::uint32_t depth(Number n) const { return reached_[n].depth; }
  [[nodiscard]] std::uint32_t state(Number n) const { return states_.state(n); }

  Moves::Label label(Number n) {
    const petri::StateId marking = states_.marking(n);
    while (labels_.size() <= marking)
      labels_.push_back(moves_.label(
          space_.layout(), space_.store().at(static_cast<petri::StateId>(labels_.size()))));
    return labels_[marking];
  }

  // All firings from the marking of a state; none when it is dead.
  std::span<const petri::Successor> firings(Number n) {
    return space_.expand(states_.marking(n), space_.all_transitions());
  }

  Number add(petri::StateId marking, std::uint32_t state, Number from, std::uint32_t transition,
             std::uint32_t depth) {
    const auto [number, fresh] = states_.insert(marking, state);
    if (fresh) reached_.push_back({from, transition, depth});
    return number;
  }

  [[nodiscard]] Firings path(Number n) const {
    Firings firings;
    for (; reached_[n].from != kUnknown; n = reached_[n].from)
      firings.push_back(reached_[n].transition);
    std::reverse(firings.begin(), firings.end());
    return firings;
  }

 private:
  struct Reached {
    Number from;
    std::uint32_t transition;
    std::uint32_t depth;
  };

  petri::StateSpace space_;
  Moves& moves_;
  States states_;
  std::vector<Moves::Label> labels_;
  std::vector<Reached> reached_;
};

class BadPrefixSearch {
 public:
  BadPrefixSearch(const petri::Net& net, Moves& monitor, std::size_t fewer_than, Allowance& allowed)
      : monitor_(monitor), front_(net, monitor), best_(fewer_than), allowance_(allowed) {}

  Near run() {
    for (Number n = 0; n < front_.size() && front_.depth(n) < best_; ++n) {
      if (allowance_.spent())
        return {found_ ? NearestEnd::found : NearestEnd::gave_up, false, bad_};
      expand(n);
    }
    return {found_ ? NearestEnd::found : NearestEnd::none, true, bad_};
  }

 private:
  void expand(Number n) {
    const Moves::Label label = front_.label(n);
    const std::uint32_t state = front_.state(n);
    const std::uint32_t depth = front_.depth(n);
    const auto firings = front_.firings(n);
    if (monitor_.stuck(label, state)) return take(front_.path(n));
    for (const petri::Successor& firing : firings)
      if (monitor_.edges(label, firing.transition, state).empty() && depth + 1 < best_) {
        Firings path = front_.path(n);
        path.push_back(firing.transition);
        take(std::move(path));
      }
    if (depth + 1 >= best_) return;
    for (const petri::Successor& firing : firings)
      for (const auto& edge : monitor_.edges(label, firing.transition, state))
        front_.add(firing.target, edge.target, n, firing.transition, depth + 1);
  }

  void take(Firings path) {
    best_ = path.size();
    found_ = true;
    bad_.prefix = std::move(path);
  }

  Moves& monitor_;
  Front front_;
  std::size_t best_;
  Allowance& allowance_;
  bool found_ = false;
  Lasso bad_;
};

class LassoSearch {
 public:
  LassoSearch(const petri::Net& net, Moves& moves, std::size_t fewer_than, Allowance& allowed)
      : moves_(moves), front_(net, moves), best_(fewer_than), allowance_(allowed) {}

  Near run() {
    bool complete = true;
    std::size_t look = kFirstLook;
    Number n = 0;
    for (; n < front_.size() && front_.depth(n) < best_; ++n) {
      if (allowance_.spent() || front_.full() || edges_.size() > kMostEdges) {
        complete = false;
        break;
      }
      expand(n);
      if (n < look) continue;
      look *= kGrowth;
      const std::size_t before = best_;
      find_cycles();
      if (best_ < before) look = std::max<std::size_t>(look, 2 * n);
      if (found_ && n > enough_) {
        complete = false;
        break;
      }
    }
    complete = find_cycles() && complete;
    const NearestEnd end = found_     ? NearestEnd::found
                           : complete ? NearestEnd::none
                                      : NearestEnd::gave_up;
    return {end, complete, lasso_};
  }

 private:
  static constexpr std::size_t kFirstLook = 256;
  static constexpr std::size_t kGrowth = 4;
  static constexpr std::size_t kMostEdges = 8'000'000;
  // Once something is found, the search goes on to so many times as many states.
  static constexpr std::size_t kFurther = 3;

  struct Edge {
    Number to;
    std::uint32_t transition;
    bool marked;
  };

  [[nodiscard]] std::span<const Edge> edges(Number n) const {
    return {edges_.data() + begin_[n], edges_.data() + begin_[n + 1]};
  }
  [[nodiscard]] Number expanded() const { return static_cast<Number>(begin_.size() - 1); }

  void expand(Number n) {
    const Moves::Label label = front_.label(n);
    const std::uint32_t state = front_.state(n);
    const std::uint32_t depth = front_.depth(n);
    const Marks all = moves_.automaton().all_marks;
    const bool silent = !moves_.has_events() && moves_.edges(label, kNoTransition, state).empty();
    const auto firings = silent ? std::span<const petri::Successor>{} : front_.firings(n);
    if (!silent && firings.empty() && depth < best_ && stays_accepting(label, state))
      take(front_.path(n), {}, n);
    for (const petri::Successor& firing : firings)
      for (const auto& edge : moves_.edges(label, firing.transition, state)) {
        const Number to = front_.add(firing.target, edge.target, n, firing.transition, depth + 1);
        edges_.push_back({to, firing.transition, (edge.marks & all) == all});
      }
    begin_.push_back(edges_.size());
  }

  // Whether a dead marking's letter, for ever from here on, is accepted.
  bool stays_accepting(Moves::Label label, std::uint32_t state) {
    std::vector<std::uint32_t> reached{state};
    const auto reach = [&](std::vector<std::uint32_t>& from) {
      for (std::size_t i = 0; i < from.size(); ++i)
        for (const auto& edge : moves_.edges(label, kNoTransition, from[i]))
          if (std::find(from.begin(), from.end(), edge.target) == from.end())
            from.push_back(edge.target);
    };
    reach(reached);
    const Marks all = moves_.automaton().all_marks;
    for (const std::uint32_t q : reached)
      for (const auto& edge : moves_.edges(label, kNoTransition, q)) {
        if ((edge.marks & all) != all) continue;
        std::vector<std::uint32_t> back{edge.target};
        reach(back);
        if (std::find(back.begin(), back.end(), q) != back.end()) return true;
      }
    return false;
  }

  // The shortest accepting walks round the components of what is explored; true when all are known.
  bool find_cycles() {
    number_components();
    for (Number n = 0; n < expanded() && front_.depth(n) + 1 < best_; ++n) {
      if (!accepting_[component_[n]]) continue;
      if (allowance_.spent()) return false;
      walk_around(n);
    }
    return true;
  }

  // Tarjan's algorithm without recursion, over expanded states.
  void number_components() {
    const Number size = expanded();
    component_.assign(size, kUnknown);
    accepting_.clear();
    std::vector<Number> low(size, 0), order(size, 0), stack;
    std::vector<std::pair<Number, std::size_t>> frames;
    Number counter = 0;
    for (Number root = 0; root < size; ++root) {
      if (order[root] != 0) continue;
      frames.emplace_back(root, begin_[root]);
      while (!frames.empty()) {
        auto& [n, next] = frames.back();
        if (next == begin_[n] && order[n] == 0) {
          order[n] = low[n] = ++counter;
          stack.push_back(n);
        }
        if (next < begin_[n + 1]) {
          const Number to = edges_[next++].to;
          if (to >= size) continue;
          if (order[to] == 0)
            frames.emplace_back(to, begin_[to]);
          else if (component_[to] == kUnknown)
            low[n] = std::min(low[n], order[to]);
          continue;
        }
        const Number done = n;
        frames.pop_back();
        if (!frames.empty())
          low[frames.back().first] = std::min(low[frames.back().first], low[done]);
        if (low[done] == order[done]) close_component(done, stack);
      }
    }
  }

  void close_component(Number root, std::vector<Number>& stack) {
    const auto number = static_cast<Number>(accepting_.size());
    const auto first = std::find(stack.rbegin(), stack.rend(), root).base() - 1;
    for (auto it = first; it != stack.end(); ++it) component_[*it] = number;
    bool accepting = false;
    for (auto it = first; it != stack.end() && !accepting; ++it)
      for (const Edge& edge : edges(*it))
        if (edge.marked && edge.to < component_.size() && component_[edge.to] == number)
          accepting = true;
    accepting_.push_back(accepting);
    stack.erase(first, stack.end());
  }

  // Breadth first over (state, whether an accepting edge was met) back to where it starts.
  void walk_around(Number start) {
    const std::size_t most = best_ - front_.depth(start) - 1;  // a longer cycle is of no use
    const Number component = component_[start];
    if (visited_.size() < 2 * std::size_t{expanded()}) visited_.resize(2 * std::size_t{expanded()});
    ++visit_;
    std::vector<Visit> visits{{start, false, kUnknown, kNoTransition, 0}};
    for (std::size_t i = 0; i < visits.size(); ++i) {
      const Visit here = visits[i];
      if (here.depth >= most || allowance_.spent()) return;
      for (const Edge& edge : edges(here.state)) {
        if (edge.to >= component_.size() || component_[edge.to] != component) continue;
        const bool met = here.met || edge.marked;
        if (edge.to == start && met) return take_walk(start, visits, i, edge.transition);
        auto& visited = visited_[2 * std::size_t{edge.to} + (met ? 1 : 0)];
        if (visited == visit_) continue;
        visited = visit_;
        visits.push_back({edge.to, met, static_cast<Number>(i), edge.transition, here.depth + 1});
      }
    }
  }

  struct Visit {
    Number state;
    bool met;
    Number from;
    std::uint32_t transition;
    std::uint32_t depth;
  };

  void take_walk(Number start, const std::vector<Visit>& visits, std::size_t last,
                 std::uint32_t transition) {
    Firings cycle{transition};
    for (Number i = static_cast<Number>(last); visits[i].from != kUnknown; i = visits[i].from)
      cycle.push_back(visits[i].transition);
    std::reverse(cycle.begin(), cycle.end());
    take(front_.path(start), std::move(cycle), expanded());
  }

  void take(Firings prefix, Firings cycle, Number explored) {
    if (!found_) enough_ = kFurther * std::size_t{explored};
    found_ = true;
    best_ = prefix.size() + cycle.size();
    lasso_ = {std::move(prefix), std::move(cycle)};
  }

  Moves& moves_;
  Front front_;
  std::size_t best_;
  Allowance& allowance_;
  std::vector<Edge> edges_;
  std::vector<std::size_t> begin_{0};  // where the edges of a state begin
  std::vector<Number> component_;
  std::vector<bool> accepting_;
  std::vector<std::uint32_t> visited_;
  std::uint32_t visit_ = 0;
  std::size_t enough_ = 0;
  bool found_ = false;
  Lasso lasso_;
};

template <class Search>
Near run(const petri::Net& net, Moves& moves, std::size_t fewer_than, Allowance& allowance) {
  try {
    return Search(net, moves, fewer_than, allowance).run();
  } catch (const petri::UnboundedNet&) {  // a counterexample of such a net is one all the same
    return {};
  } catch (const std::bad_alloc&) {
    return {};
  }
}

}  // namespace

Near nearest_bad_prefix(const petri::Net& net, Moves& monitor, std::size_t fewer_than,
                        Allowance& allowance) {
  return run<BadPrefixSearch>(net, monitor, fewer_than, allowance);
}

Near nearest_lasso(const petri::Net& net, Moves& violations, std::size_t fewer_than,
                   Allowance& allowance) {
  return run<LassoSearch>(net, violations, fewer_than, allowance);
}

}  // namespace mpisog::product
