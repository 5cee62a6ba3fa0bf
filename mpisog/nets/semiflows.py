"""Semiflows (non-negative invariants) by Farkas' algorithm, given up when they are not cheap.

Vectors are kept sparse, and only those of minimal support: these generate all others. A vector of
the cone that satisfies one equation more stays minimal, so only new combinations need the test.
"""

from __future__ import annotations

import heapq
import math
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from mpisog.nets.model import PetriNet

Flow = tuple[tuple[int, int], ...]
"""(index, weight) pairs with positive weights, sorted."""

Effect = Mapping[int, int]
"""Index to change; zero changes are left out."""

MAX_VECTORS = 20_000
MAX_NONZEROS = 200_000


def effects(net: PetriNet) -> Sequence[Effect]:
    """For each transition, what firing adds to each place."""
    return net.effects


def place_semiflows(net: PetriNet, seconds: float = 1.0) -> tuple[Flow, ...] | None:
    """All minimal weightings of places that no firing changes, or ``None`` when too expensive."""
    return _semiflows(_transpose(effects(net), len(net.places)), seconds)


def transition_semiflows(net: PetriNet, seconds: float = 1.0) -> tuple[Flow, ...] | None:
    """All minimal firing counts that restore a marking, or ``None`` when too expensive."""
    return _semiflows(effects(net), seconds)


def _transpose(changes: Sequence[Effect], size: int) -> list[dict[int, int]]:
    rows: list[dict[int, int]] = [{} for _ in range(size)]
    for column, change in enumerate(changes):
        for row, delta in change.items():
            rows[row][column] = delta
    return rows


def _semiflows(rows: Sequence[Effect], seconds: float) -> tuple[Flow, ...] | None:
    if len(rows) > MAX_VECTORS or sum(map(len, rows)) > MAX_NONZEROS:
        return None
    try:
        return _Farkas(rows, time.monotonic() + seconds).solve()
    except _TooExpensiveError:
        return None


class _TooExpensiveError(Exception):
    """Time is up or there are too many vectors."""


@dataclass(frozen=True, slots=True)
class _Vector:
    """A non-negative combination of rows and what is left of it in the open columns."""

    weights: Mapping[int, int]
    residual: Mapping[int, int]
    support: int


class _Farkas:
    """The vectors of the present cone, with the indices that find them."""

    def __init__(self, rows: Sequence[Effect], deadline: float) -> None:
        self._deadline = deadline
        self._vectors: dict[int, _Vector] = {}
        self._by_column: dict[int, set[int]] = defaultdict(set)
        self._by_anchor: dict[int, set[int]] = defaultdict(set)
        self._queue: list[tuple[int, int]] = []
        self._fresh = 0
        for index, row in enumerate(rows):
            self._add(_Vector({index: 1}, row, 1 << index))

    def solve(self) -> tuple[Flow, ...]:
        """Eliminate column by column, the one with the fewest combinations first."""
        for column in self._by_column:
            self._enqueue(column)
        while self._queue:
            self._check_limits()
            cost, column = heapq.heappop(self._queue)
            if not self._by_column[column]:
                continue
            if cost < self._cost(column):
                self._enqueue(column)
            else:
                self._eliminate(column)
        return tuple(sorted(tuple(sorted(v.weights.items())) for v in self._vectors.values()))

    def _cost(self, column: int) -> int:
        up, down = self._sides(column)
        return len(up) * len(down) - len(up) - len(down)

    def _sides(self, column: int) -> tuple[list[_Vector], list[_Vector]]:
        vectors = [self._vectors[key] for key in self._by_column[column]]
        up = [v for v in vectors if v.residual[column] > 0]
        return up, [v for v in vectors if v.residual[column] < 0]

    def _enqueue(self, column: int) -> None:
        heapq.heappush(self._queue, (self._cost(column), column))

    def _eliminate(self, column: int) -> None:
        up, down = self._sides(column)
        touched = {c for v in (*up, *down) for c in v.residual} - {column}
        for key in list(self._by_column[column]):
            self._remove(key)
        for vector in sorted(self._combinations(up, down, column), key=_support_size):
            self._check_limits()
            if not self._covers_another(vector):
                self._add(vector)
        for other in touched:
            self._enqueue(other)

    def _combinations(
        self, up: Sequence[_Vector], down: Sequence[_Vector], column: int
    ) -> Iterator[_Vector]:
        if len(up) * len(down) > MAX_VECTORS:
            raise _TooExpensiveError
        for one, other in product(up, down):
            self._check_limits()
            yield _combine(one, other, column)

    def _covers_another(self, vector: _Vector) -> bool:
        """Whether the support of some kept vector lies within this one's."""
        return any(
            self._vectors[key].support & ~vector.support == 0
            for row in vector.weights
            for key in self._by_anchor[row]
        )

    def _check_limits(self) -> None:
        if len(self._vectors) > MAX_VECTORS or time.monotonic() > self._deadline:
            raise _TooExpensiveError

    def _add(self, vector: _Vector) -> None:
        self._fresh += 1
        self._vectors[self._fresh] = vector
        self._by_anchor[min(vector.weights)].add(self._fresh)
        for column in vector.residual:
            self._by_column[column].add(self._fresh)

    def _remove(self, key: int) -> None:
        vector = self._vectors.pop(key)
        self._by_anchor[min(vector.weights)].discard(key)
        for column in vector.residual:
            self._by_column[column].discard(key)


def _support_size(vector: _Vector) -> int:
    return len(vector.weights)


def _combine(one: _Vector, other: _Vector, column: int) -> _Vector:
    """The least positive combination that is zero in a column where the two have unlike signs."""
    factor, other_factor = -other.residual[column], one.residual[column]
    weights = _sum(one.weights, factor, other.weights, other_factor)
    residual = _sum(one.residual, factor, other.residual, other_factor)
    common = math.gcd(*weights.values(), *residual.values())
    if common > 1:
        weights = {row: weight // common for row, weight in weights.items()}
        residual = {c: value // common for c, value in residual.items()}
    return _Vector(weights, residual, one.support | other.support)


def _sum(a: Mapping[int, int], factor: int, b: Mapping[int, int], other: int) -> dict[int, int]:
    total = {key: value * factor for key, value in a.items()}
    for key, value in b.items():
        total[key] = total.get(key, 0) + value * other
    return {key: value for key, value in total.items() if value}
