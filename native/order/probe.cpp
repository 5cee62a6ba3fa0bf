// Closing a smaller net tells more about an order, and above all about its direction, than any
// figure.
#include <algorithm>

#include "ldd/kernel.hpp"
#include "ordering.hpp"

namespace mpisog::order {

namespace {

constexpr std::uint64_t kProbeTokens = 5;  // what the fullest place is given
constexpr ldd::Value kProbeLimit = 60;     // places that may hold ever more tokens stop here

ldd::Marking scaled_marking(const Structure& net, const Order& order) {
  const std::uint64_t largest = std::max(
      kProbeTokens, std::uint64_t{*std::max_element(net.initial.begin(), net.initial.end())});
  ldd::Marking marking;
  for (const Place place : order) {
    marking.push_back(
        static_cast<ldd::Value>((net.initial[place] * kProbeTokens + largest - 1) / largest));
  }
  return marking;
}

std::vector<ldd::Event> events_in(const Structure& net, const Order& order) {
  std::vector<ldd::Level> level(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) level[order[i]] = static_cast<ldd::Level>(i);
  std::vector<ldd::Event> events;
  for (const auto& arcs : net.transitions) {
    events.emplace_back();
    for (const Arc& arc : arcs) {
      events.back().push_back(
          {level[arc.place], arc.needed, arc.effect > 0 ? kProbeLimit : ldd::kNoLimit, arc.effect});
    }
  }
  return events;
}

}  // namespace

std::size_t probe(const Structure& net, const Order& order, std::size_t limit) {
  std::size_t polls = 0;
  const auto too_long = [&] { return (polls += ldd::kComputationsBetweenPolls) > limit; };
  ldd::Kernel kernel({.levels = net.places,
                      .memory_budget_bytes = std::size_t{64} << 20,
                      .workers = 1,
                      .shared = false,
                      .cancel = too_long});
  try {
    kernel.closure(kernel.singleton(scaled_marking(net, order)),
                   *kernel.relation(events_in(net, order)));
  } catch (const ldd::Error&) {
    return limit;
  }
  return std::min(limit, kernel.statistics().computations);
}

}  // namespace mpisog::order
