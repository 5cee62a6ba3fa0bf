#include "reduce/stuttering_rules.hpp"

#include "reduce/endless.hpp"

namespace mpisog::reduce {

namespace {

constexpr std::size_t kMoreTransitions = 2;  // after a place has been agglomerated
constexpr std::size_t kLongestWord = 2'000;  // firings that one transition may stand for
constexpr Number kMostTokens = 2'147'483'647;

// The place, its makers and its takers.
struct Site {
  Index place;
  std::vector<Index> makers;
  std::vector<Index> takers;
};

Site site_at(const WorkingNet& net, Index place) {
  Site site{place, net.makers(place), net.takers(place)};
  std::sort(site.makers.begin(), site.makers.end());
  std::sort(site.takers.begin(), site.takers.end());
  return site;
}

// Some f, no transition on both sides, and not many more transitions than before.
bool worthwhile(const WorkingNet& net, Index place) {
  const auto& makers = net.makers(place);
  const auto& takers = net.takers(place);
  if (takers.empty() ||
      makers.size() * takers.size() > makers.size() + takers.size() + kMoreTransitions)
    return false;
  return std::none_of(makers.begin(), makers.end(),
                      [&](Index h) { return amount(net[h].pre, place) != 0; });
}

// Whether words stay short and numbers in range when each h fires with f so often.
bool within_limits(const WorkingNet& net, const Site& site, Number times) {
  std::size_t longest_h = 0;
  std::size_t longest_f = 0;
  Number given = 0;
  Number needed = 0;
  Number more = 0;
  for (const Index h : site.makers) {
    longest_h = std::max(longest_h, net[h].word.size());
    given = std::max(given, largest(net[h].post));
    needed = std::max(needed, largest(net[h].pre));
  }
  Number also_needed = 0;
  for (const Index f : site.takers) {
    longest_f = std::max(longest_f, net[f].word.size());
    more = std::max(more, largest(net[f].post));
    also_needed = std::max(also_needed, largest(net[f].pre));
    for (const Entry& entry : net[f].post) given = std::max(given, net.tokens(entry.at));
  }
  return times <= static_cast<Number>(kLongestWord) &&
         longest_h + static_cast<std::size_t>(times) * longest_f <= kLongestWord &&
         given + times * more <= kMostTokens && needed + also_needed <= kMostTokens;
}

// Whether what the transition gives is enough for another one: no dead marking follows.
bool goes_on(const WorkingNet& net, Index transition) {
  const Bag& given = net[transition].post;
  for (const Entry& entry : given)
    for (const Index t : net.takers(entry.at))
      if (at_most(net[t].pre, given)) return true;
  return false;
}

bool postable(const WorkingNet& net, const Site& site, const std::vector<bool>& watched) {
  const Number weight = amount(net[site.takers.front()].pre, site.place);
  const Number tokens = net.tokens(site.place);
  Number given = 0;
  for (const Index h : site.makers) {
    const Number here = amount(net[h].post, site.place);
    if (here % weight != 0) return false;
    given = std::max(given, here);
  }
  if (site.takers.size() > 1 && (given > weight || tokens >= weight)) return false;
  const Bag alone{{site.place, weight}};
  return std::all_of(site.takers.begin(), site.takers.end(),
                     [&](Index f) {
                       return net[f].pre == alone && net.invisible(f, watched) &&
                              (!net.atoms().has_dead() || goes_on(net, f));
                     }) &&
         within_limits(net, site, std::max(given, tokens) / weight) &&
         net.atoms().can_substitute(site.place, tokens % weight);
}

bool takes_alone(const WorkingNet& net, const Site& site) {
  return std::all_of(site.takers.begin(), site.takers.end(),
                     [&](Index f) { return net[f].pre.size() == 1; });
}

bool undisturbed(const WorkingNet& net, const Site& site) {
  return std::all_of(site.makers.begin(), site.makers.end(), [&](Index h) {
    return std::all_of(net[h].pre.begin(), net[h].pre.end(),
                       [&](const Entry& input) { return net.takers(input.at).size() == 1; });
  });
}

bool preable(const WorkingNet& net, const Site& site, const std::vector<bool>& watched) {
  if (site.makers.empty()) return false;
  const Number weight = amount(net[site.takers.front()].pre, site.place);
  const Bag alone{{site.place, weight}};
  return net.tokens(site.place) < weight &&
         std::all_of(
             site.takers.begin(), site.takers.end(),
             [&](Index f) { return amount(net[f].pre, site.place) == weight; }) &&
         std::all_of(
             site.makers.begin(), site.makers.end(),
             [&](Index h) {
               return net[h].post == alone && !net[h].pre.empty() && net.invisible(h, watched);
             }) &&
         (takes_alone(net, site) || (!net.atoms().has_dead() && undisturbed(net, site))) &&
         within_limits(net, site, 1) &&
         net.atoms().can_substitute(site.place, net.tokens(site.place));
}

// A transition that does what h does and then f, as often as there are tokens for it.
Index add_joined(WorkingNet& net, Index place, Index h, Index f) {
  const Number times = amount(net[h].post, place) / amount(net[f].pre, place);
  Bag needed = net[f].pre;
  erase(needed, place);
  Bag given = net[h].post;
  erase(given, place);
  Word word = net[h].word;
  for (Number i = 0; i < times; ++i)
    word.insert(word.end(), net[f].word.begin(), net[f].word.end());
  return net.add_transition(sum(net[h].pre, needed, 1), sum(given, net[f].post, times),
                            std::move(word));
}

void agglomerate(WorkingNet& net, const Site& site) {
  for (const Index h : site.makers) {
    Index heir = 0;
    for (auto f = site.takers.rbegin(); f != site.takers.rend(); ++f)
      heir = add_joined(net, site.place, h, *f);
    net.remove_transition(h, heir);
  }
  for (const Index f : site.takers) net.remove_transition(f);
  net.substitute_place(site.place, net.tokens(site.place));
}

// The seeds, what changes the places, and, again and again, what changes an input of either.
std::vector<bool> cone(const WorkingNet& net, std::vector<bool> seen, std::vector<bool> kept) {
  std::vector<Index> todo;
  const auto look_at = [&](const Bag& inputs) {
    for (const Entry& input : inputs) {
      if (!seen[input.at]) todo.push_back(input.at);
      seen[input.at] = true;
    }
  };
  for (Index place = 0; place < net.places(); ++place)
    if (seen[place]) todo.push_back(place);
  for (Index t = 0; t < net.transitions(); ++t)
    if (kept[t]) look_at(net[t].pre);
  while (!todo.empty()) {
    const Index place = todo.back();
    todo.pop_back();
    for (const Entry& change : net.changes(place)) {
      if (kept[change.at]) continue;
      kept[change.at] = true;
      look_at(net[change.at].pre);
    }
  }
  return kept;
}

}  // namespace

std::size_t irrelevant_transitions(WorkingNet& net) {
  if (net.atoms().has_dead()) return 0;
  std::vector<bool> observed = net.watched_places();
  for (Index place = 0; place < net.places(); ++place)
    if (net.atoms().compares(place)) observed[place] = true;
  std::vector<bool> seeds(net.transitions());
  for (Index t = 0; t < net.transitions(); ++t) seeds[t] = net.atoms().asks(t);
  std::vector<bool> rest = cone(net, observed, seeds);
  for (Index t = 0; t < net.transitions(); ++t) rest[t] = net.has_transition(t) && !rest[t];
  const std::vector<bool> endless = may_run_on(net, std::move(rest));
  for (Index t = 0; t < net.transitions(); ++t) seeds[t] = seeds[t] || endless[t];
  const std::vector<bool> kept = cone(net, std::move(observed), std::move(seeds));
  const std::size_t before = net.transitions_left();
  for (Index t = 0; t < net.transitions(); ++t)
    if (net.has_transition(t) && !kept[t]) net.remove_transition(t);
  return before - net.transitions_left();
}

std::size_t post_agglomeration(WorkingNet& net) {
  std::size_t done = 0;
  const std::vector<bool> watched = net.watched_places();
  for (Index place = 0; place < net.places() && !net.out_of_time(); ++place) {
    if (!net.has_place(place) || !worthwhile(net, place)) continue;
    const Site site = site_at(net, place);
    if (!postable(net, site, watched)) continue;
    const Index taker = site.takers.front();
    net.fire_at_first(taker, net.tokens(place) / amount(net[taker].pre, place));
    agglomerate(net, site);
    ++done;
  }
  return done;
}

std::size_t pre_agglomeration(WorkingNet& net) {
  std::size_t done = 0;
  const std::vector<bool> watched = net.watched_places();
  for (Index place = 0; place < net.places() && !net.out_of_time(); ++place) {
    if (!net.has_place(place) || !worthwhile(net, place)) continue;
    const Site site = site_at(net, place);
    if (!preable(net, site, watched)) continue;
    agglomerate(net, site);
    ++done;
  }
  return done;
}

}  // namespace mpisog::reduce
