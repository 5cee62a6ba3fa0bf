"""One linear program: a weighting of places that excludes a system of inequalities.

A weighting ``y`` of the places that no firing increases keeps ``y·m <= y·m0``. If it weighs at
least as much as a sum of a system's rows that asks for more than ``y·m0``, the system has no
reachable solution. The solver finds such a weighting in floats; it counts only after rounding to
rationals and checking in integers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from mpisog.state_equation.rounding import integers, sparse
from mpisog.state_equation.systems import System

_CLEARLY = 1e-6
"""What a sum must exceed in floats before rounding is tried."""


class Program:
    """Some places with their initial tokens, and what firings change of them."""

    def __init__(self, initial: Sequence[int], changes: Sequence[Mapping[int, int]]) -> None:
        self._initial = initial
        self._changes = changes

    def excludes(self, system: System, seconds: float) -> bool | None:
        """Whether no reachable marking solves the system; nothing when no weighting was found."""
        found = self.find(system, seconds)
        return None if found is None else self.refutes(system, *found)

    def find(self, system: System, seconds: float) -> tuple[list[int], list[int]] | None:
        """Factors of the rows and weights of the places, as the solver proposes them."""
        from scipy.optimize import linprog
        from scipy.sparse import block_array

        rows, places = len(system), len(self._initial)
        cost = [-float(bound) for _, bound in system] + list(map(float, self._initial))
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
        return sparse(entries, (len(self._initial), len(system)))

    @cached_property
    def _identity(self) -> Any:
        from scipy.sparse import eye_array

        return eye_array(len(self._initial), format="csr")

    @cached_property
    def _growth(self) -> Any:
        entries = [(row, p, d) for row, e in enumerate(self._changes) for p, d in e.items()]
        return sparse(entries, (len(self._changes), len(self._initial)))

    def refutes(self, system: System, factors: Sequence[int], weights: Sequence[int]) -> bool:
        """The exact check: the argument at the top of this file, in integers."""
        if min(factors) < 0:
            return False
        asked: Counter[int] = Counter()
        for factor, (terms, _) in zip(factors, system, strict=True):
            for place, coefficient in terms:
                asked[place] += factor * coefficient
        if any(weight < asked[place] for place, weight in enumerate(weights)):
            return False
        if any(sum(weights[p] * d for p, d in change.items()) > 0 for change in self._changes):
            return False
        available = sum(w * tokens for w, tokens in zip(weights, self._initial, strict=True))
        return sum(f * bound for f, (_, bound) in zip(factors, system, strict=True)) > available
