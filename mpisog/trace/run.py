"""A run of a net, step by step: the marking and what is true of it.

A step costs what it changes, not what the net has: sums of comparisons and the inputs that
transitions lack are kept up to date. ``check`` compares with the definitions.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from mpisog.errors import InternalError
from mpisog.formulas.atoms import OPERATORS, Atom, Comparison, Dead, Fire, Fireable, holds
from mpisog.nets.model import PetriNet
from mpisog.nets.semantics import enabled
from mpisog.spotglue.words import Letter


class Run:
    """Fires transitions from the initial marking on."""

    def __init__(self, net: PetriNet, atoms: Sequence[Atom]) -> None:
        self.marking = list(net.initial)
        self._net = net
        self._atoms = atoms
        self._steps = 0
        self._events: dict[int, list[int]] = defaultdict(list)
        self._sums: dict[int, int] = {}
        self._factors: dict[int, list[tuple[int, int]]] = defaultdict(list)
        """By place: the comparisons that have it, with its factor."""
        self._asking: dict[int, list[int]] = defaultdict(list)
        """By transition: the atoms that ask whether it is enabled."""
        self._enabled: dict[int, int] = {}
        """By such an atom: how many of its transitions are."""
        for number, atom in enumerate(atoms):
            self._add(number, atom)
        self._lacking: dict[int, int] = {}
        self._takers: dict[int, list[tuple[int, int]]] = defaultdict(list)
        for t in self._asking:
            self._ask(t)
        self._observed = self._factors.keys() | self._takers.keys()
        """The places that decide what is true."""
        self._true = frozenset(n for n in range(len(atoms)) if self._holds(n))

    def _add(self, number: int, atom: Atom) -> None:
        match atom:
            case Comparison(terms, _, _):
                self._sums[number] = sum(f * self.marking[place] for place, f in terms)
                for place, factor in terms:
                    self._factors[place].append((number, factor))
            case Fireable() | Dead():
                self._enabled[number] = 0
                every = range(len(self._net.transitions))
                for t in atom.transitions if isinstance(atom, Fireable) else every:
                    self._asking[t].append(number)
            case Fire(transition):
                self._events[transition].append(number)

    def _ask(self, transition: int) -> None:
        lacking = 0
        for place, weight in self._net.transitions[transition].pre:
            self._takers[place].append((transition, weight))
            lacking += self.marking[place] < weight
        self._lacking[transition] = lacking
        if not lacking:
            self._count_enabled(transition, 1)

    def letter(self, transition: int | None) -> Letter:
        """What holds now, when this transition fires."""
        events = () if transition is None else self._events.get(transition, ())
        return self._true.union(events) if events else self._true

    def step(self, transition: int) -> Letter:
        """Fire the transition; gives the letter of that instant."""
        fired = self._net.transitions[transition]
        if not enabled(fired, self.marking):
            raise InternalError(
                f"step {self._steps} of a counterexample ({fired.id}) is not enabled"
            )
        letter = self.letter(transition)
        self._steps += 1
        touched: set[int] = set()
        marking, observed = self.marking, self._observed
        for arcs, sign in ((fired.pre, -1), (fired.post, 1)):
            for place, weight in arcs:
                if place in observed:
                    self._change(place, sign * weight, touched)
                else:
                    marking[place] += sign * weight
        if touched:
            true = {number for number in touched if self._holds(number)}
            self._true = self._true.difference(touched) | true
        return letter

    def check(self) -> None:
        """What is kept up to date must be what the definitions say of the present marking."""
        marking = tuple(self.marking)
        expected = {n for n, a in enumerate(self._atoms) if holds(a, self._net, marking, None)}
        if self._true != expected:
            raise InternalError("the replay of a counterexample has lost track of its atoms")

    def _change(self, place: int, amount: int, touched: set[int]) -> None:
        before = self.marking[place]
        after = self.marking[place] = before + amount
        for number, factor in self._factors.get(place, ()):
            self._sums[number] += factor * amount
            touched.add(number)
        for t, weight in self._takers.get(place, ()):
            if (before < weight) == (after < weight):
                continue
            self._lacking[t] += 1 if after < weight else -1
            if self._lacking[t] == (1 if after < weight else 0):  # enabled no more, or again
                self._count_enabled(t, -1 if after < weight else 1)
                touched.update(self._asking[t])

    def _count_enabled(self, transition: int, change: int) -> None:
        for number in self._asking[transition]:
            self._enabled[number] += change

    def _holds(self, number: int) -> bool:
        match self._atoms[number]:
            case Comparison(_, op, bound):
                return OPERATORS[op](self._sums[number], bound)
            case Fireable():
                return self._enabled[number] > 0
            case Dead():
                return self._enabled[number] == 0
            case Fire():
                return False
