// Places that never keep a transition from firing, because a weighted sum of others does.
#pragma once

#include <optional>

#include "petri/net.hpp"

namespace mpisog::reduce {

using Place = std::uint32_t;
using Weights = std::vector<std::pair<Place, std::int64_t>>;  // ascending places

// Looks for weights of other places such that every firing adds at least as much to a place as to
// the weighted sum, and the place has enough whenever the others have. The caller checks them: a
// mistake here may cost time, never a verdict.
class ImpliedPlaces {
 public:
  // A transition that is endless must not add more to the place than to the sum: the place would be
  // unbounded, and nobody would find out.
  ImpliedPlaces(const petri::Net& net, const std::vector<std::uint32_t>& endless);

  // The lightest weights that leave the fewest transitions to repair are looked at first, at most
  // `limit` of them.
  std::optional<Weights> weights(Place place, std::size_t limit);

  // The place is no longer there for others.
  void remove(Place place) { removed_[place] = true; }

 private:
  struct Change {
    std::uint32_t transition;
    std::int64_t amount;
  };

  void balance(Place place, const Weights& weights);
  bool good(Place place, const Weights& weights) const;
  std::int64_t spare(Place place, const Weights& weights) const;
  std::int64_t needed(std::uint32_t transition, Place place) const;

  const petri::Net& net_;
  std::vector<bool> endless_;
  std::vector<bool> removed_;
  std::vector<std::vector<Change>> changes_;        // by place
  std::vector<std::vector<std::uint32_t>> takers_;  // by place
  std::vector<std::vector<Place>> losing_;          // by transition: the places it takes from
  std::vector<std::int64_t> excess_;                // by transition, of the weights looked at
  std::vector<std::uint32_t> touched_;              // where excess_ may not be zero
  std::vector<std::uint32_t> open_;                 // where it is positive
};

}  // namespace mpisog::reduce
