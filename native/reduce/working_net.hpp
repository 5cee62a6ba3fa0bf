// A net that rules shrink in place, together with the atoms that look at it.
//
// Places and transitions keep the indices of the original net; transitions that rules make get new
// ones. Each transition knows the word of original firings it stands for.
#pragma once

#include "petri/cancellation.hpp"
#include "petri/net.hpp"
#include "reduce/bag.hpp"
#include "reduce/watched_atoms.hpp"

namespace mpisog::reduce {

using Word = std::vector<Index>;  // firings of the original net

class WorkingNet {
 public:
  struct Transition {
    Bag pre;
    Bag post;
    Bag effect;  // post - pre
    Word word;
    bool alive = true;
  };

  WorkingNet(const petri::Net& net, const std::vector<petri::Atom>& atoms,
             petri::CancellationToken::Poll poll = {});

  [[nodiscard]] Index places() const { return static_cast<Index>(tokens_.size()); }
  [[nodiscard]] bool has_place(Index place) const { return has_place_[place]; }
  [[nodiscard]] Number tokens(Index place) const { return tokens_[place]; }

  [[nodiscard]] Index transitions() const { return static_cast<Index>(transitions_.size()); }
  [[nodiscard]] bool has_transition(Index t) const { return transitions_[t].alive; }
  [[nodiscard]] std::size_t transitions_left() const noexcept { return transitions_left_; }
  [[nodiscard]] const Transition& operator[](Index t) const { return transitions_[t]; }

  // The transitions with an arc from, or to, the place; what firings add to it, by transition.
  [[nodiscard]] const std::vector<Index>& takers(Index place) const;
  [[nodiscard]] const std::vector<Index>& makers(Index place) const;
  [[nodiscard]] const Bag& changes(Index place) const;

  [[nodiscard]] const WatchedAtoms& atoms() const noexcept { return atoms_; }
  // Firings of the original net before anything else: the tokens are those after them.
  [[nodiscard]] const Word& first() const noexcept { return first_; }

  Index add_transition(Bag pre, Bag post, Word word);
  // Atoms that ask whether it is enabled ask about the heir, or take it to be never enabled.
  void remove_transition(Index transition);
  void remove_transition(Index transition, Index heir);
  // No comparison may have the place.
  void remove_place(Index place);
  // Remove a place that comparisons may take to hold `tokens` for ever.
  void substitute_place(Index place, Number tokens);
  // Remove a place that always holds what another holds, and as much more as now.
  void express_place(Index place, Index other);
  void fire_at_first(Index transition, Number times);

  // By place: whether it decides if a transition of an atom is enabled.
  [[nodiscard]] std::vector<bool> watched_places() const;
  // Whether firing changes no state atom (`dead` aside) anywhere, and is no event.
  [[nodiscard]] bool invisible(Index transition, const std::vector<bool>& watched) const;

  // The places at which something has changed since this was last asked.
  std::vector<Index> take_touched();
  // Whether the time for reductions is over: rules ask between any two applications.
  bool out_of_time();

 private:
  // Lists of transitions at a place; those that were removed are swept out when it is looked at.
  struct Neighbours {
    std::vector<Index> takers;
    std::vector<Index> makers;
    Bag changes;
    bool stale = false;
  };

  void touch(Index place);
  void take_apart(Index transition);
  const Neighbours& neighbours(Index place) const;

  std::vector<Number> tokens_;
  std::vector<bool> has_place_;
  std::vector<bool> is_touched_;
  std::vector<Index> touched_;
  std::vector<Transition> transitions_;
  std::size_t transitions_left_ = 0;
  mutable std::vector<Neighbours> neighbours_;
  Word first_;
  WatchedAtoms atoms_;
  petri::CancellationToken cancellation_;
};

}  // namespace mpisog::reduce
