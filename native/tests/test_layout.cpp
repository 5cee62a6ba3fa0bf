#include "petri/layout.hpp"
#include "tests/check.hpp"
#include "tests/nets.hpp"

using namespace mpisog::petri;
using mpisog::tests::naive_enabled;
using mpisog::tests::naive_fire;
using mpisog::tests::random_net;

TEST(bits_for_counts) {
  CHECK(bits_for(0) == 1);
  CHECK(bits_for(1) == 1);
  CHECK(bits_for(2) == 2);
  CHECK(bits_for(255) == 8);
  CHECK(bits_for(256) == 9);
}

TEST(packing_round_trips_at_every_width) {
  for (unsigned width = 1; width <= kMaxFieldBits; ++width) {
    Net net{Marking(5, 0), {}};
    const Layout layout(net, std::vector<unsigned>(5, width));
    const std::int64_t top = static_cast<std::int64_t>((Word{1} << width) - 1);
    const Marking marking{0, top, top / 2, 1, top};
    std::vector<Word> packed(layout.words());
    layout.pack(marking, packed.data());
    Marking back(5);
    layout.unpack(packed.data(), back);
    CHECK(back == marking);
  }
}

TEST(enabling_and_firing_agree_with_the_token_game) {
  std::mt19937 random(7);
  const int cases = mpisog::tests::random_cases(400);
  for (int i = 0; i < cases; ++i) {
    const Net net = random_net(random);
    // Wide enough for any single firing below, so that overflow is a separate matter.
    const Layout layout(net, std::vector<unsigned>(net.places(), 4));
    Marking marking(net.places());
    for (auto& tokens : marking) tokens = std::uniform_int_distribution<int>(0, 12)(random);
    std::vector<Word> packed(layout.words());
    layout.pack(marking, packed.data());
    for (std::size_t t = 0; t < net.transitions.size(); ++t) {
      CHECK(layout.enabled(packed.data(), t) == naive_enabled(net.transitions[t], marking));
      if (!layout.enabled(packed.data(), t)) continue;
      std::vector<Word> next = packed;
      CHECK(layout.fire(next.data(), t));
      Marking unpacked(net.places());
      layout.unpack(next.data(), unpacked);
      CHECK(unpacked == naive_fire(net.transitions[t], marking));
    }
  }
}

TEST(overflow_is_seen) {
  Net net{{1}, {{{}, {{0, 1}}}}};
  const Layout layout(net, {1});
  std::vector<Word> packed(layout.words());
  layout.pack(net.initial, packed.data());
  CHECK(!layout.fire(packed.data(), 0));
}

TEST(covering_compares_every_place) {
  Net net{Marking(40, 0), {}};
  const Layout layout(net, std::vector<unsigned>(40, 3));
  Marking low(40, 2);
  Marking high(40, 2);
  high[39] = 3;
  std::vector<Word> packed_low(layout.words());
  std::vector<Word> packed_high(layout.words());
  layout.pack(low, packed_low.data());
  layout.pack(high, packed_high.data());
  CHECK(layout.covers(packed_high.data(), packed_low.data()));
  CHECK(!layout.covers(packed_low.data(), packed_high.data()));
  CHECK(layout.covers(packed_low.data(), packed_low.data()));
}
