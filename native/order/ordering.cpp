#include "ordering.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace mpisog::order {

namespace {

std::vector<std::uint32_t> positions(const Order& order) {
  std::vector<std::uint32_t> position(order.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) position[order[i]] = i;
  return position;
}

// The positions of a transition's first and last place.
std::pair<std::uint32_t, std::uint32_t> span(const std::vector<Arc>& places,
                                             const std::vector<std::uint32_t>& position) {
  std::uint32_t first = position[places[0].place];
  std::uint32_t last = first;
  for (const Arc& arc : places) {
    first = std::min(first, position[arc.place]);
    last = std::max(last, position[arc.place]);
  }
  return {first, last};
}

double total_span(const Structure& net, const std::vector<std::uint32_t>& position) {
  double sum = 0;
  for (const auto& places : net.transitions) {
    if (places.empty()) continue;
    const auto [first, last] = span(places, position);
    sum += last - first;
  }
  return sum;
}

// Places that share a transition, as one list with offsets.
struct Graph {
  std::vector<std::uint32_t> offset;
  std::vector<Place> neighbours;
  std::uint32_t degree(Place p) const { return offset[p + 1] - offset[p]; }
};

Graph neighbourhood(const Structure& net) {
  std::vector<std::vector<Place>> lists(net.places);
  constexpr std::size_t kLarge = 16;  // a clique on so many places says little and costs a lot
  for (const auto& places : net.transitions) {
    if (places.size() > kLarge) continue;
    for (const Arc& a : places) {
      for (const Arc& b : places) {
        if (a.place != b.place) lists[a.place].push_back(b.place);
      }
    }
  }
  Graph graph;
  graph.offset.push_back(0);
  for (auto& list : lists) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
    graph.neighbours.insert(graph.neighbours.end(), list.begin(), list.end());
    graph.offset.push_back(static_cast<std::uint32_t>(graph.neighbours.size()));
  }
  return graph;
}

// Breadth-first distances from one place in its component; a new start costs what the last one has
// reached, not what the net has.
class Distances {
 public:
  explicit Distances(std::size_t places) : distance_(places, kUnseen) {}

  std::uint32_t operator[](Place p) const { return distance_[p]; }
  const std::vector<Place>& reached() const { return reached_; }

  // A place that is as far away as possible, of small degree.
  Place farthest(const Graph& graph, Place start) {
    for (const Place p : reached_) distance_[p] = kUnseen;
    reached_.assign(1, start);
    distance_[start] = 0;
    Place best = start;
    for (std::size_t i = 0; i < reached_.size(); ++i) {
      const Place p = reached_[i];
      if (distance_[p] > distance_[best] ||
          (distance_[p] == distance_[best] && graph.degree(p) < graph.degree(best)))
        best = p;
      for (std::uint32_t k = graph.offset[p]; k < graph.offset[p + 1]; ++k) {
        const Place q = graph.neighbours[k];
        if (distance_[q] != kUnseen) continue;
        distance_[q] = distance_[p] + 1;
        reached_.push_back(q);
      }
    }
    return best;
  }

  // A place at the rim.
  Place peripheral(const Graph& graph, Place start) {
    Place end = farthest(graph, start);
    for (int i = 0; i < 3; ++i) {
      const std::uint32_t reach = distance_[end];
      const Place next = farthest(graph, end);
      if (distance_[next] <= reach) break;
      end = next;
    }
    return end;
  }

 private:
  static constexpr std::uint32_t kUnseen = 0xFFFFFFFFU;
  std::vector<std::uint32_t> distance_;
  std::vector<Place> reached_;
};

class Sloan {
 public:
  explicit Sloan(const Structure& net)
      : graph_(neighbourhood(net)),
        distances_(net.places),
        state_(net.places, State::inactive),
        priority_(net.places, 0) {}

  Order order() {
    for (Place seed = 0; seed < state_.size(); ++seed) {
      if (state_[seed] != State::inactive) continue;
      begin(seed);
      while (!front_.empty()) place(take_best());
    }
    return std::move(order_);
  }

 private:
  enum class State : std::uint8_t { inactive, preactive, active, placed };

