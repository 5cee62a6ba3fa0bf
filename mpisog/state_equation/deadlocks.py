"""Whether no dead marking is reachable, because assuming one leads to a contradiction.

In a dead marking every transition lacks an input. A trap, a set of places such that whatever takes
from it gives to it, stays marked once it is. So: a transition that lacks nothing but one place, of
which it needs one token, finds that place empty; a marked trap that is empty but for one place has
a token there. These two steps are repeated until a transition lacks nothing, or a trap is empty.
"""

from __future__ import annotations

import time
from collections import defaultdict, deque
from collections.abc import Sequence
from functools import cached_property

from mpisog.nets.model import PetriNet
from mpisog.nets.semiflows import effects

_LOOKS_EVERY = 256
"""Steps between looks at the clock."""


class Deadlocks:
    """The question for one net; the answer is kept once it is known."""

    def __init__(self, net: PetriNet) -> None:
        self._net = net
        self._answer: bool | None = None

    def excluded(self, seconds: float) -> bool:
        """Whether it is certain that no dead marking is reachable."""
        if self._answer is None:
            deadline = time.monotonic() + seconds
            traps = self._traps(deadline)
            # A few traps are as good as all where they do, and no answer where they do not.
            if _DeadMarking(self._net, self._takers, traps).is_contradiction():
                self._answer = True
            elif time.monotonic() < deadline:
                self._answer = False
        return bool(self._answer)

    def _traps(self, deadline: float) -> list[set[int]]:
        """One around each place that is marked at first, unless it is in one already."""
        found: list[set[int]] = []
        covered: set[int] = set()
        for place, tokens in enumerate(self._net.initial):
            if tokens and place not in covered:
                trap = self._grown(place, deadline)
                if trap:
                    found.append(trap)
                    covered |= trap
                if time.monotonic() > deadline:
                    break
        return found

    def _grown(self, start: int, deadline: float) -> set[int] | None:
        """Takers that can be made up for in one way only come before those with a choice."""
        trap: set[int] = set()
        todo: deque[int] = deque()
        choices: deque[int] = deque()

        def add(place: int) -> None:
            trap.add(place)
            todo.extend(self._takers[place])

        add(start)
        steps = 0
        while todo or choices:
            steps += 1
            if steps % _LOOKS_EVERY == 0 and time.monotonic() > deadline:
                return None
            transition = (todo or choices).popleft()
            if any(place in trap for place, _ in self._net.transitions[transition].post):
                continue
            gained = self._gained(transition)
            if not gained:
                return None
            if len(gained) == 1:
                add(gained[0])
            elif todo:
                choices.append(transition)
            else:
                add(min(gained, key=lambda place: self._open(place, trap)))
        return trap

    def _gained(self, transition: int) -> list[int]:
        """The places that a firing gives to; those with more tokens than before, if there are."""
        gained = [place for place, d in effects(self._net)[transition].items() if d > 0]
        return gained or [place for place, _ in self._net.transitions[transition].post]

    def _open(self, place: int, trap: set[int]) -> int:
        """How many takers of the place would have to be made up for next."""
        return sum(
            not any(p in trap or p == place for p, _ in self._net.transitions[taker].post)
            for taker in self._takers[place]
        )

    @cached_property
    def _takers(self) -> list[list[int]]:
        """By place, the transitions that take from it."""
        found: list[list[int]] = [[] for _ in self._net.places]
        for number, transition in enumerate(self._net.transitions):
            for place, _ in transition.pre:
                found[place].append(number)
        return found


class _DeadMarking:
    """What is known of the places of any reachable dead marking, while the steps are repeated."""

    def __init__(
        self, net: PetriNet, takers: Sequence[Sequence[int]], traps: Sequence[set[int]]
    ) -> None:
        self._net = net
        self._takers = takers
        self._traps = traps
        self._traps_of: dict[int, list[int]] = defaultdict(list)
        for number, trap in enumerate(traps):
            for place in trap:
                self._traps_of[place].append(number)
        self._left = [len(trap) for trap in traps]
        """Places of each trap that are not known to be empty."""
        self._marked: dict[int, bool] = {}
        self._todo: deque[int] = deque()

    def is_contradiction(self) -> bool:
        """Whether there can be none."""
        for trap in self._traps:
            if len(trap) == 1:
                self._learn(min(trap), True)
        if any(map(self._is_enabled, range(len(self._net.transitions)))):
            return True
        while self._todo:
            if self._is_impossible(self._todo.popleft()):
                return True
        return False

    def _is_impossible(self, place: int) -> bool:
        """Whether what has been learnt of the place leads to a contradiction at once."""
        if self._marked[place]:
            return any(map(self._is_enabled, self._takers[place]))
        return any(map(self._is_emptied, self._traps_of[place]))

    def _learn(self, place: int, marked: bool) -> None:
        if place not in self._marked:
            self._marked[place] = marked
            self._todo.append(place)

    def _is_enabled(self, transition: int) -> bool:
        """Whether it lacks nothing; what it lacks is learnt when that is one place."""
        arcs = self._net.transitions[transition].pre
        if any(self._marked.get(place) is False for place, _ in arcs):
            return False
        # A marked place may still have too few tokens for more than one.
        lacking = [(p, w) for p, w in arcs if w > 1 or p not in self._marked]
        if len(lacking) == 1 and lacking[0][1] == 1:
            self._learn(lacking[0][0], False)
        return not lacking

    def _is_emptied(self, trap: int) -> bool:
        """Count a place less; whether none is left, or known to be left."""
        self._left[trap] -= 1
        if self._left[trap] != 1:
            return not self._left[trap]
        last = next((p for p in self._traps[trap] if self._marked.get(p) is not False), None)
        if last is not None:
            self._learn(last, True)
        return last is None
