"""Silent cycles inside a set of markings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Generic, TypeVar

from mpisog.nets.model import PetriNet
from mpisog.nets.repeatable import repeatable
from mpisog.sog.visibility import effect
from mpisog.symbolic.protocol import Domain, HashedOnce, StateSet, Step

S = TypeVar("S", bound=StateSet)

ATTEMPTS = 3
"""How often a cycle is sought by luck before the search that is sure."""

FEW, MANY = 2_000, 30_000
"""Markings looked at one by one, before the steps are looked into and afterwards."""


def cycle_candidates(
    steps: tuple[Step, ...], effects: Sequence[Mapping[int, int]]
) -> tuple[Step, ...]:
    """The steps that can be part of a cycle: each place they change must be changed back.

    A step that fills a place which no other empties, or empties one which no other fills, is left
    out, until none is.
    """
    fills: dict[int, int] = {}
    empties: dict[int, int] = {}
    changing: dict[int, list[int]] = {}
    for number, step in enumerate(steps):
        for place, amount in effects[step.transition].items():
            count = fills if amount > 0 else empties
            count[place] = count.get(place, 0) + 1
            changing.setdefault(place, []).append(number)
    gone: set[int] = set()
    todo = [place for place in changing if not (fills.get(place) and empties.get(place))]
    while todo:
        for number in changing[todo.pop()]:
            if number in gone:
                continue
            gone.add(number)
            for place, amount in effects[steps[number].transition].items():
                count = fills if amount > 0 else empties
                count[place] -= 1
                if not count[place]:
                    todo.append(place)
    return HashedOnce(step for number, step in enumerate(steps) if number not in gone)


def repeating_steps(net: PetriNet, steps: tuple[Step, ...]) -> tuple[Step, ...]:
    """The same by linear programming: what no combination of the others makes up for goes too."""
    changes = [effect(net.transitions[step.transition]) for step in steps]
    return HashedOnce(steps[index] for index in repeatable(changes, len(net.places)))


class CycleMemory(Generic[S]):
    """What is known of silent cycles among the markings of one label.

    A set that is closed under the steps has a cycle when it has a marking that lies on one, and no
    cycle passes through a closed set that has none: only what is new needs a look.
    """

    def __init__(self, domain: Domain[S], steps: tuple[Step, ...]) -> None:
        self._domain = domain
        self._steps = steps
        self._repeating: tuple[Step, ...] | None = None
        self._without = domain.empty()
        self._on_cycles = domain.empty()

    def has_cycle(self, states: S, *, is_closed: bool) -> bool:
        """Whether the set has a cycle inside; ``is_closed`` when no step leads out of it."""
        if is_closed and states & self._on_cycles:
            return True
        found = self.find(states - self._without)
        if found is None:
            if is_closed:
                self._without = self._without | states
            return False
        # All that can reach it would serve as well, but costs more than to find a cycle again.
        self._on_cycles = self._on_cycles | found
        return True

    def find(self, states: S) -> S | None:
        """The set of one marking that can come back to itself inside the set; or nothing."""
        steps = self._steps if self._repeating is None else self._repeating
        if not states or not steps:
            return None
        explicit = self._domain.explicit_cycle(states, steps, FEW)
        if explicit is None:
            return None
        if not isinstance(explicit, bool):
            return self._domain.singleton(explicit)
        if self._repeating is None:
            self._repeating = repeating_steps(self._domain.net, self._steps)
        return find_cycle(self._domain, states, self._repeating)


def find_cycle(domain: Domain[S], states: S, steps: tuple[Step, ...]) -> S | None:
    """The set of one marking that can come back to itself inside the set; or nothing.

    Most sets with a cycle have one behind any marking, so that is tried a few times before all
    that cannot go on for ever is taken away.
    """
    if not states or not steps:
        return None
    explicit = domain.explicit_cycle(states, steps, MANY)
    if explicit is None:
        return None
    if not isinstance(explicit, bool):
        return domain.singleton(explicit)
    found = _behind(domain, states, steps, states, ATTEMPTS)
    if found is None:
        core = _cyclic_core(domain, states, steps)
        found = _behind(domain, core, steps, core, None)
    return found


def _behind(
    domain: Domain[S], starts: S, steps: tuple[Step, ...], within: S, attempts: int | None
) -> S | None:
    """Pick a marking, and if it does not come back, one of those that it reaches, and so on."""
    while starts and attempts != 0:
        start = domain.singleton(domain.pick(starts))
        after = domain.image(start, steps) & within
        reached = domain.closure(after, steps, within)
        if reached & start:
            return start
        starts = within = reached  # strictly less
        attempts = None if attempts is None else attempts - 1
    return None


def _cyclic_core(domain: Domain[S], states: S, steps: tuple[Step, ...]) -> S:
    """The markings from which one can go on for ever.

    What cannot go on is taken away; after the first time only what led there can be stuck.
    """
    core = states
    stuck = core - domain.preimage(core, steps)
    while stuck:
        core = core - stuck
        doubtful = domain.preimage(stuck, steps) & core
        onwards = domain.image(doubtful, steps) & core
        stuck = doubtful - domain.preimage(onwards, steps)
    return core
