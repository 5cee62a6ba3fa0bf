// Orders are permutations, whatever the net looks like, and untangle a net that is given in a bad
// order.
#include <algorithm>
#include <random>

#include "check.hpp"
#include "order/invariants.hpp"
#include "order/ordering.hpp"

using namespace mpisog::order;

namespace {

bool is_permutation_of_places(const Structure& net, Order order) {
  std::sort(order.begin(), order.end());
  return order == file_order(net);
}

Structure random_net(std::mt19937& random) {
  Structure net;
  net.places = 1 + static_cast<std::uint32_t>(random() % 12);
  for (Place p = 0; p < net.places; ++p)
    net.initial.push_back(static_cast<std::uint32_t>(random() % 12));
  for (std::size_t t = random() % 10; t > 0; --t) {
    net.transitions.emplace_back();
    for (Place p = 0; p < net.places; ++p) {
      if (random() % 4 == 0)
        net.transitions.back().push_back({p, 1, static_cast<std::int64_t>(random() % 3) - 1});
    }
  }
  return net;
}

// Pairs of places that exchange tokens: neighbours in a good order share nothing with other pairs.
Structure pairs(std::uint32_t count) {
  Structure net;
  net.places = 2 * count;
  net.initial.assign(net.places, 9);
  for (Place p = 0; p < count; ++p) net.transitions.push_back({{p, 1, -1}, {p + count, 0, 1}});
  return net;
}

}  // namespace

int main() {
  std::mt19937 random(3);
  for (int round = 0; round < 200; ++round) {
    const Structure net = random_net(random);
    CHECK(is_permutation_of_places(net, force(net, file_order(net), 30)));
    CHECK(is_permutation_of_places(net, cuthill_mckee(net)));
    CHECK(is_permutation_of_places(net, sloan(net)));
    const Order chosen = choose(net);
    CHECK(is_permutation_of_places(net, chosen));
    CHECK(choose(net) == chosen);
  }
  const Structure net = pairs(8);
  const Invariants invariants(net);
  CHECK(invariants.count() == 8);
  const auto worst = [&](const Order& order) {
    const auto cuts = invariants.shared_sums(order);
    return *std::max_element(cuts.begin(), cuts.end());
  };
  CHECK(worst(file_order(net)) == 8);
  CHECK(worst(choose(net)) == 1);
  CHECK(choose(Structure{}).empty());
  std::puts("ok");
  return 0;
}
