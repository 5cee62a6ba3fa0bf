#include "reduce/working_net.hpp"

#include <cassert>

namespace mpisog::reduce {

namespace {

Bag to_bag(const std::vector<petri::Arc>& arcs) {
  Bag bag;
  bag.reserve(arcs.size());
  for (const petri::Arc& arc : arcs) bag.push_back({arc.place, arc.weight});
  std::sort(bag.begin(), bag.end(), [](const Entry& a, const Entry& b) { return a.at < b.at; });
  return bag;
}

}  // namespace

WorkingNet::WorkingNet(const petri::Net& net, const std::vector<petri::Atom>& atoms,
                       petri::CancellationToken::Poll poll)
    : tokens_(net.initial),
      has_place_(net.places(), true),
      is_touched_(net.places()),
      neighbours_(net.places()),
      atoms_(atoms, net.places(), net.transitions.size()),
      cancellation_(std::move(poll)) {
  transitions_.reserve(net.transitions.size() * 2);
  for (Index t = 0; t < net.transitions.size(); ++t)
    add_transition(to_bag(net.transitions[t].pre), to_bag(net.transitions[t].post), {t});
  for (Index place = 0; place < places(); ++place) touch(place);
}

const WorkingNet::Neighbours& WorkingNet::neighbours(Index place) const {
  Neighbours& there = neighbours_[place];
  if (there.stale) {
    const auto gone = [this](Index t) { return !transitions_[t].alive; };
    std::erase_if(there.takers, gone);
    std::erase_if(there.makers, gone);
    std::erase_if(there.changes, [&](const Entry& entry) { return gone(entry.at); });
    there.stale = false;
  }
  return there;
}

const std::vector<Index>& WorkingNet::takers(Index place) const { return neighbours(place).takers; }
const std::vector<Index>& WorkingNet::makers(Index place) const { return neighbours(place).makers; }
const Bag& WorkingNet::changes(Index place) const { return neighbours(place).changes; }

Index WorkingNet::add_transition(Bag pre, Bag post, Word word) {
  const auto index = static_cast<Index>(transitions_.size());
  Bag effect = sum(post, pre, -1);
  for (const Entry& entry : pre) neighbours_[entry.at].takers.push_back(index);
  for (const Entry& entry : post) neighbours_[entry.at].makers.push_back(index);
  for (const Entry& entry : effect) neighbours_[entry.at].changes.push_back({index, entry.amount});
  for (const Bag* bag : {&pre, &post})
    for (const Entry& entry : *bag) touch(entry.at);
  transitions_.push_back(
      {std::move(pre), std::move(post), std::move(effect), std::move(word), true});
  ++transitions_left_;
  if (index >= atoms_.transitions()) atoms_.add_transition();
  return index;
}

void WorkingNet::take_apart(Index transition) {
  Transition& gone = transitions_[transition];
  for (const Bag* bag : {&gone.pre, &gone.post})
    for (const Entry& entry : *bag) {
      neighbours_[entry.at].stale = true;
      touch(entry.at);
    }
  gone = Transition{{}, {}, {}, {}, false};
  --transitions_left_;
}

void WorkingNet::remove_transition(Index transition) {
  atoms_.forget(transition);
  take_apart(transition);
}

void WorkingNet::remove_transition(Index transition, Index heir) {
  atoms_.bequeath(transition, heir);
  take_apart(transition);
}

void WorkingNet::remove_place(Index place) {
  assert(!atoms_.compares(place));
  const Neighbours& there = neighbours(place);
  for (const Index t : there.takers) erase(transitions_[t].pre, place);
  for (const Index t : there.makers) erase(transitions_[t].post, place);
  for (const Entry& entry : there.changes) erase(transitions_[entry.at].effect, place);
  neighbours_[place] = {};
  has_place_[place] = false;
}

void WorkingNet::substitute_place(Index place, Number tokens) {
  atoms_.substitute(place, tokens);
  remove_place(place);
}

void WorkingNet::express_place(Index place, Index other) {
  atoms_.express(place, other, tokens_[place] - tokens_[other]);
  remove_place(place);
}

void WorkingNet::fire_at_first(Index transition, Number times) {
  const Transition& fired = transitions_[transition];
  for (Number i = 0; i < times; ++i)
    first_.insert(first_.end(), fired.word.begin(), fired.word.end());
  for (const Entry& entry : fired.effect) tokens_[entry.at] += times * entry.amount;
}

std::vector<bool> WorkingNet::watched_places() const {
  std::vector<bool> watched(tokens_.size());
  for (Index t = 0; t < transitions(); ++t)
    if (atoms_.asks(t))
      for (const Entry& entry : transitions_[t].pre) watched[entry.at] = true;
  return watched;
}

bool WorkingNet::invisible(Index transition, const std::vector<bool>& watched) const {
  const Bag& effect = transitions_[transition].effect;
  return !atoms_.is_event(transition) &&
         std::none_of(effect.begin(), effect.end(),
                      [&](const Entry& entry) { return watched[entry.at]; }) &&
         !atoms_.changes_with(effect);
}

void WorkingNet::touch(Index place) {
  if (!is_touched_[place]) touched_.push_back(place);
  is_touched_[place] = true;
}

std::vector<Index> WorkingNet::take_touched() {
  std::vector<Index> taken;
  taken.swap(touched_);
  std::erase_if(taken, [this](Index place) { return !has_place_[place]; });
  std::sort(taken.begin(), taken.end());
  is_touched_.assign(is_touched_.size(), false);
  return taken;
}

bool WorkingNet::out_of_time() {
  return cancellation_.check([this] { return petri::Progress{transitions_left_, 0, 0}; });
}

}  // namespace mpisog::reduce
