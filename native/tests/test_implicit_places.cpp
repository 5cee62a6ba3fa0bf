#include "reduce/implicit_places.hpp"
#include "tests/check.hpp"

using namespace mpisog;

namespace {

// a -t-> b -u-> c -v-> a; "busy" (place 3) is marked from t to v, as b and c together are.
petri::Net with_busy() {
  return {{1, 0, 0, 0},
          {{{{0, 1}}, {{1, 1}, {3, 1}}}, {{{1, 1}}, {{2, 1}}}, {{{2, 1}, {3, 1}}, {{0, 1}}}}};
}

}  // namespace

TEST(weights_that_imply_a_place_are_found) {
  const reduce::WorkingNet net(with_busy(), {});
  reduce::ImplicitPlaces search(net, {true, true, true});
  const auto weights = search.weights(3, 60);
  CHECK(weights.has_value());
  CHECK((*weights == reduce::Bag{{1, 1}, {2, 1}}));
}

TEST(a_removed_place_implies_nothing) {
  reduce::WorkingNet net(with_busy(), {});
  reduce::ImplicitPlaces search(net, {true, true, true});
  net.remove_place(1);
  CHECK(!search.weights(3, 60));
}

TEST(a_place_that_is_needed_has_no_weights) {
  const petri::Net loop{{1, 0}, {{{{0, 1}}, {{1, 1}}}, {{{1, 1}}, {{0, 1}}}}};
  const reduce::WorkingNet net(loop, {});
  reduce::ImplicitPlaces search(net, {true, true});
  CHECK(!search.weights(0, 60));
  CHECK(!search.weights(1, 60));
}

TEST(a_place_that_may_grow_for_ever_is_kept) {
  const petri::Net pump{{1, 0}, {{{{0, 1}}, {{0, 1}, {1, 1}}}}};
  const reduce::WorkingNet net(pump, {});
  CHECK(!reduce::ImplicitPlaces(net, {true}).weights(1, 60));
  CHECK(reduce::ImplicitPlaces(net, {false}).weights(1, 60)->empty());
}
