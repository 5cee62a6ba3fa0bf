// Nets of at most three places, small enough to look at millions of them, and their graphs. Shares
// nothing with the code under test but the types in which nets and atoms are handed over.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "petri/atoms.hpp"
#include "petri/net.hpp"

namespace mpisog::audit {

constexpr std::size_t kMostPlaces = 3;
using Tokens = std::array<std::int32_t, kMostPlaces>;
using Letter = std::uint32_t;  // a bit for each atom

struct Arrow {
  Tokens pre{};
  Tokens post{};
};

struct TinyNet {
  Tokens initial{};
  std::vector<Arrow> transitions;
};

TinyNet to_tiny(const petri::Net& net);
petri::Net to_petri(const TinyNet& net, std::size_t places);
std::string shown(const TinyNet& net);

inline bool enabled(const Arrow& t, const Tokens& m) {
  return m[0] >= t.pre[0] && m[1] >= t.pre[1] && m[2] >= t.pre[2];
}

inline Tokens fired(const Arrow& t, Tokens m) {
  for (std::size_t p = 0; p < kMostPlaces; ++p) m[p] += t.post[p] - t.pre[p];
  return m;
}

inline bool is_dead(const TinyNet& net, const Tokens& m) {
  for (const Arrow& t : net.transitions)
    if (enabled(t, m)) return false;
  return true;
}

// The state atoms that hold; events are asked for below.
Letter letter(const TinyNet& net, const std::vector<petri::Atom>& atoms, const Tokens& m);
// The event atoms of a firing.
Letter events(const std::vector<petri::Atom>& atoms, std::uint32_t transition);

struct Edge {
  std::uint32_t transition;
  std::uint32_t target;
};

// The reachable markings, or some of them where there are too many: then firings that lead to
// others are left out, and `complete` is not set.
struct Graph {
  std::vector<Tokens> markings;
  std::vector<std::uint32_t> first_edge;  // of each marking, and of what comes after the last
  std::vector<Edge> edges;
  bool complete = true;

  static constexpr std::size_t kMost = 512;
  static constexpr std::size_t kEnough = 24;  // of a net that is seen to be unbounded

  void explore(const TinyNet& net);

 private:
  std::uint32_t index_of(const Tokens& m);
  bool covers_ancestor(std::uint32_t marking) const;

  static constexpr std::size_t kSlots = 2048;
  std::array<std::uint32_t, kSlots> slots_{};
  std::vector<std::uint32_t> used_;
  std::vector<std::uint32_t> parent_;
};

}  // namespace mpisog::audit
