"""A net that rules shrink in place, together with the atoms that look at it.

Places and transitions keep the indices of the original net; transitions that rules make get new
ones. Each transition knows the word of original firings it stands for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import count

from mpisog.formulas.atoms import OPERATORS, Atom, Comparison, Dead, Fire, Fireable
from mpisog.nets.model import PetriNet

Bag = dict[int, int]
"""Tokens by place, none of them zero."""

Word = tuple[int, ...]
"""Firings of the original net."""


class WorkingNet:
    """The arcs from both ends, the tokens, the atoms, and the way back to the original.

    Rules may read the tables; they change them through the methods, which keep both ends of an arc
    and the atoms together.
    """

    def __init__(
        self, net: PetriNet, atoms: Sequence[Atom], hurry: Callable[[], bool] = lambda: False
    ) -> None:
        self.hurry = hurry
        """Whether the time for reductions is over: long rules ask."""
        self.tokens: Bag = dict(enumerate(net.initial))
        self.pre: dict[int, Bag] = {}
        self.post: dict[int, Bag] = {}
        self.makers: dict[int, set[int]] = {place: set() for place in self.tokens}
        """The transitions with an arc to the place."""
        self.takers: dict[int, set[int]] = {place: set() for place in self.tokens}
        """The transitions with an arc from the place."""
        self.effect: dict[int, Bag] = {}
        """What firing adds to each place, places that do not change left out."""
        self.changes: dict[int, Bag] = {place: {} for place in self.tokens}
        """The same by place: what each transition adds."""
        self.touched: set[int] = set(self.tokens)
        """Places at which something has changed since this was last emptied."""
        self.words: dict[int, Word] = {}
        self.first: list[int] = []
        """Firings of the original net before anything else: the tokens are those after them."""
        self._fresh = count()
        for transition in net.transitions:
            self.add(dict(transition.pre), dict(transition.post), None)
        self.atoms = WatchedAtoms(atoms)

    def add(self, pre: Bag, post: Bag, word: Word | None) -> int:
        """A new transition; without a word it is an original one."""
        index = next(self._fresh)
        self.pre[index], self.post[index] = pre, post
        self.effect[index] = _difference(post, pre)
        for place, change in self.effect[index].items():
            self.changes[place][index] = change
        self.touched.update(pre, post)
        self.words[index] = (index,) if word is None else word
        for place in pre:
            self.takers[place].add(index)
        for place in post:
            self.makers[place].add(index)
        return index

    def remove_transition(self, transition: int, heir: int | None = None) -> None:
        """Atoms that ask whether it is enabled ask about the heir, if there is one."""
        for place in self.effect.pop(transition):
            del self.changes[place][transition]
        self.touched.update(self.pre[transition], self.post[transition])
        for place in self.pre.pop(transition):
            self.takers[place].discard(transition)
        for place in self.post.pop(transition):
            self.makers[place].discard(transition)
        del self.words[transition]
        self.atoms.replace_transition(transition, heir)

    def remove_place(self, place: int) -> None:
        """No comparison may have the place."""
        assert place not in self.atoms.factors
        for transition in self.takers.pop(place):
            del self.pre[transition][place]
        for transition in self.makers.pop(place):
            del self.post[transition][place]
        for transition in self.changes.pop(place):
            del self.effect[transition][place]
        self.touched.discard(place)
        del self.tokens[place]

    def settle_place(self, place: int, tokens: int) -> None:
        """Remove a place that comparisons may take to hold ``tokens`` for ever."""
        self.atoms.settle(place, tokens)
        self.remove_place(place)

    def watched_places(self) -> set[int]:
        """The places that decide whether a transition of an atom is enabled."""
        return {place for t in self.atoms.enabling for place in self.pre[t]}

    def invisible(self, transition: int, watched: Iterable[int]) -> bool:
        """Whether firing changes no state atom (``dead`` aside) anywhere, and is no event."""
        if transition in self.atoms.events:
            return False
        change = self.effect[transition]
        return change.keys().isdisjoint(watched) and not self.atoms.growth(change)


def _difference(post: Bag, pre: Bag) -> Bag:
    change = dict(post)
    for place, weight in pre.items():
        change[place] = change.get(place, 0) - weight
    return {place: amount for place, amount in change.items() if amount}


class WatchedAtoms:
    """Atoms while the net changes; each keeps its number in the formula."""

    def __init__(self, atoms: Sequence[Atom]) -> None:
        self._size = len(atoms)
        self._comparisons: dict[int, tuple[str, int]] = {}
        self._fireable: dict[int, set[int]] = {}
        self.factors: dict[int, dict[int, int]] = {}
        """For each place in a comparison, its factor by the number of the atom."""
        self.events: dict[int, int] = {}
        """The number of the event atom by transition."""
        self.dead = {number for number, atom in enumerate(atoms) if isinstance(atom, Dead)}
        for number, atom in enumerate(atoms):
            match atom:
                case Comparison(terms, op, bound):
                    self._comparisons[number] = (op, bound)
                    for place, factor in terms:
                        self.factors.setdefault(place, {})[number] = factor
                case Fireable(transitions):
                    self._fireable[number] = set(transitions)
                case Fire(transition):
                    self.events[transition] = number

    @property
    def enabling(self) -> set[int]:
        """The transitions that atoms ask about."""
        return set().union(*self._fireable.values())

    def growth(self, change: Bag) -> bool:
        """Whether such a change of tokens changes the left side of a comparison."""
        totals: dict[int, int] = {}
        for place in change.keys() & self.factors.keys():
            for number, factor in self.factors[place].items():
                totals[number] = totals.get(number, 0) + factor * change[place]
        return any(totals.values())

    def settle(self, place: int, tokens: int) -> None:
        """A place of comparisons that holds the same for ever."""
        for number, factor in self.factors.pop(place, {}).items():
            op, bound = self._comparisons[number]
            self._comparisons[number] = (op, bound - factor * tokens)

    def express(self, place: int, other: int, more: int) -> None:
        """A place of comparisons that always holds what another holds, and ``more``."""
        for number, factor in self.factors.get(place, {}).items():
            entry = self.factors.setdefault(other, {})
            entry[number] = entry.get(number, 0) + factor
            if not entry[number]:
                del entry[number]
        if not self.factors.get(other, True):
            del self.factors[other]
        self.settle(place, more)

    def replace_transition(self, transition: int, heir: int | None) -> None:
        """Ask about another transition that is enabled where this one is, or nowhere."""
        self.events.pop(transition, None)
        for transitions in self._fireable.values():
            if transition in transitions:
                transitions.discard(transition)
                if heir is not None:
                    transitions.add(heir)

    def bound(
        self, places: dict[int, int], transitions: dict[int, int], always: Iterable[int]
    ) -> list[Atom | bool]:
        """The atoms over new indices, or their truth where it no longer depends on the marking.

        ``always`` are the transitions that are enabled everywhere.
        """
        result: list[Atom | bool] = [Dead()] * self._size
        for number, (op, bound) in self._comparisons.items():
            terms = tuple(
                sorted((places[p], f[number]) for p, f in self.factors.items() if number in f)
            )
            holds = OPERATORS[op](0, bound)
            result[number] = Comparison(terms, op, bound) if terms else holds
        for number, asked in self._fireable.items():
            certain = not asked.isdisjoint(always)
            named = tuple(sorted(transitions[t] for t in asked))
            result[number] = certain or (Fireable(named) if asked else False)
        numbered = {number: t for t, number in self.events.items()}
        for number in set(range(self._size)) - self._comparisons.keys() - self._fireable.keys():
            if number not in self.dead:
                known = numbered.get(number)
                result[number] = False if known is None else Fire(transitions[known])
        return result
