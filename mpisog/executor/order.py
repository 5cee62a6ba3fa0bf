"""Which property is next for a worker; with thousands of them that is found as fast as with ten."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Collection, Iterator, Mapping
from enum import IntEnum

from mpisog.executor.property_state import PropertyState


class Urgency(IntEnum):
    """What comes first for several workers; one alone finishes what it has begun."""

    AGAIN = 0
    """A worker has died of it."""
    QUICK = 1
    POLISH = 2
    """A shorter counterexample, or notices."""
    LONG = 3
    POLISH_LATE = 4
    """Few properties are open: these may take longer."""
    RACE = 5
    """Others work on the property."""


Place = tuple[Urgency, int, int]
"""Urgency, round of the next stage, and how many work on the property."""

Group = dict[int | None, dict[int, PropertyState]]
"""Properties by the worker that knows them, and by number."""


class Order:
    """Properties that have no result yet; ``put`` one again whenever something has changed."""

    def __init__(self, workers: int, limited: bool = True) -> None:
        self._workers = workers
        self._limited = limited
        """Whether all stages end in time; else one may keep back what is known for ever."""
        self._groups: dict[Place, Group] = {}
        self._places: dict[int, tuple[Place, int | None]] = {}
        self._open: set[int] = set()

    def __len__(self) -> int:
        return len(self._places)

    @property
    def open(self) -> int:
        """How many have no verdict and may get one."""
        return len(self._open)

    def put(self, state: PropertyState) -> None:
        """Where it belongs now; nowhere, once it has its result."""
        number, worker = state.number, state.worker
        if number in self._places:
            self._take(number)
        self._open.discard(number)
        if state.is_open:
            self._open.add(number)
        if state.result is None:
            place = (self._urgency(state), state.course.round, len(state.running))
            self._groups.setdefault(place, {}).setdefault(worker, {})[number] = state
            self._places[number] = place, worker

    def _take(self, number: int) -> None:
        place, worker = self._places.pop(number)
        group = self._groups[place]
        del group[worker][number]
        if not group[worker]:
            del group[worker]
        if not group:
            del self._groups[place]

    def _urgency(self, state: PropertyState) -> Urgency:
        if state.waiting and (state.is_open or self._workers == 1):
            return Urgency.AGAIN
        if state.waiting:
            return Urgency.POLISH
        if state.running:
            return Urgency.RACE
        return Urgency.QUICK if state.course.round == 0 else Urgency.LONG

    def first(
        self, worker: int, now: float, apart_from: Collection[int] = ()
    ) -> PropertyState | None:
        """The property that comes first for a worker.

        With few open properties not all workers have one of their own to the end. Then a worker
        takes turns with its properties: all end soonest when all end at once.
        """
        few = self._workers > 1 and self.open < 2 * self._workers
        for place in sorted(self._groups, key=_late if few and self._limited else None):
            in_turn = few and place[1] > 0
            for states in _by_owner(self._groups[place], worker, in_turn):
                left = [n for n in states if n not in apart_from] if apart_from else states
                if left and in_turn:
                    return min((states[n] for n in left), key=lambda s: (s.spent(now), s.number))
                if left:
                    return states[min(left)]
        return None


def _late(place: Place) -> Place:
    """Where a place comes in the end, when long stages come before counterexamples."""
    return (Urgency.POLISH_LATE, *place[1:]) if place[0] is Urgency.POLISH else place


def _by_owner(group: Group, worker: int, in_turn: bool) -> Iterator[Mapping[int, PropertyState]]:
    """Those that the worker knows, new ones, those that others know."""
    known, new = group.get(worker, {}), group.get(None, {})
    if in_turn:
        yield {**known, **new}
    else:
        yield known
        yield new
    yield ChainMap(*(states for w, states in group.items() if w not in (worker, None)))
