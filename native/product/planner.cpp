#include "product/planner.hpp"

#include <algorithm>

namespace mpisog::product {

namespace {

constexpr std::uint32_t kNever = 0xFFFFFFFFU;
constexpr double kFar = 1e12;
// A plan says how often to fire up to here; what is left is planned again.
constexpr std::uint32_t kMostTimes = 1000;

std::uint32_t times_for(petri::Wide lack, petri::Wide gain) {
  const petri::Wide times = (lack + gain - 1) / gain;
  return static_cast<std::uint32_t>(std::clamp<petri::Wide>(times, 1, kMostTimes));
}

}  // namespace

Planner::Planner(const petri::FlatNet& net, const Automaton& automaton,
                 const std::vector<petri::Atom>& atoms)
    : net_(net), automaton_(automaton), atoms_(atoms) {}

void Planner::plan(const petri::TokenGame& game, Letters& letters, std::uint32_t state,
                   std::vector<std::uint32_t>& steps) {
  steps.clear();
  const std::uint32_t goal = automaton_.goals[state];
  if (goal <= 1) return;
  spread(game);
  chosen_.clear();
  times_.resize(net_.transitions(), 0);
  for (const Literal& literal : cheapest(letters, game, goal)) {
    const Choice choice = change(literal.atom, literal.truth, letters, game);
    if (choice.transition == kNever) continue;
    const petri::Atom& atom = atoms_[literal.atom];
    if (const auto* comparison = std::get_if<petri::Comparison>(&atom))
      need_shift(*comparison, choice);
    else if (const auto* fireable = std::get_if<petri::Fireable>(&atom); !fireable)
      need(choice.transition, 1);
    else if (literal.truth)
      need_inputs(choice.transition, game);
    else
      need_disabled(*fireable, game);
  }
  // Chosen transitions need others: a loop, since chains are as long as the net.
  for (std::size_t i = 0; i < chosen_.size(); ++i) need_inputs(chosen_[i], game);
  std::stable_sort(chosen_.begin(), chosen_.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return layer_[a] > layer_[b]; });
  for (const std::uint32_t t : chosen_) {
    steps.insert(steps.end(), times_[t], t);
    times_[t] = 0;
  }
}

// Which transitions can be had in how many layers.
void Planner::spread(const petri::TokenGame& game) {
  layer_.assign(net_.transitions(), kNever);
  supporter_.assign(net_.places(), kNever);
  missing_ = game.missing();
  queue_.clear();
  for (std::uint32_t t = game.enabled().at_or_after(0); t != petri::IndexSet::kNone;
       t = game.enabled().at_or_after(t + 1)) {
    layer_[t] = 0;
    queue_.push_back(t);
  }
  for (std::size_t i = 0; i < queue_.size(); ++i) {
    const std::uint32_t t = queue_[i];
    for (const petri::Change& change : net_.effect(t)) {
      if (change.tokens < 0 || supporter_[change.place] != kNever) continue;
      supporter_[change.place] = t;
      for (const petri::Taker& taker : net_.takers(change.place)) {
        if (game.tokens(change.place) >= taker.weight || --missing_[taker.transition] != 0)
          continue;
        layer_[taker.transition] = layer_[t] + 1;
        queue_.push_back(taker.transition);
      }
    }
  }
}

// The literals of the cheapest way through the condition that do not hold yet.
std::vector<Planner::Literal> Planner::cheapest(Letters& letters, const petri::TokenGame& game,
                                                std::uint32_t goal) {
  const std::vector<bool>& truth = letters.truth();
  std::vector<Cost> to_be[2] = {std::vector<Cost>(atoms_.size()), std::vector<Cost>(atoms_.size())};
  for (std::uint32_t i = 0; i < atoms_.size(); ++i)
    for (const bool wanted : {false, true})
      if (truth[i] != wanted) to_be[wanted ? 1 : 0][i] = change(i, wanted, letters, game).cost;
  std::vector<Cost> cost(goal + 1, kFar);
  cost[1] = 0;
  const auto low_is_nearer = [&](const Automaton::Node& node) {
    return to_be[0][node.atom] + cost[node.low] <= to_be[1][node.atom] + cost[node.high];
  };
  for (std::uint32_t n = 2; n <= goal; ++n) {  // a node comes after those it leads to
    const Automaton::Node& node = automaton_.nodes[n];
    cost[n] = std::min(
        {kFar, to_be[0][node.atom] + cost[node.low], to_be[1][node.atom] + cost[node.high]});
  }
  std::vector<Literal> literals;
  if (cost[goal] >= kFar) return literals;
  for (std::uint32_t n = goal; n > 1;) {
    const Automaton::Node& node = automaton_.nodes[n];
    const bool wanted = !low_is_nearer(node);
    if (truth[node.atom] != wanted) literals.push_back({node.atom, wanted});
    n = wanted ? node.high : node.low;
  }
  return literals;
}

