"""Systems of inequalities that no reachable marking solves (see ``program.py``).

In a large net a weighting is looked for near the places of the system first: places without a
weight, and firings that change none that has one, need not be in the program.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cached_property

from mpisog.nets.model import Marking, PetriNet
from mpisog.nets.semiflows import Effect, effects
from mpisog.state_equation.components import Components
from mpisog.state_equation.program import Program
from mpisog.state_equation.quotient import Quotient
from mpisog.state_equation.systems import System
from mpisog.state_equation.units import Units

WHOLE_NONZEROS = 50_000
"""Changes of places by firings up to which the whole net makes one program."""

SMALL_NONZEROS = 5_000
"""Up to which that program is fast enough to come first."""

NEAR_NONZEROS = 4_000
"""Up to which a neighbourhood in a larger net does."""

SEED_ROWS = 64
"""Inequalities whose places a neighbourhood begins with; others count where it reaches them."""


class StateEquation:
    """Questions about one net's reachable markings; answers are kept."""

    def __init__(self, net: PetriNet) -> None:
        import scipy.optimize  # noqa: F401 - takes a moment, which no question should pay for

        self._net = net
        self._answers: dict[System, bool] = {}
        if self._size > SMALL_NONZEROS:  # no question should pay for that either
            self._components.prepare()
            self._quotient.prepare()
        if self._is_large:
            _ = self._changers

    def excludes(self, system: System, seconds: float) -> bool:
        """Whether it is certain that no reachable marking solves the system."""
        if system not in self._answers:
            if _solves(self._net.initial, system):
                self._answers[system] = False
            elif seconds <= 0:
                return False
            else:
                started = time.monotonic()
                found = self._ask(system, started + seconds)
                if found is None and time.monotonic() - started >= seconds:
                    return False  # for lack of time: it may be asked again
                self._answers[system] = bool(found)
        return self._answers[system]

    def _ask(self, system: System, deadline: float) -> bool | None:
        if any(bound > 0 for terms, bound in system if not terms) or self._units.exclude(system):
            return True
        if self._size <= SMALL_NONZEROS:
            return self._whole.excludes(system, deadline - time.monotonic())
        if self._components.exclude(system, deadline):
            return True
        if not self._is_large:
            if self._quotient.excludes(system, deadline):
                return True
            left = deadline - time.monotonic()
            return self._whole.excludes(system, left) if left > 0 else None
        for program, part in self._neighbourhoods(system):
            left = deadline - time.monotonic()
            if left <= 0:
                return None
            if part and program.excludes(part, left):
                return True
        return self._quotient.excludes(system, deadline) or None

    def _neighbourhoods(self, system: System) -> Iterator[tuple[Program, System]]:
        """Larger and larger parts of the net, each with what the system says about its places."""
        places = {place for terms, _ in system[:SEED_ROWS] for place, _ in terms}
        while True:
            touching = {number for place in places for number in self._changers[place]}
            changes = [self._effects[number] for number in sorted(touching)]
            if sum(map(len, changes)) > NEAR_NONZEROS:
                return
            number_of = {place: number for number, place in enumerate(sorted(places))}
            program = Program(
                [self._net.initial[place] for place in number_of],
                [{number_of[p]: d for p, d in c.items() if p in number_of} for c in changes],
            )
            part = tuple(
                (tuple((number_of[place], factor) for place, factor in terms), bound)
                for terms, bound in system
                if all(place in number_of for place, _ in terms)
            )
            yield program, part
            grown = places.union(*changes)
            if len(grown) == len(places):
                return
            places = grown

    @cached_property
    def _effects(self) -> Sequence[Effect]:
        """What firings change, each change once."""
        changes = effects(self._net)
        if sum(map(len, changes)) > WHOLE_NONZEROS:
            return changes  # finding out which are the same costs more than it saves
        distinct = {tuple(sorted(effect.items())) for effect in changes}
        return [dict(effect) for effect in sorted(distinct) if effect]

    @cached_property
    def _changers(self) -> dict[int, list[int]]:
        """By place, the numbers of the changes that it is part of."""
        found: dict[int, list[int]] = defaultdict(list)
        for number, effect in enumerate(self._effects):
            for place in effect:
                found[place].append(number)
        return found

    @cached_property
    def _size(self) -> int:
        return sum(map(len, self._effects))

    @property
    def _is_large(self) -> bool:
        return self._size > WHOLE_NONZEROS

    @cached_property
    def _components(self) -> Components:
        return Components(self._net)

    @cached_property
    def _quotient(self) -> Quotient:
        return Quotient(self._net.initial, self._effects)

    @cached_property
    def _units(self) -> Units:
        return Units(self._net)

    @cached_property
    def _whole(self) -> Program:
        return Program(self._net.initial, self._effects)


def _solves(marking: Marking, system: System) -> bool:
    return all(sum(c * marking[p] for p, c in terms) >= bound for terms, bound in system)