  // The component of this place, from one end of it.
  void begin(Place seed) {
    const Place start = distances_.peripheral(graph_, seed);
    const Place end = distances_.farthest(graph_, start);
    distances_.farthest(graph_, end);
    for (const Place p : distances_.reached())
      priority_[p] = 2 * std::int64_t{distances_[p]} - std::int64_t{graph_.degree(p) + 1};
    add(start);
  }
  void add(Place p) {
    if (state_[p] != State::inactive) return;
    state_[p] = State::preactive;
    front_.push_back(p);
  }
  void raise(Place p) {
    priority_[p] += 1;
    add(p);
  }
  Place take_best() {
    const auto best = std::max_element(front_.begin(), front_.end(), [&](Place a, Place b) {
      return priority_[a] < priority_[b];
    });
    const Place p = *best;
    *best = front_.back();
    front_.pop_back();
    return p;
  }
  void place(Place p) {
    if (state_[p] == State::preactive) for_each_neighbour(p, [&](Place q) { raise(q); });
    state_[p] = State::placed;
    order_.push_back(p);
    for_each_neighbour(p, [&](Place q) {
      if (state_[q] == State::preactive) activate(q);
    });
  }
  void activate(Place q) {
    state_[q] = State::active;
    priority_[q] += 1;
    for_each_neighbour(q, [&](Place r) {
      if (state_[r] != State::placed) raise(r);
    });
  }
  template <class Action>
  void for_each_neighbour(Place p, Action&& action) const {
    for (std::uint32_t k = graph_.offset[p]; k < graph_.offset[p + 1]; ++k)
      action(graph_.neighbours[k]);
  }

  Graph graph_;
  Distances distances_;
  std::vector<State> state_;
  std::vector<std::int64_t> priority_;
  std::vector<Place> front_;
  Order order_;
};

}  // namespace

Order file_order(const Structure& net) {
  Order order(net.places);
  std::iota(order.begin(), order.end(), 0U);
  return order;
}

Order reversed(Order order) {
  std::reverse(order.begin(), order.end());
  return order;
}

// Places move to the mean of the centres of gravity of their transitions, again and again.
Order force(const Structure& net, Order order, unsigned rounds) {
  Order best = order;
  std::vector<std::uint32_t> position = positions(order);
  double best_span = total_span(net, position);
  std::vector<double> pull(net.places);
  std::vector<std::uint32_t> uses(net.places);
  unsigned without_gain = 0;
  for (unsigned round = 0; round < rounds && without_gain < 5 && !net.late(); ++round) {
    std::fill(pull.begin(), pull.end(), 0.0);
    std::fill(uses.begin(), uses.end(), 0U);
    for (const auto& places : net.transitions) {
      if (places.empty()) continue;
      double sum = 0;
      for (const Arc& arc : places) sum += position[arc.place];
      const double centre = sum / static_cast<double>(places.size());
      for (const Arc& arc : places) pull[arc.place] += centre, ++uses[arc.place];
    }
    for (Place p = 0; p < net.places; ++p) pull[p] = uses[p] > 0 ? pull[p] / uses[p] : position[p];
    std::stable_sort(order.begin(), order.end(),
                     [&](Place a, Place b) { return pull[a] < pull[b]; });
    position = positions(order);
    const double span = total_span(net, position);
    if (span < best_span) {
      best_span = span;
      best = order;
      without_gain = 0;
    } else {
      ++without_gain;
    }
  }
  return best;
}

Order cuthill_mckee(const Structure& net, std::optional<Place> from) {
  const Graph graph = neighbourhood(net);
  Distances distances(net.places);
  std::vector<bool> placed(net.places, false);
  Order order;
  for (Place i = 0; i < net.places; ++i) {
    const Place seed = (from.value_or(0) + i) % net.places;
    if (placed[seed]) continue;
    const Place start = from ? seed : distances.peripheral(graph, seed);
    std::size_t head = order.size();
    order.push_back(start);
    placed[start] = true;
    for (; head < order.size(); ++head) {
      const Place p = order[head];
      const auto fresh = static_cast<std::ptrdiff_t>(order.size());
      for (std::uint32_t k = graph.offset[p]; k < graph.offset[p + 1]; ++k) {
        const Place q = graph.neighbours[k];
        if (placed[q]) continue;
        placed[q] = true;
        order.push_back(q);
      }
      std::stable_sort(order.begin() + fresh, order.end(),
                       [&](Place a, Place b) { return graph.degree(a) < graph.degree(b); });
    }
  }
  return reversed(order);
}

// Sloan's profile reduction: prefer places that keep the front small and are far from the end.
Order sloan(const Structure& net) { return Sloan(net).order(); }

Spans spans(const Structure& net, const Order& order) {
  const std::vector<std::uint32_t> position = positions(order);
  Spans result;
  for (const auto& places : net.transitions) {
    if (places.empty()) continue;
    const auto [first, last] = span(places, position);
    result.heights += net.places - first;
    result.weighted += static_cast<double>(last - first + 1) * (net.places - first);
  }
  return result;
}

}  // namespace mpisog::order
