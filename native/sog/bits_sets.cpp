#include "sog/bits_sets.hpp"

#include <algorithm>
#include <span>

namespace mpisog::sog {

std::vector<std::pair<Label, BitsSets::Set>> BitsSets::split_from(const Set& set,
                                                                  std::size_t first) {
  const std::size_t count = std::min(atoms_.list.size() - first, bits::kMostSplitting);
  const std::span<const bits::Truth* const> some(atoms_.list.data() + first, count);
  std::vector<std::pair<Label, Set>> classes;
  for (bits::Part& part : bits::split(*graph_, *set, some)) {
    Label label(count);
    for (std::size_t i = 0; i < count; ++i) label[i] = ((part.label >> i) & 1U) != 0;
    Set states(std::move(part.states));
    if (first + count == atoms_.list.size()) {
      classes.emplace_back(std::move(label), std::move(states));
      continue;
    }
    for (auto& [rest, piece] : split_from(states, first + count)) {
      Label whole = label;
      whole.insert(whole.end(), rest.begin(), rest.end());
      classes.emplace_back(std::move(whole), std::move(piece));
    }
  }
  return classes;
}

}  // namespace mpisog::sog
