#include "sog/bits_sets.hpp"

#include <algorithm>
#include <span>

#include "bits/bytes.hpp"

namespace mpisog::sog {

// Whole: whoever makes a name of it may shorten it.
std::string BitsSets::fingerprint(const Set& set) { return serialise(set); }

std::string BitsSets::serialise(const Set& set) { return bits::serialise(*graph_, *set); }

BitsSets::Set BitsSets::deserialise(std::string_view bytes) {
  const auto* const from = reinterpret_cast<const unsigned char*>(bytes.data());
  return Set(bits::deserialise(*graph_, {from, bytes.size()}));
}

std::vector<std::uint64_t> BitsSets::tokens(const Set& set,
                                            const std::vector<std::uint32_t>& places) {
  const petri::Marking marking = graph_->marking(set->smallest());
  std::vector<std::uint64_t> found;
  for (const std::uint32_t place : places)
    found.push_back(static_cast<std::uint64_t>(marking[place]));
  return found;
}

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
