#include "petri/flat_net.hpp"

#include <algorithm>

namespace mpisog::petri {

namespace {

// The factor of a place's tokens (splitmix64 twice). For a difference of two markings, at least one
// place of which differs by less than 2^31, the combination vanishes for one factor in 2^97.
Fingerprint factor_of(std::uint64_t place) {
  const auto mix = [](std::uint64_t x) {
    x += 0x9E3779B97F4A7C15ULL;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ULL;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBULL;
    return x ^ (x >> 31);
  };
  const std::uint64_t high = mix(2 * place + 0x5DEECE66DULL);
  const std::uint64_t low = mix(high ^ mix(2 * place + 1));
  return Fingerprint{high} << 64 | low;
}

Fingerprint times(std::uint64_t place, std::int64_t tokens) {
  return factor_of(place) * static_cast<Fingerprint>(tokens);  // modulo 2^128
}

// By place: where its entries begin, once `for_each` has named the place of every entry.
template <class ForEach>
std::vector<std::uint32_t> offsets(std::size_t places, ForEach&& for_each) {
  std::vector<std::uint32_t> begin(places + 1, 0);
  for_each([&](std::uint32_t place) { ++begin[place + 1]; });
  for (std::size_t p = 0; p < places; ++p) begin[p + 1] += begin[p];
  return begin;
}

}  // namespace

FlatNet::FlatNet(const Net& net, unsigned bits) : initial_(net.initial) {
  compile_transitions(net);
  compile_places();
  compile_fingerprints(bits);
}

void FlatNet::compile_transitions(const Net& net) {
  std::vector<Change> changes;
  for (const Transition& t : net.transitions) {
    pre_begin_.push_back(static_cast<std::uint32_t>(pre_.size()));
    effect_begin_.push_back(static_cast<std::uint32_t>(effect_.size()));
    pre_.insert(pre_.end(), t.pre.begin(), t.pre.end());
    changes.clear();
    for (const Arc& arc : t.pre) changes.push_back({arc.place, -arc.weight});
    for (const Arc& arc : t.post) changes.push_back({arc.place, arc.weight});
    std::sort(changes.begin(), changes.end(),
              [](const Change& a, const Change& b) { return a.place < b.place; });
    for (std::size_t i = 0; i < changes.size();) {
      Change sum{changes[i].place, 0};
      for (; i < changes.size() && changes[i].place == sum.place; ++i)
        sum.tokens += changes[i].tokens;
      if (sum.tokens != 0) effect_.push_back(sum);
    }
  }
  pre_begin_.push_back(static_cast<std::uint32_t>(pre_.size()));
  effect_begin_.push_back(static_cast<std::uint32_t>(effect_.size()));
}

void FlatNet::compile_places() {
  takers_begin_ = offsets(places(), [&](const auto& count) {
    for (const Arc& arc : pre_) count(arc.place);
  });
  changers_begin_ = offsets(places(), [&](const auto& count) {
    for (const Change& change : effect_) count(change.place);
  });
  takers_.resize(pre_.size());
  changers_.resize(effect_.size());
  std::vector<std::uint32_t> next_taker = takers_begin_;
  std::vector<std::uint32_t> next_changer = changers_begin_;
  for (std::uint32_t t = 0; t < transitions(); ++t) {
    for (const Arc& arc : pre(t)) takers_[next_taker[arc.place]++] = {t, arc.weight};
    for (const Change& c : effect(t)) changers_[next_changer[c.place]++] = {t, c.tokens};
  }
}

void FlatNet::compile_fingerprints(unsigned bits) {
  const auto add = [bits](Fingerprint& sum, std::uint32_t place, std::int64_t tokens) {
    sum += times(place, tokens) << (128 - bits);
  };
  for (std::uint32_t p = 0; p < places(); ++p) add(initial_fingerprint_, p, initial_[p]);
  steps_.resize(transitions());
  for (std::uint32_t t = 0; t < transitions(); ++t)
    for (const Change& change : effect(t)) add(steps_[t], change.place, change.tokens);
}

}  // namespace mpisog::petri
