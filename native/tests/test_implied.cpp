#include "reduce/implied.hpp"
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
  const petri::Net net = with_busy();
  reduce::ImpliedPlaces search(net, {0, 1, 2});
  const auto weights = search.weights(3, 60);
  CHECK(weights.has_value());
  CHECK((*weights == reduce::Weights{{1, 1}, {2, 1}}));
}

TEST(a_removed_place_implies_nothing) {
  const petri::Net net = with_busy();
  reduce::ImpliedPlaces search(net, {0, 1, 2});
  search.remove(1);
  CHECK(!search.weights(3, 60));
}

TEST(a_place_that_is_needed_has_no_weights) {
  const petri::Net net{{1, 0}, {{{{0, 1}}, {{1, 1}}}, {{{1, 1}}, {{0, 1}}}}};
  reduce::ImpliedPlaces search(net, {0, 1});
  CHECK(!search.weights(0, 60));
  CHECK(!search.weights(1, 60));
}

TEST(a_place_that_may_grow_for_ever_is_kept) {
  const petri::Net net{{1, 0}, {{{{0, 1}}, {{0, 1}, {1, 1}}}}};
  CHECK(!reduce::ImpliedPlaces(net, {0}).weights(1, 60));
  CHECK(reduce::ImpliedPlaces(net, {}).weights(1, 60)->empty());
}
