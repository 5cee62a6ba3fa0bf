"""Backend ``explicit``: frozensets of markings. Slow and obviously right: the oracle."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain

from mpisog.budget import Budget
from mpisog.formulas.atoms import StateAtom, holds
from mpisog.nets.model import Marking, PetriNet
from mpisog.nets.semantics import enabled, fire
from mpisog.symbolic.protocol import Domain, Step, Terms

Markings = frozenset[Marking]


class ExplicitDomain(Domain[Markings]):  # type: ignore[type-var]  # true by its length
    """Every operation spelt out over single markings."""

    name = "explicit"

    def __init__(self, net: PetriNet, budget: Budget | None = None) -> None:
        self.net = net
        self.budget = budget or Budget()

    def empty(self) -> Markings:
        """No marking."""
        return frozenset()

    def singleton(self, marking: Marking) -> Markings:
        """One marking."""
        return frozenset([tuple(marking)])

    def image(self, states: Markings, steps: Sequence[Step]) -> Markings:
        """Fire every step in every marking."""
        successors = (
            fire(self.net.transitions[step.transition], marking)
            for marking in self._each(states)
            for step in steps
            if self._allowed(step, marking)
        )
        return frozenset(self._each(successors))

    def preimage(self, states: Markings, steps: Sequence[Step]) -> Markings:
        """Undo every step in every marking."""
        predecessors = (
            before
            for marking in self._each(states)
            for step in steps
            if (before := self._undone(step, marking)) is not None
        )
        return frozenset(self._each(predecessors))

    def closure(
        self, states: Markings, steps: Sequence[Step], within: Markings | None = None
    ) -> Markings:
        """Images until nothing is new."""
        return self._fixpoint(states, within, lambda front: self.image(front, steps))

    def backward_closure(
        self, states: Markings, steps: Sequence[Step], within: Markings
    ) -> Markings:
        """Preimages until nothing is new."""
        return self._fixpoint(states, within, lambda front: self.preimage(front, steps))

    def filter(self, states: Markings, atom: StateAtom) -> Markings:
        """Evaluate the atom in every marking."""
        return frozenset(m for m in self._each(states) if holds(atom, self.net, m, None))

    def count(self, states: Markings) -> int:
        """Number of markings."""
        return len(states)

    def count_steps(self, states: Markings, steps: Sequence[Step]) -> int:
        """Number of allowed (marking, step) pairs."""
        return sum(self._allowed(step, marking) for marking in self._each(states) for step in steps)

    def largest_sum(self, states: Markings, terms: Terms) -> int:
        """Try every marking."""
        return max(sum(c * marking[place] for place, c in terms) for marking in states)

    def largest_tokens(self, states: Markings) -> tuple[int, ...]:
        """Column by column."""
        if not states:
            return (0,) * len(self.net.places)
        return tuple(max(column) for column in zip(*states, strict=True))

    def pick(self, states: Markings) -> Marking:
        """The smallest."""
        return min(states)

    def markings(self, states: Markings) -> Iterator[Marking]:
        """In ascending order."""
        return iter(sorted(states))

    def contains(self, states: Markings, marking: Marking) -> bool:
        """Membership."""
        return tuple(marking) in states

    def serialise(self, states: Markings) -> bytes:
        """Their number and the sorted markings, as 64-bit numbers."""
        tokens = [len(states), *chain.from_iterable(sorted(states))]
        return struct.pack(f"<{len(tokens)}Q", *tokens)

    def deserialise(self, data: bytes) -> Markings:
        """The markings again."""
        try:
            tokens = struct.unpack(f"<{len(data) // 8}Q", data)
        except struct.error as error:
            raise ValueError(str(error)) from None
        width = len(self.net.places)
        starts = range(1, len(tokens), width) if width else range(tokens == (1,))
        states = frozenset(tokens[start : start + width] for start in starts)
        if any(len(marking) != width for marking in states) or self.serialise(states) != data:
            raise ValueError("the bytes are not the sorted markings of this net")
        return states

    def nodes(self, states: Markings) -> int:
        """Number of markings."""
        return len(states)

    def _allowed(self, step: Step, marking: Marking) -> bool:
        return (
            enabled(self.net.transitions[step.transition], marking)
            and all(marking[place] >= tokens for place, tokens in step.at_least)
            and all(marking[place] <= tokens for place, tokens in step.at_most)
        )

    def _undone(self, step: Step, marking: Marking) -> Marking | None:
        """The marking before the step, if there is one."""
        transition = self.net.transitions[step.transition]
        before = list(marking)
        for place, weight in transition.post:
            before[place] -= weight
        for place, weight in transition.pre:
            before[place] += weight
        found = tuple(before)
        return found if min(found, default=0) >= 0 and self._allowed(step, found) else None

    def _each(self, markings: Iterable[Marking]) -> Iterator[Marking]:
        """The markings, as long as there is time and memory: one may have 100,000 places."""
        for marking in markings:
            self.budget.check()
            yield marking

    def _fixpoint(
        self,
        states: Markings,
        within: Markings | None,
        grow: Callable[[Markings], Iterable[Marking]],
    ) -> Markings:
        reached = set(states if within is None else states & within)
        front = frozenset(reached)
        while front:
            self.budget.check()
            found = frozenset(grow(front)) - reached
            front = found if within is None else found & within
            reached |= front
        return frozenset(reached)