Planner::Choice Planner::change(std::uint32_t atom, bool truth, const Letters& letters,
                                const petri::TokenGame& game) const {
  constexpr Choice kUnknownCost{0, kNever};
  if (const auto* fire = std::get_if<petri::Fire>(&atoms_[atom]))
    return truth ? nearest({fire->transition}) : kUnknownCost;
  if (const auto* fireable = std::get_if<petri::Fireable>(&atoms_[atom])) {
    if (truth) return nearest(fireable->transitions);
    Choice worst{0, kNever};
    for (const std::uint32_t t : fireable->transitions)
      if (game.enabled().contains(t))
        if (const Choice choice = disable(t); choice.cost >= worst.cost) worst = choice;
    return worst;
  }
  const auto* comparison = std::get_if<petri::Comparison>(&atoms_[atom]);
  if (comparison == nullptr) return kUnknownCost;
  const petri::Wide away = comparison->bound - letters.sum(atom);  // what the sum lacks
  switch (comparison->relation) {
    case petri::Relation::ge:
      return shift(*comparison, truth ? away : away - 1);
    case petri::Relation::gt:
      return shift(*comparison, truth ? away + 1 : away);
    case petri::Relation::le:
      return shift(*comparison, truth ? away : away + 1);
    case petri::Relation::lt:
      return shift(*comparison, truth ? away - 1 : away);
    case petri::Relation::eq:
    case petri::Relation::ne: {
      if (away != 0) return shift(*comparison, away);
      const Choice up = shift(*comparison, 1);
      const Choice down = shift(*comparison, -1);
      return up.cost <= down.cost ? up : down;
    }
  }
  return kUnknownCost;
}

// What a firing adds to the sum, if it changes it in that direction; else 0.
petri::Wide Planner::gain(const petri::Comparison& comparison, std::uint32_t transition,
                          bool up) const {
  petri::Wide sum = 0;
  for (const petri::Change& change : net_.effect(transition)) {
    const auto found = std::lower_bound(
        comparison.terms.begin(), comparison.terms.end(), change.place,
        [](const auto& term, std::uint32_t wanted) { return term.first < wanted; });
    if (found != comparison.terms.end() && found->first == change.place)
      sum += petri::Wide{found->second} * change.tokens;
  }
  return (sum > 0) == up ? sum : 0;
}

// The transition that moves the sum in that direction and is nearest.
Planner::Choice Planner::shift(const petri::Comparison& comparison, petri::Wide by) const {
  Choice best{kFar, kNever, by};
  for (const auto& [place, factor] : comparison.terms)
    for (const petri::Taker& changer : net_.changers(place)) {
      const Layer layer = layer_[changer.transition];
      if (layer == kNever || (petri::Wide{factor} * changer.weight > 0) != (by > 0)) continue;
      if (static_cast<Cost>(layer) + 1 >= best.cost) continue;
      if (gain(comparison, changer.transition, by > 0) == 0) continue;
      best = {static_cast<Cost>(layer) + 1, changer.transition, by};
    }
  return best;
}

// Of what is as near, one for each place until that is enough: of what moves a sum over many
// places, each does a little. The rest is left to one.
void Planner::need_shift(const petri::Comparison& comparison, const Choice& choice) {
  const bool up = choice.by > 0;
  petri::Wide left = choice.by;
  const auto take = [&](std::uint32_t transition, std::uint32_t times) {
    left -= gain(comparison, transition, up) * times;
    need(transition, times);
  };
  const auto is_done = [&] { return up ? left <= 0 : left >= 0; };
  for (const auto& [place, factor] : comparison.terms)
    for (const petri::Taker& changer : net_.changers(place)) {
      const std::uint32_t t = changer.transition;
      if (is_done()) return;
      if (layer_[t] != layer_[choice.transition] || times_[t] != 0) continue;
      if ((petri::Wide{factor} * changer.weight > 0) != up || gain(comparison, t, up) == 0)
        continue;
      take(t, 1);
      break;
    }
  if (is_done()) return;
  const petri::Wide once = gain(comparison, choice.transition, up);
  need(choice.transition, 1 + (up ? times_for(left, once) : times_for(-left, -once)));
}

Planner::Choice Planner::disable(std::uint32_t transition) const {
  Choice best{kFar, kNever};
  for (const petri::Arc& arc : net_.pre(transition))
    for (const petri::Taker& changer : net_.changers(arc.place))
      if (changer.weight < 0 && layer_[changer.transition] != kNever &&
          static_cast<Cost>(layer_[changer.transition]) + 1 < best.cost)
        best = {static_cast<Cost>(layer_[changer.transition]) + 1, changer.transition};
  return best;
}

void Planner::need_disabled(const petri::Fireable& fireable, const petri::TokenGame& game) {
  for (const std::uint32_t t : fireable.transitions)
    if (game.enabled().contains(t))
      if (const Choice choice = disable(t); choice.transition != kNever) need(choice.transition, 1);
}

Planner::Choice Planner::nearest(const std::vector<std::uint32_t>& transitions) const {
  Choice best{kFar, kNever};
  for (const std::uint32_t t : transitions)
    if (layer_[t] != kNever && layer_[t] < best.cost) best = {static_cast<Cost>(layer_[t]), t};
  return best;
}

void Planner::need(std::uint32_t transition, std::uint32_t times) {
  if (times_[transition] == 0) chosen_.push_back(transition);
  times_[transition] = std::max(times_[transition], times);
}

// Chooses who adds what an input lacks.
void Planner::need_inputs(std::uint32_t transition, const petri::TokenGame& game) {
  for (const petri::Arc& arc : net_.pre(transition)) {
    const std::int64_t lack = arc.weight - game.tokens(arc.place);
    if (lack <= 0) continue;
    const std::uint32_t by = supporter_[arc.place];
    for (const petri::Change& change : net_.effect(by))
      if (change.place == arc.place) need(by, times_for(lack, change.tokens));
  }
}

}  // namespace mpisog::product
