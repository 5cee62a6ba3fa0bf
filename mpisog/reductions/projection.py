"""A net seen through a few of its places: every run of the net is one there, so it is for proofs.

The other places are forgotten, with the arcs to them. Firings that change none of the few places
become one transition without arcs, which also stands for the end in a dead marking. That would
allow every run to stay where it is for ever. So it is worked out which of these firings may go on
for ever when nothing else fires: those are kept beside it, with their arcs to the few places. A run
of the net then fires the one transition for ever in a dead marking only, where no transition is
enabled that needs the few places only.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property

from mpisog.formulas.atoms import Atom, Comparison, Dead, Fire, Fireable, observed_places
from mpisog.nets.model import Arcs, PetriNet, Place, Transition
from mpisog.nets.semiflows import effects
from mpisog.state_equation.recurrence import running_dry

MOST_PLACES = 60
"""Seen at once."""


@dataclass(frozen=True)
class Projection:
    """The smaller net, and the formula's atoms over it in their order."""

    net: PetriNet
    atoms: tuple[Atom, ...]
    idle: Fire
    """The transition without arcs: a run that fires it for ever has come to a dead marking."""
    enclosed: Fireable
    """The transitions that need no other places: none of them is enabled in a dead marking."""
    sources: tuple[tuple[int, ...], ...]
    """By transition, those of the net that it stands for; none for the one without arcs."""


class Projector:
    """Of one net; what does not depend on the places is made once."""

    def __init__(self, net: PetriNet) -> None:
        self._net = net

    def deciding(self, atoms: Sequence[Atom]) -> frozenset[int]:
        """The places that decide the atoms."""
        return frozenset[int]().union(*(self._deciding(atom) for atom in atoms))

    def around(self, places: Set[int]) -> frozenset[int]:
        """The inputs of what changes these places."""
        arcs = (self._net.transitions[t].pre for t in self._changing(places))
        return frozenset(place for pre in arcs for place, _ in pre)

    def lacking(self, seen: Projection, steps: Iterable[int]) -> frozenset[int]:
        """The places for which the net cannot take these steps: inputs of the first that fails.

        Steps that change nothing seen are left out, so it is only a guess at what should be seen.
        """
        tokens: dict[int, int] = {}

        def misses(transition: int) -> frozenset[int]:
            arcs = self._net.transitions[transition].pre
            return frozenset(p for p, w in arcs if tokens.get(p, self._net.initial[p]) < w)

        for step in steps:
            fired = min(seen.sources[step], key=lambda t: len(misses(t)), default=None)
            if fired is None:
                continue
            if missing := misses(fired):
                return missing
            for place, change in effects(self._net)[fired].items():
                tokens[place] = tokens.get(place, self._net.initial[place]) + change
        return frozenset()

    def project(
        self, atoms: Sequence[Atom], places: Set[int], most: Mapping[int, int]
    ) -> Projection:
        """Through one of these sets. ``most`` tells what some places hold at most, ever.

        No atom may be ``dead``.
        """
        events = {atom.transition for atom in atoms if isinstance(atom, Fire)}
        asked = {t for atom in atoms if isinstance(atom, Fireable) for t in atom.transitions}
        changing, touching = self._changing(places), self._touching(places)
        endless = self._may_run_on(changing | events)
        if elsewhere := endless - touching:
            endless = endless & touching | {min(elsewhere)}  # they all look the same
        enclosed = {
            t
            for t in touching | events | asked
            if all(place in places for place, _ in self._net.transitions[t].pre)
        }
        seen = _Seen(self._net, sorted(places), most)
        for transition in sorted(changing | events | asked | endless | enclosed):
            seen.keep(transition, apart=transition in events)
        return Projection(
            seen.net(),
            tuple(seen.atom(atom) for atom in atoms),
            Fire(len(seen.transitions)),
            seen.fireable(enclosed),
            (*map(tuple, seen.sources), ()),
        )

    def _deciding(self, atom: Atom) -> set[int]:
        if isinstance(atom, Fire):
            return {place for place, _ in self._net.transitions[atom.transition].pre}
        return observed_places(atom, self._net)

    def _touching(self, places: Set[int]) -> set[int]:
        """The transitions with an arc from or to one of the places."""
        return {t for place in places for t in self._at[place]}

    def _changing(self, places: Set[int]) -> set[int]:
        changes = effects(self._net)
        return {t for t in self._touching(places) if not places.isdisjoint(changes[t])}

    def _may_run_on(self, stopped: Set[int]) -> set[int]:
        """Those of the other transitions that may fire for ever when these do not fire."""
        changes = effects(self._net)
        others = [{} if t in stopped else change for t, change in enumerate(changes)]
        return set(range(len(changes))) - running_dry(others) - stopped

    @cached_property
    def _at(self) -> Mapping[int, Sequence[int]]:
        found: dict[int, list[int]] = defaultdict(list)
        for number, transition in enumerate(self._net.transitions):
            for place in {place for place, _ in (*transition.pre, *transition.post)}:
                found[place].append(number)
        return found


class _Seen:
    """The places that are seen, and what is kept of transitions: the same is kept once.

    A place that holds at most so many tokens gets a second place for those that it lacks. That
    changes nothing in the net, and here it stops firings that the net does not have.
    """

    def __init__(self, net: PetriNet, places: Sequence[int], most: Mapping[int, int]) -> None:
        self._net = net
        self._places = [net.places[place] for place in places]
        self._number = {place: number for number, place in enumerate(places)}
        self._lack: dict[int, int] = {}
        for place in most:
            self._lack[place] = len(self._places)
            given = net.places[place]
            name = f"lack of {given.id}"
            self._places.append(Place(name, name, most[place] - given.initial))
        self._known: dict[tuple[Arcs, Arcs], int] = {}
        self._kept: dict[int, int] = {}
        self.transitions: list[Transition] = []
        self.sources: list[list[int]] = []

    def keep(self, transition: int, *, apart: bool) -> None:
        """See this transition too; ``apart``: as one of its own."""
        given = self._net.transitions[transition]
        pre, post = self._seen(given.pre), self._seen(given.post)
        for place, change in effects(self._net)[transition].items():
            if place in self._lack:
                (pre if change > 0 else post)[self._lack[place]] = abs(change)
        arcs = tuple(sorted(pre.items())), tuple(sorted(post.items()))
        number = None if apart else self._known.get(arcs)
        if number is None:
            number = len(self.transitions)
            self.transitions.append(Transition(given.id, given.name, *arcs))
            self.sources.append([])
        if not apart:
            self._known[arcs] = number
        self._kept[transition] = number
        self.sources[number].append(transition)

    def _seen(self, arcs: Arcs) -> dict[int, int]:
        return {self._number[p]: weight for p, weight in arcs if p in self._number}

    def net(self) -> PetriNet:
        """All of it, and the transition without arcs at the end."""
        idle = Transition("idle", "idle", (), ())
        return PetriNet(self._net.name, tuple(self._places), (*self.transitions, idle))

    def fireable(self, transitions: Iterable[int]) -> Fireable:
        """That one of these is enabled."""
        return Fireable(tuple(sorted({self._kept[t] for t in transitions})))

    def atom(self, atom: Atom) -> Atom:
        """The atom about what is seen."""
        match atom:
            case Comparison(terms, op, bound):
                return Comparison(tuple((self._number[p], f) for p, f in terms), op, bound)
            case Fireable(transitions):
                return self.fireable(transitions)
            case Fire(transition):
                return Fire(self._kept[transition])
            case Dead():
                raise ValueError("a dead marking cannot be seen through a few places")
