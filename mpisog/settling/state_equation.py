"""Systems of inequalities that no reachable marking solves, by linear programming.

A weighting ``y`` of the places that no firing increases keeps ``y·m <= y·m0``. If it weighs at
least as much as a sum of a system's rows that asks for more than ``y·m0``, the system has no
reachable solution. The solver finds such a weighting in floats; it counts only after rounding to
rationals and checking in integers.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from typing import Any

from mpisog.nets.model import Marking, PetriNet
from mpisog.nets.semiflows import MAX_NONZEROS, effects
from mpisog.settling.rounding import integers, sparse
from mpisog.settling.systems import System

_CLEARLY = 1e-6
"""What a sum must exceed in floats before rounding is tried."""


class StateEquation:
    """Questions about one net's reachable markings; answers are kept."""

    def __init__(self, net: PetriNet) -> None:
        import scipy.optimize  # noqa: F401 - takes a moment, which no question should pay for

        self._net = net
        self._answers: dict[System, bool] = {}

    def excludes(self, system: System, seconds: float) -> bool:
        """Whether it is certain that no reachable marking solves the system."""
        if system not in self._answers:
            if _solves(self._net.initial, system):
                self._answers[system] = False
            elif self._is_large or seconds <= 0:
                return False
            else:
                started = time.monotonic()
                found = self._find(system, seconds)
                if found is None and time.monotonic() - started >= seconds:
                    return False  # for lack of time: it may be asked again
                self._answers[system] = found is not None and self._refutes(system, *found)
        return self._answers[system]

    @cached_property
    def _effects(self) -> list[dict[int, int]]:
        """What firings change, each change once."""
        distinct = {tuple(sorted(effect.items())) for effect in effects(self._net)}
        return [dict(effect) for effect in sorted(distinct) if effect]

    @cached_property
    def _is_large(self) -> bool:
        return sum(map(len, self._effects)) > MAX_NONZEROS

    def _find(self, system: System, seconds: float) -> tuple[list[int], list[int]] | None:
        """Factors of the rows and weights of the places, as the solver proposes them."""
        from scipy.optimize import linprog
        from scipy.sparse import block_array

        rows, places = len(system), len(self._net.places)
        cost = [-float(bound) for _, bound in system] + list(map(float, self._net.initial))
        matrix = block_array(
            [[self._rows_by_place(system), -self._identity], [None, self._growth]], format="csr"
        )
        result = linprog(
            cost,
            A_ub=matrix,
            b_ub=[0.0] * matrix.shape[0],
            bounds=[(0, 1)] * rows + [(None, None)] * places,
            method="highs",
            options={"time_limit": seconds},
        )
        if result.x is None or -result.fun <= _CLEARLY:
            return None
        values = integers(result.x)
        return values[:rows], values[rows:]

    def _rows_by_place(self, system: System) -> Any:
        entries = [(p, row, c) for row, (terms, _) in enumerate(system) for p, c in terms]
        return sparse(entries, (len(self._net.places), len(system)))

    @cached_property
    def _identity(self) -> Any:
        from scipy.sparse import eye_array

        return eye_array(len(self._net.places), format="csr")

    @cached_property
    def _growth(self) -> Any:
        entries = [(row, p, d) for row, e in enumerate(self._effects) for p, d in e.items()]
        return sparse(entries, (len(self._effects), len(self._net.places)))

    def _refutes(self, system: System, factors: Sequence[int], weights: Sequence[int]) -> bool:
        """The exact check: the argument at the top of this file, in integers."""
        if min(factors) < 0:
            return False
        asked: Counter[int] = Counter()
        for factor, (terms, _) in zip(factors, system, strict=True):
            for place, coefficient in terms:
                asked[place] += factor * coefficient
        if any(weight < asked[place] for place, weight in enumerate(weights)):
            return False
        if any(sum(weights[p] * d for p, d in effect.items()) > 0 for effect in self._effects):
            return False
        available = sum(w * tokens for w, tokens in zip(weights, self._net.initial, strict=True))
        return sum(f * bound for f, (_, bound) in zip(factors, system, strict=True)) > available


def _solves(marking: Marking, system: System) -> bool:
    return all(sum(c * marking[p] for p, c in terms) >= bound for terms, bound in system)
