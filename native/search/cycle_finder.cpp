#include "search/cycle_finder.hpp"

namespace mpisog::search {

// The last step of the topmost frame leads to a marking that is still on the stack.
CycleFinder::Lasso CycleFinder::lasso(const std::vector<Frame>& stack,
                                      const petri::Marking& meeting) const {
  Lasso found{meeting, {}, {}};
  bool in_cycle = false;
  for (const Frame& frame : stack) {
    in_cycle = in_cycle || *frame.marking == meeting;
    (in_cycle ? found.cycle : found.stem).push_back(steps_[frame.next_step - 1].transition);
  }
  return found;
}

std::optional<CycleFinder::Lasso> CycleFinder::behind(const petri::Marking& start) {
  gave_up_ = gave_up_ || seen_.size() >= limit_;
  if (gave_up_) return std::nullopt;
  const auto [root, is_new] = seen_.try_emplace(start, Colour::open);
  if (!is_new) return std::nullopt;
  std::vector<Frame> stack{{&root->first, 0}};
  petri::Marking next;
  while (!stack.empty()) {
    Frame& frame = stack.back();
    if (frame.next_step == steps_.size()) {
      seen_.find(*frame.marking)->second = Colour::done;
      stack.pop_back();
      continue;
    }
    if (!take(net_, steps_[frame.next_step++], *frame.marking, next)) continue;
    const auto known = seen_.find(next);
    if (known != seen_.end()) {
      if (known->second == Colour::open) return lasso(stack, next);
      continue;
    }
    if (!within_(next)) continue;
    if (seen_.size() >= limit_) {
      gave_up_ = true;
      return std::nullopt;
    }
    stack.push_back({&seen_.emplace(next, Colour::open).first->first, 0});
  }
  return std::nullopt;
}

}  // namespace mpisog::search
