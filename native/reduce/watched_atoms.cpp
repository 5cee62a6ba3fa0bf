#include "reduce/watched_atoms.hpp"

#include <limits>
#include <map>

namespace mpisog::reduce {

namespace {

constexpr Number kLargest = std::numeric_limits<Number>::max() / 4;

}  // namespace

WatchedAtoms::WatchedAtoms(const std::vector<petri::Atom>& atoms, std::size_t places,
                           std::size_t transitions)
    : atoms_(atoms), factors_(places), askers_(transitions), events_(transitions) {
  for (Index number = 0; number < atoms.size(); ++number) {
    const petri::Atom& atom = atoms[number];
    if (const auto* comparison = std::get_if<petri::Comparison>(&atom)) {
      for (const auto& [place, factor] : comparison->terms)
        factors_.at(place) = sum(factors_[place], {{number, factor}}, 1);
    } else if (const auto* fireable = std::get_if<petri::Fireable>(&atom)) {
      for (const Index t : fireable->transitions)
        if (askers_.at(t).empty() || askers_[t].back() != number) askers_[t].push_back(number);
    } else if (const auto* fire = std::get_if<petri::Fire>(&atom)) {
      events_.at(fire->transition) = number;
    } else {
      has_dead_ = true;
    }
  }
}

bool WatchedAtoms::changes_with(const Bag& effect) const {
  std::map<Index, Number> totals;
  for (const auto& [place, change] : effect)
    for (const auto& [number, factor] : factors_[place]) {
      Number product = 0;
      Number& total = totals[number];
      if (__builtin_mul_overflow(factor, change, &product) ||
          __builtin_add_overflow(total, product, &total))
        return true;
    }
  return std::any_of(totals.begin(), totals.end(), [](const auto& t) { return t.second != 0; });
}

bool WatchedAtoms::can_substitute(Index place, Number tokens) const {
  return std::all_of(factors_[place].begin(), factors_[place].end(), [&](const Entry& entry) {
    const Number bound = std::get<petri::Comparison>(atoms_[entry.at]).bound;
    Number product = 0;
    Number moved = 0;
    return !__builtin_mul_overflow(entry.amount, tokens, &product) &&
           !__builtin_sub_overflow(bound, product, &moved) && moved <= kLargest &&
           moved >= -kLargest;
  });
}

void WatchedAtoms::substitute(Index place, Number tokens) {
  for (const auto& [number, factor] : factors_[place])
    std::get<petri::Comparison>(atoms_[number]).bound -= factor * tokens;
  factors_[place].clear();
}

void WatchedAtoms::express(Index place, Index other, Number more) {
  factors_[other] = sum(factors_[other], factors_[place], 1);
  substitute(place, more);
}

void WatchedAtoms::add_transition() {
  askers_.emplace_back();
  events_.emplace_back();
}

void WatchedAtoms::bequeath(Index transition, Index heir) {
  for (const Index number : askers_[transition]) {
    auto& askers = askers_[heir];
    if (std::find(askers.begin(), askers.end(), number) == askers.end()) askers.push_back(number);
  }
  forget(transition);
}

void WatchedAtoms::forget(Index transition) {
  askers_[transition].clear();
  events_[transition].reset();
}

std::vector<BoundAtom> WatchedAtoms::bound(const std::vector<Index>& places,
                                           const std::vector<Index>& transitions,
                                           const std::vector<bool>& always) const {
  std::vector<BoundAtom> result(atoms_.size(), BoundAtom{false});
  std::vector<petri::Comparison> comparisons(atoms_.size());
  for (Index place = 0; place < factors_.size(); ++place)
    for (const auto& [number, factor] : factors_[place])
      comparisons[number].terms.emplace_back(places[place], factor);
  std::vector<petri::Fireable> fireable(atoms_.size());
  std::vector<bool> certain(atoms_.size());
  for (Index t = 0; t < askers_.size(); ++t)
    for (const Index number : askers_[t]) {
      fireable[number].transitions.push_back(transitions[t]);
      if (always[t]) certain[number] = true;
    }
  for (Index number = 0; number < atoms_.size(); ++number) {
    if (const auto* comparison = std::get_if<petri::Comparison>(&atoms_[number])) {
      petri::Comparison& left = comparisons[number];
      left.relation = comparison->relation;
      left.bound = comparison->bound;
      if (left.terms.empty())
        result[number] = petri::compare(0, left.relation, left.bound);
      else
        result[number] = petri::Atom{std::move(left)};
    } else if (std::holds_alternative<petri::Fireable>(atoms_[number])) {
      if (certain[number] || fireable[number].transitions.empty())
        result[number] = BoundAtom{bool{certain[number]}};
      else
        result[number] = petri::Atom{std::move(fireable[number])};
    } else if (std::holds_alternative<petri::Dead>(atoms_[number])) {
      result[number] = petri::Atom{petri::Dead{}};
    }
  }
  for (Index t = 0; t < events_.size(); ++t)
    if (events_[t]) result[*events_[t]] = petri::Atom{petri::Fire{transitions[t]}};
  return result;
}

}  // namespace mpisog::reduce
