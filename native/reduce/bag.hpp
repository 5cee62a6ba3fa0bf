// Numbers by index, the nonzero ones only: tokens by place, or changes by transition.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace mpisog::reduce {

using Index = std::uint32_t;
using Number = std::int64_t;

struct Entry {
  Index at;
  Number amount;
  friend bool operator==(const Entry&, const Entry&) = default;
};

using Bag = std::vector<Entry>;  // ascending, each index once

inline Bag::const_iterator position(const Bag& bag, Index at) {
  return std::lower_bound(bag.begin(), bag.end(), at,
                          [](const Entry& entry, Index wanted) { return entry.at < wanted; });
}

inline Number amount(const Bag& bag, Index at) {
  const auto found = position(bag, at);
  return found != bag.end() && found->at == at ? found->amount : 0;
}

inline void erase(Bag& bag, Index at) {
  const auto found = position(bag, at);
  if (found != bag.end() && found->at == at) bag.erase(found);
}

// bag + factor * added, without what becomes zero.
inline Bag sum(const Bag& bag, const Bag& added, Number factor) {
  Bag total;
  total.reserve(bag.size() + added.size());
  auto a = bag.begin();
  auto b = added.begin();
  while (a != bag.end() || b != added.end()) {
    if (b == added.end() || (a != bag.end() && a->at < b->at)) {
      total.push_back(*a++);
    } else if (a == bag.end() || b->at < a->at) {
      total.push_back({b->at, factor * b->amount});
      ++b;
    } else {
      const Number both = a->amount + factor * b->amount;
      if (both != 0) total.push_back({a->at, both});
      ++a, ++b;
    }
  }
  return total;
}

inline bool at_most(const Bag& small, const Bag& large) {
  return std::all_of(small.begin(), small.end(),
                     [&](const Entry& e) { return e.amount <= amount(large, e.at); });
}

inline Number largest(const Bag& bag) {
  Number most = 0;
  for (const Entry& entry : bag) most = std::max(most, entry.amount);
  return most;
}

inline std::size_t hash(const Bag& bag) {
  std::uint64_t value = bag.size();
  for (const Entry& entry : bag)
    for (const std::uint64_t part : {std::uint64_t{entry.at}, std::uint64_t(entry.amount)})
      value = (value ^ (part + 0x9e3779b97f4a7c15U + (value << 6))) * 0xff51afd7ed558ccdU;
  return static_cast<std::size_t>(value ^ (value >> 32));
}

}  // namespace mpisog::reduce
