"""Transitions that no run fires for ever, by linear programming.

A weighting of places without negative weights that no firing increases can only be decreased
finitely often: a transition that decreases it fires finitely often in every run. As elsewhere, the
solver's weighting counts only after rounding and checking in integers.
"""

from __future__ import annotations

from mpisog.nets.model import PetriNet
from mpisog.nets.semiflows import MAX_NONZEROS, effects
from mpisog.settling.rounding import integers, sparse


def finite_transitions(net: PetriNet, seconds: float) -> frozenset[int]:
    """Transitions that fire finitely often in every run; all that one program finds."""
    from scipy.optimize import linprog
    from scipy.sparse import eye_array, hstack

    changes = effects(net)
    if not changes or not net.places or sum(map(len, changes)) > MAX_NONZEROS:
        return frozenset()
    entries = [(row, place, d) for row, change in enumerate(changes) for place, d in change.items()]
    growth = sparse(entries, (len(changes), len(net.places)))
    result = linprog(
        [0.0] * len(net.places) + [-1.0] * len(changes),
        A_ub=hstack([growth, eye_array(len(changes))], format="csr"),
        b_ub=[0.0] * len(changes),
        bounds=[(0, None)] * len(net.places) + [(0, 1)] * len(changes),
        method="highs",
        options={"time_limit": seconds},
    )
    if result.x is None:
        return frozenset()
    weights = integers(result.x[: len(net.places)])
    gains = [sum(weights[place] * d for place, d in change.items()) for change in changes]
    if min(weights) < 0 or max(gains) > 0:
        return frozenset()
    return frozenset(index for index, gain in enumerate(gains) if gain < 0)
