"""How a run can go on from a marking: to a dead marking, or round a cycle."""

from __future__ import annotations

from mpisog.budget import Budget
from mpisog.nets.model import Marking, PetriNet
from mpisog.nets.semantics import successors

LOOKS_EVERY = 256
"""Markings between looks at the budget."""


def some_ending(
    net: PetriNet, start: Marking, budget: Budget
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Firings from the marking to a dead marking or a cycle, and the cycle's (none when dead).

    Always the first transition that is enabled: with finitely many markings one comes again.
    """
    met = {start: 0}
    firings: list[int] = []
    here = start
    while True:
        if len(firings) % LOOKS_EVERY == 0:
            budget.check()
        following = next(successors(net, here), None)
        if following is None:
            return tuple(firings), ()
        firing, here = following
        firings.append(firing)
        if here in met:
            return tuple(firings[: met[here]]), tuple(firings[met[here] :])
        met[here] = len(firings)
