"""Sets of places whose tokens no firing increases, grown from a few places step by step.

A linear program finds any weighting but is slow on a large net; most weightings that matter there
weigh each place with one or not at all, such as the places among which a token moves. Wherever a
firing would add to the set, one of its inputs joins. What comes out is checked in integers.
"""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from functools import cached_property

from mpisog.nets.model import PetriNet
from mpisog.nets.semiflows import effects
from mpisog.state_equation.systems import System

_LOOKS_EVERY = 256
"""Steps between looks at the clock."""

NEAR_STEPS = 2_000
"""Steps of the growth that keeps what is near together: it ends soon, or grows without end."""

Rank = Callable[[int, set[int]], int]
"""Of places that could join a set: the one with the lowest rank does."""


class Components:
    """Questions about one net."""

    def __init__(self, net: PetriNet) -> None:
        self._net = net

    def prepare(self) -> None:
        """Make what all questions need."""
        _ = self._makers

    def exclude(self, system: System, deadline: float) -> bool:
        """Whether a set of places shows that no reachable marking solves the system."""
        rows = [row for row in system if all(factor == 1 for _, factor in row[0])]
        asked = Counter(place for terms, _ in rows for place, _ in terms)
        if not asked or max(asked.values()) > 1:
            return False
        bound = sum(bound for _, bound in rows)
        for rank, steps in (
            (self._open, NEAR_STEPS),
            (self._makers_count, None),
            (lambda place, places: -self._makers_count(place, places), None),
        ):
            found = self._grown(asked, rank, deadline, steps)
            if found and self._never_grows(found) and self._tokens(found) < bound:
                return True
        return False

    def _tokens(self, places: Iterable[int]) -> int:
        return sum(self._net.initial[place] for place in places)

    def _never_grows(self, places: set[int]) -> bool:
        """The exact check, over all transitions that change a place of the set."""
        changes = effects(self._net)
        touching = {t for place in places for t in self._makers[place]}
        return all(
            sum(d for place, d in changes[t].items() if place in places) <= 0 for t in touching
        )

    def _grown(
        self, seeds: Iterable[int], rank: Rank, deadline: float, most_steps: int | None
    ) -> set[int] | None:
        """Until no firing adds to the set; nothing when that cannot be, or takes too long."""
        places = set(seeds)
        todo = [t for place in places for t in self._makers[place]]
        changes = effects(self._net)
        steps = 0
        while todo:
            steps += 1
            if (steps % _LOOKS_EVERY == 0 and time.monotonic() > deadline) or steps == most_steps:
                return None
            transition = todo.pop()
            gain = sum(d for place, d in changes[transition].items() if place in places)
            if gain <= 0:
                continue
            joining = self._choice(transition, places, rank)
            if joining is None:
                return None
            places.add(joining)
            todo += [transition, *self._makers[joining]]
        return places

    def _choice(self, transition: int, places: set[int], rank: Rank) -> int | None:
        changes = effects(self._net)
        inputs = [p for p, d in changes[transition].items() if d < 0 and p not in places]
        fit = [place for place in inputs if self._fits(place, places)]
        if len(fit) < 2:
            return fit[0] if fit else None
        return min(fit, key=lambda place: rank(place, places))

    def _makers_count(self, place: int, _: set[int]) -> int:
        return len(self._makers[place])

    def _open(self, place: int, places: set[int]) -> int:
        """How many transitions would then add to the set by giving to the place."""
        changes = effects(self._net)
        return sum(
            sum(d for other, d in changes[maker].items() if other == place or other in places) > 0
            for maker in self._makers[place]
        )

    def _fits(self, place: int, places: set[int]) -> bool:
        """Whether those who add to the place could still be made up for by inputs of theirs."""
        changes = effects(self._net)
        for maker in self._makers[place]:
            gain = changes[maker][place]
            for other, d in changes[maker].items():
                if other in places or d < 0:
                    gain += d
            if gain > 0:
                return False
        return True

    @cached_property
    def _makers(self) -> dict[int, list[int]]:
        """By place, the transitions that add to it."""
        found: dict[int, list[int]] = defaultdict(list)
        for number, change in enumerate(effects(self._net)):
            for place, d in change.items():
                if d > 0:
                    found[place].append(number)
        return found
