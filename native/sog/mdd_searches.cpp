#include "sog/mdd_searches.hpp"

namespace mpisog::sog {

namespace {

void write_levels(const PlaceOrder& order, const petri::Marking& marking, mdd::Marking& values) {
  for (std::size_t level = 0; level < order.size(); ++level)
    values[level] = static_cast<mdd::Value>(marking[order[level]]);
}

}  // namespace

std::vector<mdd::Marking> first_markings(mdd::Kernel& kernel, const mdd::Set& set,
                                         std::size_t limit) {
  std::vector<mdd::Marking> markings;
  kernel.for_each(set, [&](const mdd::Marking& marking) {
    markings.push_back(marking);
    return markings.size() < limit;
  });
  return markings;
}

mdd::Set to_set(mdd::Kernel& kernel, const PlaceOrder& order,
                const std::vector<petri::Marking>& markings) {
  std::vector<mdd::Marking> ordered;
  for (const petri::Marking& marking : markings)
    write_levels(order, marking, ordered.emplace_back(order.size()));
  return kernel.from_markings(ordered);
}

petri::Marking to_marking(const PlaceOrder& order, const mdd::Marking& values) {
  petri::Marking marking(order.size());
  for (std::size_t level = 0; level < order.size(); ++level) marking[order[level]] = values[level];
  return marking;
}

search::Contains membership(mdd::Kernel& kernel, const mdd::Set& set, const PlaceOrder& order) {
  return [&kernel, &set, &order,
          values = mdd::Marking(order.size())](const petri::Marking& marking) mutable {
    write_levels(order, marking, values);
    return kernel.contains(set, values);
  };
}

CycleSearch find_cycle(mdd::Kernel& kernel, const petri::Net& net, const PlaceOrder& order,
                       const std::vector<search::Step>& steps, const mdd::Set& starts,
                       const mdd::Set& within, std::size_t limit) {
  search::CycleFinder finder(net, steps, membership(kernel, within, order), limit);
  // Pieces of growing size: a cycle is usually found behind the first marking.
  mdd::Set rest = starts;
  for (std::size_t piece = 1; !rest.empty() && !finder.gave_up(); piece *= 4) {
    const auto some = first_markings(kernel, rest, piece);
    rest = kernel.subtract(rest, kernel.from_markings(some));
    for (std::size_t i = 0; i < some.size() && !finder.gave_up(); ++i) {
      const petri::Marking start = to_marking(order, some[i]);
      if (auto lasso = finder.behind(start)) return {FoundCycle{start, std::move(*lasso)}, false};
    }
  }
  return {std::nullopt, finder.gave_up()};
}

GrownPart grow(mdd::Kernel& kernel, const petri::Net& net, const PlaceOrder& order,
               const SearchSteps& steps, const petri::Marking& start, std::size_t limit,
               const std::function<void()>& poll) {
  const search::Part part = search::grow(net, steps.list, steps.kept, start, limit, poll);
  const std::ptrdiff_t deepest = part.beyond.empty() ? 0 : 1;
  return {to_set(kernel, order, part.inside), to_set(kernel, order, part.beyond),
          to_set(kernel, order, {part.beyond.begin(), part.beyond.begin() + deepest})};
}

}  // namespace mpisog::sog
