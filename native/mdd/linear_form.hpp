// A linear comparison in the form in which it is followed level by level.
#pragma once

#include <vector>

#include "types.hpp"

namespace mpisog::mdd {

using Wide = __int128;  // sums of coefficient * tokens over thousands of places

// Sum of terms, compared with a constant. What is left of it after some levels is a position among
// the terms and the rest of the constant.
class LinearForm {
 public:
  explicit LinearForm(const LinearConstraint& constraint);

  enum class Shape : std::uint8_t { kAtMost, kEqual, kDifferent };

  Shape shape() const { return shape_; }
  Wide constant() const { return constant_; }
  const std::vector<LinearTerm>& terms() const { return terms_; }  // sorted by level

  // Whether what is left holds whatever the places below hold, or never holds.
  bool decided(std::size_t position, Wide rest, bool& holds) const;

 private:
  Shape shape_ = Shape::kAtMost;
  Wide constant_;
  std::vector<LinearTerm> terms_;
  // Signs of all coefficients from a position on.
  std::vector<bool> rest_not_negative_, rest_not_positive_;
};

}  // namespace mpisog::mdd
