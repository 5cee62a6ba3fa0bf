#include "product/bridges.hpp"

#include <algorithm>
#include <set>

namespace mpisog::product {

namespace {

constexpr std::size_t kMostBytes = std::size_t{1} << 28;
constexpr std::size_t kMostStates = 64;
// Markings that a search looks at: few at first, more when these lead nowhere any more.
constexpr std::size_t kFirstLook = 256;
constexpr std::size_t kGrowth = 4;
constexpr std::size_t kLastLook = std::size_t{1} << 20;
// Bridges of one search that are tried.
constexpr std::size_t kTries = 4;

}  // namespace

Bridges::Bridges(const petri::Net& net, Moves& moves, Reads reads)
    : space_(net, petri::Bounds::ignored), moves_(moves), reads_(reads) {}

bool Bridges::shorten(Firings& run, std::size_t begin, std::size_t end, bool repeats,
                      Allowance& allowance, const Check& check) {
  if (moves_.automaton().edges.size() > kMostStates) return false;
  bool shorter = false;
  for (std::size_t most = kFirstLook; most <= kLastLook; most *= kGrowth) {
    complete_ = true;
    follow(run, begin, end, repeats);
    for (std::size_t at = begin; at + 1 < end;) {
      if (allowance.spent() || space_.store().bytes() > kMostBytes) return shorter;
      const auto bridges = search(at, end, most, allowance);
      const auto good = std::find_if(bridges.begin(), bridges.end(), [&](const Bridge& bridge) {
        return check(bridged(run, at, bridge));
      });
      if (good == bridges.end()) {
        ++at;
        continue;
      }
      run = bridged(run, at, *good);
      end -= good->saved;
      follow(run, begin, end, repeats);
      shorter = true;
    }
    if (complete_) break;
  }
  return shorter;
}

void Bridges::follow(const Firings& run, std::size_t begin, std::size_t end, bool repeats) {
  markings_.assign(1, petri::StateSpace::initial());
  states_.assign(1, StateSet{1} << moves_.automaton().initial);
  for (std::size_t i = 0; i < end; ++i) {
    states_.push_back(after(markings_[i], run[i], states_[i]));
    markings_.push_back(space_.fire(markings_[i], run[i]));
  }
  while (repeats && (states_[end] & ~states_[begin]) != 0) {
    states_[begin] |= states_[end];
    for (std::size_t i = begin; i < end; ++i)
      states_[i + 1] |= after(markings_[i], run[i], states_[i]);
  }
  last_.clear();
  for (std::size_t i = begin; i <= end; ++i) last_[markings_[i]] = i;
}

std::vector<Bridges::Bridge> Bridges::search(std::size_t from, std::size_t end, std::size_t most,
                                             Allowance& allowance) {
  std::vector<Bridge> found;
  std::set<std::pair<petri::StateId, StateSet>> seen;
  visits_.assign(1, {markings_[from], states_[from], 0, kNoTransition, 0});
  const auto note = [&](std::size_t visit, std::size_t to) {
    const std::size_t here = from + visits_[visit].depth;
    if (to > here) found.push_back({to, visit, to - here});
  };
  const auto reach = [&](std::size_t visit) {
    const auto later = last_.find(visits_[visit].marking);
    if (later != last_.end()) note(visit, later->second);
  };
  reach(0);
  for (std::size_t i = 0; i < visits_.size() && from + visits_[i].depth + 1 < end; ++i) {
    if (i >= most || allowance.spent()) {
      complete_ = false;
      break;
    }
    const Visit here = visits_[i];
    for (const petri::Successor& next : space_.expand(here.marking, space_.all_transitions())) {
      const StateSet states = after(here.marking, next.transition, here.states);
      if (states == 0 && reads_ == Reads::accepted) continue;
      if (!seen.emplace(next.target, states).second) continue;
      visits_.push_back({next.target, states, i, next.transition, here.depth + 1});
      if (reads_ == Reads::bad_prefixes && hopeless(next.target, states))
        note(visits_.size() - 1, end);
      else
        reach(visits_.size() - 1);
    }
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const Bridge& a, const Bridge& b) { return a.saved > b.saved; });
  if (found.size() > kTries) found.resize(kTries);
  return found;
}

Bridges::Firings Bridges::bridged(const Firings& run, std::size_t from,
                                  const Bridge& bridge) const {
  Firings way;
  for (std::size_t i = bridge.visit; i != 0; i = visits_[i].from)
    way.push_back(visits_[i].transition);
  Firings firings(run.begin(), run.begin() + static_cast<std::ptrdiff_t>(from));
  firings.insert(firings.end(), way.rbegin(), way.rend());
  firings.insert(firings.end(), run.begin() + static_cast<std::ptrdiff_t>(bridge.to), run.end());
  return firings;
}

Bridges::StateSet Bridges::after(petri::StateId marking, std::uint32_t transition,
                                 StateSet states) {
  StateSet reached = 0;
  for (std::uint32_t q = 0; q < moves_.automaton().edges.size(); ++q)
    if ((states >> q & 1U) != 0)
      for (const auto& edge : moves_.edges(label(marking), transition, q))
        reached |= StateSet{1} << edge.target;
  return reached;
}

bool Bridges::hopeless(petri::StateId marking, StateSet states) {
  for (std::uint32_t q = 0; q < moves_.automaton().edges.size(); ++q)
    if ((states >> q & 1U) != 0 && !moves_.stuck(label(marking), q)) return false;
  return true;
}

Moves::Label Bridges::label(petri::StateId marking) {
  if (labels_.size() <= marking) labels_.resize(std::size_t{marking} + 1);
  if (!labels_[marking])
    labels_[marking] = moves_.label(space_.layout(), space_.store().at(marking));
  return *labels_[marking];
}

}  // namespace mpisog::product
