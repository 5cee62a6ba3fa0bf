#include "invariants.hpp"

#include <algorithm>

namespace mpisog::order {

namespace {

constexpr std::uint64_t kPrime = 2147483647;  // 2^31 - 1

std::uint32_t times(std::uint64_t a, std::uint64_t b) {
  return static_cast<std::uint32_t>(a * b % kPrime);
}
std::uint32_t minus(std::uint32_t a, std::uint32_t b) {
  return static_cast<std::uint32_t>((a + kPrime - b) % kPrime);
}

std::uint32_t inverse(std::uint32_t a) {
  std::uint32_t result = 1;
  std::uint32_t power = a;
  for (std::uint64_t exponent = kPrime - 2; exponent > 0; exponent >>= 1) {
    if ((exponent & 1) != 0) result = times(result, power);
    power = times(power, power);
  }
  return result;
}

using Vector = std::vector<std::uint32_t>;

void subtract_multiple(Vector& from, const Vector& what, std::uint32_t factor) {
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (what[i] != 0) from[i] = minus(from[i], times(what[i], factor));
  }
}

// Row vectors in echelon form: each has a pivot, at which it is 1 and all others are 0 (once
// reduced).
class Echelon {
 public:
  explicit Echelon(std::size_t width) : row_of_pivot_(width, -1) {}

  bool add(Vector row) {
    reduce(row);
    const auto pivot = std::find_if(row.begin(), row.end(), [](std::uint32_t x) { return x != 0; });
    if (pivot == row.end()) return false;
    const auto at = static_cast<std::size_t>(pivot - row.begin());
    const std::uint32_t scale = inverse(*pivot);
    for (std::uint32_t& x : row) x = times(x, scale);
    for (Vector& other : rows_) {
      if (other[at] != 0) subtract_multiple(other, row, other[at]);
    }
    row_of_pivot_[at] = static_cast<int>(rows_.size());
    rows_.push_back(std::move(row));
    return true;
  }
  void reduce(Vector& row) const {
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (row[i] != 0 && row_of_pivot_[i] >= 0)
        subtract_multiple(row, rows_[static_cast<std::size_t>(row_of_pivot_[i])], row[i]);
    }
  }
  const std::vector<Vector>& rows() const { return rows_; }
  int row_of_pivot(std::size_t i) const { return row_of_pivot_[i]; }

 private:
  std::vector<Vector> rows_;
  std::vector<int> row_of_pivot_;
};

Vector dense(const std::vector<Arc>& arcs, std::size_t places) {
  Vector row(places, 0);
  for (const auto& [place, needed, delta] : arcs) {
    const std::int64_t residue = delta % static_cast<std::int64_t>(kPrime);
    row[place] = static_cast<std::uint32_t>(
        residue < 0 ? residue + static_cast<std::int64_t>(kPrime) : residue);
  }
  return row;
}

}  // namespace

Invariants::Invariants(const Structure& net) : columns_(net.places) {
  Echelon effects(net.places);
  for (const auto& arcs : net.transitions) effects.add(dense(arcs, net.places));
  // The echelon rows read as equations: places without a pivot are free and give one invariant
  // each.
  for (Place free = 0; free < net.places; ++free) {
    if (effects.row_of_pivot(free) >= 0) continue;
    const auto row = static_cast<std::uint32_t>(count_++);
    columns_[free].emplace_back(row, 1);
    for (Place p = 0; p < net.places; ++p) {
      const int pivot_row = effects.row_of_pivot(p);
      if (pivot_row < 0) continue;
      const std::uint32_t value = effects.rows()[static_cast<std::size_t>(pivot_row)][free];
      if (value != 0) columns_[p].emplace_back(row, minus(0, value));
    }
  }
}

std::vector<std::uint32_t> Invariants::prefix_ranks(const Order& order, bool backwards) const {
  std::vector<std::uint32_t> ranks(order.size());
  std::vector<Vector> basis(count_);  // by pivot
  Vector column(count_);
  std::uint32_t rank = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Place place = backwards ? order[order.size() - 1 - i] : order[i];
    if (rank < count_) {
      std::fill(column.begin(), column.end(), 0U);
      for (const auto& [row, value] : columns_[place]) column[row] = value;
      for (std::size_t k = 0; k < count_; ++k) {
        if (column[k] == 0) continue;
        if (!basis[k].empty()) {
          subtract_multiple(column, basis[k], column[k]);
          continue;
        }
        const std::uint32_t scale = inverse(column[k]);
        for (std::uint32_t& x : column) x = times(x, scale);
        basis[k] = column;
        ++rank;
        break;
      }
    }
    ranks[i] = rank;
  }
  return ranks;
}

std::vector<std::uint32_t> Invariants::shared_sums(const Order& order) const {
  const std::vector<std::uint32_t> before = prefix_ranks(order, false);
  const std::vector<std::uint32_t> behind = prefix_ranks(order, true);
  std::vector<std::uint32_t> shared(order.empty() ? 0 : order.size() - 1);
  for (std::size_t i = 0; i < shared.size(); ++i) {
    shared[i] = before[i] + behind[order.size() - 2 - i] - static_cast<std::uint32_t>(count_);
  }
  return shared;
}

}  // namespace mpisog::order
