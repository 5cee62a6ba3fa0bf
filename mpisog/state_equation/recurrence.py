"""Transitions that no run fires for ever.

A weighting of places without negative weights that no firing increases can only be decreased
finitely often: a transition that decreases it fires finitely often in every run. As elsewhere, the
solver's weighting counts only after rounding and checking in integers.

In a large net, no program is solved: a transition that takes from a place that only transitions add
to which fire finitely often does so too.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from mpisog.nets.model import PetriNet
from mpisog.nets.semiflows import Effect, effects
from mpisog.state_equation.equation import WHOLE_NONZEROS
from mpisog.state_equation.rounding import integers, sparse


def finite_transitions(net: PetriNet, seconds: float) -> frozenset[int]:
    """Transitions that fire finitely often in every run; all that one program finds."""
    from scipy.optimize import linprog
    from scipy.sparse import eye_array, hstack

    changes = effects(net)
    if not changes or not net.places:
        return frozenset()
    if sum(map(len, changes)) > WHOLE_NONZEROS:
        return running_dry(changes)
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


def running_dry(changes: Sequence[Effect]) -> frozenset[int]:
    """Transitions that take from a place that, in the end, none adds to; again and again."""
    adding = Counter(place for change in changes for place, d in change.items() if d > 0)
    takers: dict[int, list[int]] = defaultdict(list)
    for number, change in enumerate(changes):
        for place, d in change.items():
            if d < 0:
                takers[place].append(number)
    finite: set[int] = set()
    dry = [place for place in takers if not adding[place]]
    while dry:
        ending = [t for t in takers[dry.pop()] if t not in finite]
        finite.update(ending)
        for transition in ending:
            for place, d in changes[transition].items():
                if d > 0:
                    adding[place] -= 1
                    if not adding[place]:
                        dry.append(place)
    return frozenset(finite)
