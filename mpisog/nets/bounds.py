"""Structural bounds by linear programming, each found vector checked exactly in integers.

A weighting of places that no firing increases bounds every place it weighs. The solver works with
floats, so its answer counts only after rounding to rationals and checking in integers.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from mpisog import _native
from mpisog.nets.model import PetriNet
from mpisog.nets.semiflows import MAX_NONZEROS, Effect, effects, place_semiflows

_DENOMINATOR = 1_000
_INFEASIBLE = 2

_MANY_PROGRAMS = 200
"""Places without an invariant beyond which no linear programs are tried for them."""

_BYTES_OF_NONZERO = 1_500
"""What scipy and its solver take for each entry of a large program: measured with 200,000."""


@dataclass
class PlaceWeightings:
    """Questions about weightings of a net's places, answered within a time limit.

    Answers are ``None`` where the net is too large, time ran out or rounding failed.
    """

    net: PetriNet
    deadline: float
    _effects: Sequence[Effect] = field(init=False)

    def __post_init__(self) -> None:
        self._effects = effects(self.net)

    def conservative(self) -> bool | None:
        """Whether some weighting of all places is constant."""
        return self._positive(constant=True)

    def structurally_bounded(self) -> bool | None:
        """Whether some weighting of all places never grows, so that no marking is unbounded."""
        return self._positive(constant=False)

    def one_safe(self) -> bool | None:
        """True when weightings that never grow keep each place at one token, else not known."""
        open_places = dict.fromkeys(range(len(self.net.places)))
        while open_places:
            place = next(iter(open_places))
            safe = self._made_safe(self._weighting_for(place))
            if place not in safe:
                return None
            for made in safe:
                open_places.pop(made, None)
        return True

    def that_bound(self, place: int) -> dict[int, int]:
        """A weighting that never grows and weighs the place, without its zeros; empty if none."""
        weights = self._weighting_for(place)
        if weights is None or not _never_grows(weights, self._effects, constant=False):
            return {}
        return {place: weight for place, weight in enumerate(weights) if weight}

    def _made_safe(self, weights: Sequence[int] | None) -> list[int]:
        if weights is None or not _never_grows(weights, self._effects, constant=False):
            return []
        total = sum(w * tokens for w, tokens in zip(weights, self.net.initial, strict=True))
        return [place for place, weight in enumerate(weights) if total < 2 * weight]

    def _weighting_for(self, place: int) -> list[int] | None:
        """The weighting with the least initial value that gives a place weight one."""
        bounds: list[tuple[int, int | None]] = [(0, None)] * len(self.net.places)
        bounds[place] = (1, 1)
        result = self._solve(self.net.initial, bounds, constant=False)
        return None if result is None or result.x is None else rational(result.x)

    def _positive(self, constant: bool) -> bool | None:
        size = len(self.net.places)
        result = self._solve([1] * size, [(1, None)] * size, constant)
        if result is None:
            return None
        if result.status == _INFEASIBLE:
            return False
        weights = None if result.x is None else rational(result.x)
        if weights is None or min(weights) < 1:
            return None
        return True if _never_grows(weights, self._effects, constant) else None

    def _solve(
        self, cost: Sequence[int], bounds: Sequence[tuple[int, int | None]], constant: bool
    ) -> Any:
        left = self.deadline - time.monotonic()
        if left <= 0 or not program_fits(self._effects):
            return None
        # Start-up time: only these facts need scipy.
        from scipy.optimize import linprog

        matrix = sparse(self._effects, len(self.net.places))
        zeros = [0] * len(self._effects)
        system = {"A_eq": matrix, "b_eq": zeros} if constant else {"A_ub": matrix, "b_ub": zeros}
        return linprog(cost, bounds=bounds, method="highs", options={"time_limit": left}, **system)


def program_fits(changes: Sequence[Effect]) -> bool:
    """Whether a linear program over these is small enough for time and memory."""
    nonzeros = sum(map(len, changes))
    return nonzeros <= MAX_NONZEROS and _native.memory_fits(nonzeros * _BYTES_OF_NONZERO)


def place_bounds(net: PetriNet, seconds: float = 1.0) -> list[int | None]:
    """For each place the most tokens its net can ever put there, where that is cheap to know."""
    deadline = time.monotonic() + seconds
    bounds: list[int | None] = [None] * len(net.places)
    for flow in place_semiflows(net, seconds / 2) or ():
        _tighten(bounds, dict(flow), net)
    weightings = PlaceWeightings(net, deadline)
    open_places = [place for place, bound in enumerate(bounds) if bound is None]
    for place in open_places if len(open_places) <= _MANY_PROGRAMS else ():
        if bounds[place] is None:
            _tighten(bounds, weightings.that_bound(place), net)
    return bounds


def _tighten(bounds: list[int | None], weights: Mapping[int, int], net: PetriNet) -> None:
    total = sum(weight * net.initial[place] for place, weight in weights.items())
    for place, weight in weights.items():
        known = bounds[place]
        bounds[place] = total // weight if known is None else min(known, total // weight)


def sparse(changes: Sequence[Mapping[int, int]], width: int) -> Any:
    """The changes as the rows of a matrix."""
    from scipy.sparse import csr_array

    entries = [(row, place, d) for row, change in enumerate(changes) for place, d in change.items()]
    rows, columns, values = zip(*entries, strict=True) if entries else ((), (), ())
    return csr_array((list(map(float, values)), (rows, columns)), shape=(len(changes), width))


def rational(values: Iterable[float]) -> list[int]:
    """The rational vector close to a float one, scaled to integers."""
    fractions = [Fraction(float(value)).limit_denominator(_DENOMINATOR) for value in values]
    scale = math.lcm(*(fraction.denominator for fraction in fractions))
    return [int(fraction * scale) for fraction in fractions]


def _never_grows(weights: Sequence[int], changes: Sequence[Effect], constant: bool) -> bool:
    gains = (sum(weights[place] * d for place, d in change.items()) for change in changes)
    if min(weights, default=0) < 0:
        return False
    return all(gain == 0 or (gain < 0 and not constant) for gain in gains)
