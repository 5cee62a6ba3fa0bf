#include "linear_form.hpp"

#include <algorithm>

namespace mpisog::mdd {

namespace {

std::vector<LinearTerm> merged_terms(std::vector<LinearTerm> terms) {
  std::sort(terms.begin(), terms.end(),
            [](const LinearTerm& a, const LinearTerm& b) { return a.level < b.level; });
  std::vector<LinearTerm> merged;
  for (const LinearTerm& term : terms) {
    if (!merged.empty() && merged.back().level == term.level) {
      merged.back().coefficient += term.coefficient;
    } else {
      merged.push_back(term);
    }
  }
  std::erase_if(merged, [](const LinearTerm& t) { return t.coefficient == 0; });
  return merged;
}

}  // namespace

LinearForm::LinearForm(const LinearConstraint& constraint)
    : constant_(constraint.constant), terms_(merged_terms(constraint.terms)) {
  bool negate = false;
  switch (constraint.comparison) {
    case Comparison::kLess:
      constant_ -= 1;
      break;
    case Comparison::kLessEqual:
      break;
    case Comparison::kEqual:
      shape_ = Shape::kEqual;
      break;
    case Comparison::kNotEqual:
      shape_ = Shape::kDifferent;
      break;
    case Comparison::kGreaterEqual:
      negate = true;
      break;
    case Comparison::kGreater:
      negate = true;
      constant_ += 1;
      break;
  }
  if (negate) {
    constant_ = -constant_;
    for (LinearTerm& term : terms_) term.coefficient = -term.coefficient;
  }
  rest_not_negative_.assign(terms_.size() + 1, true);
  rest_not_positive_.assign(terms_.size() + 1, true);
  for (std::size_t i = terms_.size(); i-- > 0;) {
    rest_not_negative_[i] = rest_not_negative_[i + 1] && terms_[i].coefficient >= 0;
    rest_not_positive_[i] = rest_not_positive_[i + 1] && terms_[i].coefficient <= 0;
  }
}

// What is left of the sum is at least (at most) 0 when no coefficient is negative (positive).
bool LinearForm::decided(std::size_t position, Wide rest, bool& holds) const {
  const bool at_least_zero = rest_not_negative_[position];
  const bool at_most_zero = rest_not_positive_[position];
  const bool never_reached = (at_least_zero && rest < 0) || (at_most_zero && rest > 0);
  if (shape_ == Shape::kAtMost) {
    holds = at_most_zero && rest >= 0;
    return holds || (at_least_zero && rest < 0);
  }
  holds = (shape_ == Shape::kDifferent) == never_reached;
  if (never_reached) return true;
  holds = shape_ == Shape::kEqual;
  return position == terms_.size();  // nothing left: the rest is 0 here
}

}  // namespace mpisog::mdd
