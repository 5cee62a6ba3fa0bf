"""Steps compiled to relations over bits, forwards and backwards.

A place whose value after the step is known goes without a relation: its bits are forgotten and set
anew. The others have their next value in the twins of their variables, which then take their place.
Both ways are conjunctions with quantification, so that CUDD remembers their results between calls.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from mpisog.budget import Budget
from mpisog.nets.model import PetriNet
from mpisog.symbolic.bdd_encoding import Encoding, Function
from mpisog.symbolic.protocol import Step


class TooFewBits(Exception):
    """Places need these numbers of bits; ``reached`` is what was computed before."""

    def __init__(self, bits: Mapping[int, int]) -> None:
        super().__init__(bits)
        self.bits = bits
        self.reached: Function | None = None


@dataclass(frozen=True, slots=True)
class Change:
    """What a step asks of a place and does to it."""

    place: int
    least: int
    most: int | None
    delta: int

    def reversed(self) -> Change:
        """Back from the values after the step."""
        most = None if self.most is None else self.most + self.delta
        return Change(self.place, self.least + self.delta, most, -self.delta)


def changes(net: PetriNet, step: Step) -> list[Change]:
    """The places that a step looks at or changes."""
    transition = net.transitions[step.transition]
    pre, post = dict(transition.pre), dict(transition.post)
    lower, upper = dict(step.at_least), dict(step.at_most)
    return [
        Change(
            place,
            max(pre.get(place, 0), lower.get(place, 0)),
            upper.get(place),
            post.get(place, 0) - pre.get(place, 0),
        )
        for place in sorted({*pre, *post, *lower, *upper})
    ]


class Move:
    """A step as relation; it is valid until a place gets more bits."""

    def __init__(self, encoding: Encoding, parts: list[Change], budget: Budget) -> None:
        self._encoding = encoding
        self._budget = budget
        self._moving = [part for part in parts if part.delta]
        self.guard = encoding.true
        for part in sorted(parts, key=lambda part: -encoding.level(part.place)):
            budget.check()
            self.guard &= encoding.between(part.place, part.least, part.most)
        self.top = min((encoding.level(part.place) for part in parts), default=0)
        self._overflow = self.guard & self._too_much()
        self._relation, self._renaming = self.guard, encoding.true
        self._forgotten: list[str] = []
        self._twins: list[str] = []
        for part in self._moving:
            self._add(part)

    def fire(self, states: Function) -> Function:
        """What the step leads to, as far as the bits can express it."""
        moved = self._encoding.and_exists(states, self._relation, self._forgotten)
        return self._encoding.and_exists(moved, self._renaming, self._twins)

    def check(self, states: Function) -> None:
        """Raise ``TooFewBits`` when the bits do not suffice for these states."""
        if self._overflow == self._encoding.false:
            return
        bad = states & self._overflow
        if bad != self._encoding.false:
            raise TooFewBits({p.place: self._needed(p) for p in self._moving if self._hits(p, bad)})

    def _add(self, part: Change) -> None:
        self._budget.check()
        encoding, place = self._encoding, part.place
        room = encoding.capacity(place) - max(0, part.delta)
        most = room if part.most is None else min(room, part.most)
        least = max(part.least, -part.delta)
        self._relation &= encoding.between(place, least, most)
        self._forgotten += encoding.names(place)
        if least == most:
            self._renaming &= encoding.cube(encoding.values(place, least + part.delta))
        elif least < most:
            self._relation &= encoding.shifted(place, part.delta)
            self._renaming &= encoding.unprimed(place)
            self._twins += encoding.twins(place)

    def _too_much(self) -> Function:
        found = self._encoding.false
        for part in self._moving:
            self._budget.check()
            found |= self._beyond(part)
        return found

    def _beyond(self, part: Change) -> Function:
        """Markings whose successor has too many tokens in the place."""
        if part.delta <= 0:
            return self._encoding.false
        capacity = self._encoding.capacity(part.place)
        return self._encoding.at_least(part.place, capacity - part.delta + 1)

    def _hits(self, part: Change, states: Function) -> bool:
        return bool(states & self._beyond(part) != self._encoding.false)

    def _needed(self, part: Change) -> int:
        return (self._encoding.capacity(part.place) + part.delta).bit_length()
