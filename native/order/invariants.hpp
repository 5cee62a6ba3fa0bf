// Linear dependencies between places, and what they cost a decision diagram.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "ordering.hpp"

namespace mpisog::order {

// A basis of the place invariants (weights of places whose weighted sum of tokens never changes)
// over a large prime field: exact enough to know which sets of places are tied together.
class Invariants {
 public:
  explicit Invariants(const Structure& net);

  std::size_t count() const { return columns_.empty() ? 0 : count_; }

  // How many independent sums of tokens the places before a cut and those behind it share, for each
  // cut: cuts[i] lies between positions i and i + 1. A diagram needs about bound^cuts[i] nodes
  // there.
  std::vector<std::uint32_t> shared_sums(const Order& order) const;

 private:
  using Sparse =
      std::vector<std::pair<std::uint32_t, std::uint32_t>>;  // (row, value), ascending rows
  std::vector<std::uint32_t> prefix_ranks(const Order& order, bool backwards) const;

  std::size_t count_ = 0;
  std::vector<Sparse> columns_;  // for each place its entries in the basis
};

}  // namespace mpisog::order
