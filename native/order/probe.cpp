// Closing a smaller net tells more about an order, and above all about its direction, than any
// figure.
#include <algorithm>

#include "mdd/kernel.hpp"
#include "ordering.hpp"

namespace mpisog::order {

namespace {

constexpr std::uint64_t kProbeTokens = 5;  // what the fullest place is given
constexpr mdd::Value kProbeLimit = 60;     // places that may hold ever more tokens stop here

mdd::Marking scaled_marking(const Structure& net, const Order& order) {
  const std::uint64_t largest = std::max(
      kProbeTokens, std::uint64_t{*std::max_element(net.initial.begin(), net.initial.end())});
  mdd::Marking marking;
  for (const Place place : order) {
    marking.push_back(
        static_cast<mdd::Value>((net.initial[place] * kProbeTokens + largest - 1) / largest));
  }
  return marking;
}

std::vector<mdd::Event> events_in(const Structure& net, const Order& order) {
  std::vector<mdd::Level> level(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) level[order[i]] = static_cast<mdd::Level>(i);
  std::vector<mdd::Event> events;
  for (const auto& arcs : net.transitions) {
    events.emplace_back();
    for (const Arc& arc : arcs) {
      events.back().push_back(
          {level[arc.place], arc.needed, arc.effect > 0 ? kProbeLimit : mdd::kNoLimit, arc.effect});
    }
  }
  return events;
}

}  // namespace

std::size_t probe(const Structure& net, const Order& order, std::size_t limit) {
  std::size_t polls = 0;
  const auto too_long = [&] { return (polls += mdd::kComputationsBetweenPolls) > limit; };
  mdd::Kernel kernel({.levels = net.places,
                      .memory_budget_bytes = std::size_t{64} << 20,
                      .workers = 1,
                      .shared = false,
                      .cancel = too_long});
  try {
    kernel.closure(kernel.singleton(scaled_marking(net, order)),
                   *kernel.relation(events_in(net, order)));
  } catch (const mdd::Error&) {
    return limit;
  }
  return std::min(limit, kernel.statistics().computations);
}

}  // namespace mpisog::order
