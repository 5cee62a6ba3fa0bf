"""Which changes of markings can be part of a cycle.

A weighting of places that no change of a family lowers cannot be raised in a cycle. A linear
program finds one that is raised by as many changes as possible; the solver works with floats, so
its answer counts only after rounding to rationals and checking in integers.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence

from mpisog.nets.bounds import program_fits, rational, sparse

SECONDS = 2.0
"""For one program."""


def repeatable(
    changes: Sequence[Mapping[int, int]], places: int, seconds: float = SECONDS
) -> list[int]:
    """Indices of the changes that may be part of a cycle; all others are not, for certain.

    A change maps places to the tokens it adds. Large families are not looked into.
    """
    everything = list(range(len(changes)))
    if not changes or not program_fits(changes):
        return everything
    weights = _weighting(changes, places, time.monotonic() + seconds)
    if weights is None:
        return everything
    gains = [sum(weights[place] * tokens for place, tokens in c.items()) for c in changes]
    return everything if min(gains) < 0 else [i for i, gain in enumerate(gains) if gain == 0]


def _weighting(
    changes: Sequence[Mapping[int, int]], places: int, deadline: float
) -> list[int] | None:
    """Weights, of either sign, that no change lowers and most changes raise by one or more."""
    # Start-up time: most checks do without scipy.
    from scipy.optimize import linprog
    from scipy.sparse import eye_array, hstack

    count = len(changes)
    raised = hstack([-sparse(changes, places), eye_array(count)], format="csr")
    result = linprog(
        [0] * places + [-1] * count,
        A_ub=raised,
        b_ub=[0] * count,
        bounds=[(None, None)] * places + [(0, 1)] * count,
        method="highs",
        options={"time_limit": max(0.01, deadline - time.monotonic())},
    )
    return None if result.x is None else rational(result.x[:places])
