#include "tests/audit/tiny_net.hpp"

#include <algorithm>
#include <sstream>

namespace mpisog::audit {

namespace {

constexpr std::uint32_t kNone = 0xffffffffU;

bool related(petri::Relation relation, std::int64_t left, std::int64_t right) {
  switch (relation) {
    case petri::Relation::le:
      return left <= right;
    case petri::Relation::ge:
      return left >= right;
    case petri::Relation::eq:
      return left == right;
    case petri::Relation::ne:
      return left != right;
    case petri::Relation::lt:
      return left < right;
    default:
      return left > right;
  }
}

bool holds(const TinyNet& net, const petri::Atom& atom, const Tokens& m) {
  if (const auto* comparison = std::get_if<petri::Comparison>(&atom)) {
    std::int64_t total = 0;
    for (const auto& [place, factor] : comparison->terms) total += factor * m[place];
    return related(comparison->relation, total, comparison->bound);
  }
  if (const auto* fireable = std::get_if<petri::Fireable>(&atom))
    return std::any_of(fireable->transitions.begin(), fireable->transitions.end(),
                       [&](std::uint32_t t) { return enabled(net.transitions[t], m); });
  return std::holds_alternative<petri::Dead>(atom) && is_dead(net, m);
}

std::string shown(const Tokens& tokens) {
  std::ostringstream text;
  for (std::size_t p = 0; p < kMostPlaces; ++p)
    if (tokens[p] != 0) text << " p" << p << '*' << tokens[p];
  return text.str();
}

}  // namespace

TinyNet to_tiny(const petri::Net& net) {
  TinyNet tiny;
  for (std::size_t p = 0; p < net.places(); ++p)
    tiny.initial.at(p) = static_cast<std::int32_t>(net.initial[p]);
  for (const petri::Transition& t : net.transitions) {
    Arrow arrow;
    for (const petri::Arc& arc : t.pre) arrow.pre.at(arc.place) += static_cast<int>(arc.weight);
    for (const petri::Arc& arc : t.post) arrow.post.at(arc.place) += static_cast<int>(arc.weight);
    tiny.transitions.push_back(arrow);
  }
  return tiny;
}

petri::Net to_petri(const TinyNet& net, std::size_t places) {
  petri::Net result;
  result.initial.assign(net.initial.begin(), net.initial.begin() + static_cast<int>(places));
  const auto arcs = [&](const Tokens& tokens) {
    std::vector<petri::Arc> list;
    for (std::uint32_t p = 0; p < places; ++p)
      if (tokens[p] != 0) list.push_back({p, tokens[p]});
    return list;
  };
  for (const Arrow& t : net.transitions) result.transitions.push_back({arcs(t.pre), arcs(t.post)});
  return result;
}

std::string shown(const TinyNet& net) {
  std::string text = "marked" + shown(net.initial);
  for (std::size_t t = 0; t < net.transitions.size(); ++t)
    text += "; t" + std::to_string(t) + shown(net.transitions[t].pre) + " ->" +
            shown(net.transitions[t].post);
  return text;
}

Letter letter(const TinyNet& net, const std::vector<petri::Atom>& atoms, const Tokens& m) {
  Letter found = 0;
  for (std::size_t number = 0; number < atoms.size(); ++number)
    if (holds(net, atoms[number], m)) found |= Letter{1} << number;
  return found;
}

Letter events(const std::vector<petri::Atom>& atoms, std::uint32_t transition) {
  Letter found = 0;
  for (std::size_t number = 0; number < atoms.size(); ++number)
    if (const auto* fire = std::get_if<petri::Fire>(&atoms[number]))
      if (fire->transition == transition) found |= Letter{1} << number;
  return found;
}

std::uint32_t Graph::index_of(const Tokens& m) {
  std::uint32_t hash = 0;
  for (const std::int32_t tokens : m)
    hash = (hash + static_cast<std::uint32_t>(tokens)) * 0x9e3779b1U;
  std::size_t slot = (hash >> 16U) % kSlots;
  for (; slots_[slot] != kNone; slot = (slot + 1) % kSlots)
    if (markings[slots_[slot]] == m) return slots_[slot];
  slots_[slot] = static_cast<std::uint32_t>(markings.size());
  used_.push_back(static_cast<std::uint32_t>(slot));
  markings.push_back(m);
  return slots_[slot];
}

bool Graph::covers_ancestor(std::uint32_t marking) const {
  const Tokens& m = markings[marking];
  for (std::uint32_t at = parent_[marking]; at != kNone; at = parent_[at]) {
    const Tokens& before = markings[at];
    if (before[0] <= m[0] && before[1] <= m[1] && before[2] <= m[2]) return true;
  }
  return false;
}

void Graph::explore(const TinyNet& net) {
  if (used_.empty()) slots_.fill(kNone);
  for (const std::uint32_t slot : used_) slots_[slot] = kNone;
  used_.clear();
  markings.clear();
  first_edge.clear();
  edges.clear();
  parent_.assign(1, kNone);
  std::size_t most = kMost;
  index_of(net.initial);
  for (std::uint32_t at = 0; at < markings.size(); ++at) {
    first_edge.push_back(static_cast<std::uint32_t>(edges.size()));
    for (std::uint32_t t = 0; t < net.transitions.size(); ++t) {
      const Tokens here = markings[at];
      if (!enabled(net.transitions[t], here)) continue;
      const Tokens next = fired(net.transitions[t], here);
      if (markings.size() >= most &&
          std::find(markings.begin(), markings.end(), next) == markings.end())
        continue;  // one of those that are left out
      const std::uint32_t target = index_of(next);
      if (target == parent_.size()) {
        parent_.push_back(at);
        if (most == kMost && covers_ancestor(target)) most = std::max(kEnough, markings.size());
      }
      edges.push_back({t, target});
    }
  }
  first_edge.push_back(static_cast<std::uint32_t>(edges.size()));
  complete = most == kMost && markings.size() < kMost;
}

}  // namespace mpisog::audit
