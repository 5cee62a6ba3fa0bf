// The choice of a variable order.
//
// Place invariants tell how many nodes a diagram needs at each cut of the order: one for each
// combination of the sums that the places above share with those below. Where invariants say
// little, the spans of the transitions decide. Both are cheap, so many candidates can be tried and
// the best one improved by moving single places.
#include <algorithm>
#include <cmath>
#include <optional>
#include <random>

#include "invariants.hpp"
#include "ordering.hpp"

namespace mpisog::order {

namespace {

constexpr std::uint32_t kMaxPlacesForInvariants = 1200;
constexpr std::uint32_t kMaxPlacesForProfile = 20000;  // its front may be as large as the net
constexpr double kMaxEffort = 1.5e8;                   // nanoseconds, roughly
constexpr double kEffortPerNode = 20;  // what a node costs the kernel, for each value it holds
constexpr double kCheap =
    6e4;  // weighted spans below which a safe net is closed sooner than analysed
constexpr unsigned kForceRounds = 20;
constexpr unsigned kThoroughRounds = 200;
constexpr double kTypicalRounds = 40;
constexpr unsigned kMaxRestarts = 100;
constexpr double kProbeBound = 4;      // nets with more tokens in a place can be probed with fewer
constexpr double kLargeDiagram = 5e4;  // from here on it pays to probe several candidates
constexpr std::size_t kFinalists = 12;
constexpr std::size_t kLongestProbe = 50000;

class Chooser {
 public:
  explicit Chooser(const Structure& net) : net_(net) {
    for (const auto& places : net.transitions) incidences_ += static_cast<double>(places.size());
    const auto largest = std::max_element(net.initial.begin(), net.initial.end());
    bound_ = largest != net.initial.end() ? 1.0 + std::max(1U, *largest) : 2.0;
  }

  Order choose() {
    best_ = file_order(net_);
    best_score_ = score(best_);
    const Order pulled = force(net_, best_, kForceRounds);
    const Order narrow = cuthill_mckee(net_);
    const Order narrow_pulled = force(net_, narrow, kForceRounds);
    for (const Order* order : {&pulled, &narrow, &narrow_pulled}) consider_both_ways(*order);
    if (net_.late() || (bound_ <= 2 && best_spans_.weighted < kCheap)) return best_;

    if (net_.places <= kMaxPlacesForInvariants) invariants_.emplace(net_);
    spent_ = 0;
    best_score_ = score(best_);
    best_nodes_ = nodes_;
    for (const Order* order : {&pulled, &narrow, &narrow_pulled}) consider_both_ways(*order);
    if (worthwhile() && net_.places <= kMaxPlacesForProfile) {
      const Order profile = sloan(net_);
      consider_both_ways(profile);
      for (const Order* order : {&pulled, &narrow_pulled, &profile})
        consider_both_ways(force(net_, *order, kThoroughRounds));
    }
    restart_and_improve();
    if (bound_ > kProbeBound) pick_by_probing();
    return best_;
  }

 private:
  // Score and order of the best candidates, each in the better direction.
  using Ranked = std::pair<double, Order>;

  void pick_by_probing() {
    const bool large = bound_ * std::exp(best_nodes_) > kLargeDiagram;
    std::sort(ranking_.begin(), ranking_.end());
    std::vector<Order> finalists{best_, reversed(best_)};
    for (std::size_t i = 0; i < ranking_.size() && large && finalists.size() < kFinalists; ++i) {
      finalists.push_back(ranking_[i].second);
      finalists.push_back(reversed(ranking_[i].second));
    }
    std::size_t least = kLongestProbe;
    for (const Order& order : finalists) {
      if (net_.late()) return;
      const std::size_t effort = probe(net_, order, least);
      if (effort < least) {
        least = effort;
        best_ = order;
      }
    }
  }

  void restart_and_improve() {
    if (!worthwhile()) return;
    std::mt19937 random(1);
    for (unsigned i = 0; i < kMaxRestarts && worthwhile(); ++i) {
      Order start = file_order(net_);
      if (i % 2 == 0) {
        std::shuffle(start.begin(), start.end(), random);
      } else {
        start = cuthill_mckee(net_, static_cast<Place>(random() % net_.places));
      }
      consider_both_ways(force(net_, std::move(start), kThoroughRounds));
    }
    spent_ = 0;
    while (worthwhile() && improve()) {
    }
  }

  // Logarithm of the expected work.
  double score(const Order& order) {
    spent_ += 3 * incidences_;
    spans_ = spans(net_, order);
    nodes_ = std::log(expected_nodes(order));
    return nodes_ + 2 * std::log(1 + spans_.weighted) + std::log(1 + spans_.heights);
  }

  double expected_nodes(const Order& order) {
    const auto places = static_cast<double>(net_.places);
    if (!invariants_ || invariants_->count() == 0) return places + 1;
    spent_ += 6 * places * (4 + static_cast<double>(invariants_->count()));
    double nodes = 1;
    for (const std::uint32_t sums : invariants_->shared_sums(order))
      nodes += std::exp(std::min(40.0, std::log(bound_) * sums));
    return nodes;
  }

  bool consider(const Order& order) {
    const double now = last_score_ = score(order);
    if (now >= best_score_) return false;
    best_score_ = now;
    best_nodes_ = nodes_;
    best_spans_ = spans_;
    best_ = order;
    return true;
  }

  void consider_both_ways(const Order& order) {
    spent_ += kTypicalRounds *
              (5 * incidences_ + 30.0 * net_.places);  // what it took to make the candidate
    consider(order);
    ranking_.emplace_back(last_score_, order);
    consider(reversed(order));
  }

  // Searching on must cost less than what it can save.
  bool worthwhile() const {
    return spent_ < std::min(kMaxEffort,
                             std::max(5 * best_spans_.weighted,
                                      kEffortPerNode * (bound_ - 1) * std::exp(best_nodes_))) &&
           !net_.late();
  }

  // Moves places one by one to where the score is best.
  bool improve() {
    bool improved = false;
    for (std::size_t from = 0; from < best_.size(); ++from) {
      for (std::size_t to = 0; to < best_.size() && worthwhile(); ++to) {
        Order moved = best_;
        const auto begin = moved.begin();
        const auto f = static_cast<std::ptrdiff_t>(from);
        const auto t = static_cast<std::ptrdiff_t>(to);
        if (from < to) std::rotate(begin + f, begin + f + 1, begin + t + 1);
        if (from > to) std::rotate(begin + t, begin + f, begin + f + 1);
        improved |= consider(moved);
      }
    }
    return improved;
  }

  const Structure& net_;
  std::optional<Invariants> invariants_;
  double incidences_ = 0, bound_ = 2, spent_ = 0;
  double nodes_ = 0, best_nodes_ = 0, best_score_ = 0, last_score_ = 0;
  std::vector<Ranked> ranking_;
  Spans spans_, best_spans_;
  Order best_;
};

}  // namespace

Order choose(const Structure& net) { return Chooser(net).choose(); }

}  // namespace mpisog::order
