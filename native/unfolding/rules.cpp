#include "unfolding/rules.hpp"

#include <algorithm>

namespace mpisog::unfolding {

std::uint64_t scatter(std::uint64_t number) noexcept {  // splitmix64
  number += 0x9E3779B97F4A7C15U;
  number = (number ^ (number >> 30)) * 0xBF58476D1CE4E5B9U;
  number = (number ^ (number >> 27)) * 0x94D049BB133111EBU;
  return number ^ (number >> 31);
}

Rules::Rules(const petri::Net& net, const std::vector<Role>& roles, bool with_moves)
    : token_(static_cast<std::uint32_t>(net.places())) {
  for (std::uint32_t p = 0; p < net.places(); ++p)
    for (std::int64_t tokens = 0; tokens < std::min<std::int64_t>(net.initial[p], 2); ++tokens)
      initial_.push_back(p);
  consumers_.resize(net.places() + 1);
  // A transition without inputs takes and gives back a token of its own.
  for (const petri::Transition& transition : net.transitions) {
    own_place_.push_back(kNone);
    if (!transition.pre.empty()) continue;
    own_place_.back() = static_cast<std::uint32_t>(consumers_.size());
    initial_.push_back(own_place_.back());
    consumers_.emplace_back();
  }
  for (std::uint32_t t = 0; t < net.transitions.size(); ++t) {
    if (roles[t] != Role::visible) add(net, t, false, false);
    if (with_moves && roles[t] != Role::invisible) add(net, t, true, roles[t] == Role::copied);
  }
}

void Rules::add(const petri::Net& net, std::uint32_t t, bool moves, bool must_change) {
  const petri::Transition& transition = net.transitions[t];
  Rule rule{t, moves, must_change, 0, {}, {}};
  for (const petri::Arc& arc : transition.pre) {
    if (arc.weight > 1) return;  // never enabled in a 1-safe net
    rule.inputs.push_back(arc.place);
  }
  for (const petri::Arc& arc : transition.post)
    for (std::int64_t i = 0; i < std::min<std::int64_t>(arc.weight, 2); ++i)
      rule.outputs.push_back(arc.place);
  if (own_place_[t] != kNone) {
    rule.inputs.push_back(own_place_[t]);
    rule.outputs.push_back(own_place_[t]);
  }
  for (const std::uint32_t p : rule.inputs) rule.effect -= scatter(p);
  for (const std::uint32_t p : rule.outputs) rule.effect += scatter(p);
  if (moves) {
    rule.inputs.push_back(token_);
    rule.outputs.push_back(token_);
  }
  const auto number = static_cast<std::uint32_t>(rules_.size());
  for (const std::uint32_t p : rule.inputs) consumers_[p].push_back(number);
  rules_.push_back(std::move(rule));
}

}  // namespace mpisog::unfolding
