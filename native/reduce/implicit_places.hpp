// Places that never keep a transition from firing, because a weighted sum of others does.
#pragma once

#include <optional>

#include "reduce/working_net.hpp"

namespace mpisog::reduce {

// Looks for weights of other places such that every firing adds at least as much to a place as to
// the weighted sum, and the place has enough whenever the others have. The caller checks them: a
// mistake here may cost time, never a verdict. Of the net only places may go while it is used.
class ImplicitPlaces {
 public:
  // A transition that is endless must not add more to the place than to the sum: the place would be
  // unbounded, which would not be found out.
  ImplicitPlaces(const WorkingNet& net, std::vector<bool> endless);

  // The lightest weights that leave the fewest transitions to repair are looked at first, at most
  // `limit` of them.
  std::optional<Bag> weights(Index place, std::size_t limit);

 private:
  void balance(Index place, const Bag& weights);
  [[nodiscard]] bool good(Index place, const Bag& weights) const;
  [[nodiscard]] Number spare(Index place, const Bag& weights) const;
  [[nodiscard]] std::size_t losses(Index transition) const;

  const WorkingNet& net_;
  std::vector<bool> endless_;
  std::vector<Number> excess_;  // by transition, of the weights looked at
  std::vector<Index> touched_;  // where excess_ may not be zero
  std::vector<Index> open_;     // where it is positive
};

}  // namespace mpisog::reduce
