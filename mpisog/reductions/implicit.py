"""Places that never keep a transition from firing, because other places do."""

from __future__ import annotations

from mpisog import _native
from mpisog.reductions.endless import may_run_on
from mpisog.reductions.working import Bag, WorkingNet

SEARCH_STEPS = 60
"""Weightings looked at for one place before it counts as needed."""


def implicit_places(net: WorkingNet) -> int:
    """Remove places, in no comparison, that a weighting of others shows to be always sufficient.

    Sound: see ``implies``. Keeps every word, ``dead`` and events too. As with sink places, one that
    may gain for ever over the others stays.
    """
    candidates, net.touched = sorted(net.touched - net.atoms.factors.keys()), set()
    if not candidates:
        return 0
    removed = 0
    search = _searcher(net)
    for place in candidates:
        weights = search.weights(place, SEARCH_STEPS)
        if weights is not None and implies(net, dict(weights), place):
            net.remove_place(place)
            search.remove(place)
            removed += 1
        if net.hurry():
            break
    return removed


def implies(net: WorkingNet, weights: Bag, place: int) -> bool:
    """Whether the weighted others never let a transition through that ``place`` would stop.

    If every firing adds to ``place`` at least what it adds to the weighted sum of the others, then
    ``place`` always holds that sum and the difference at first. A transition whose other inputs
    suffice finds there at least their weighted sum and the difference: that must be enough.
    """
    return max(_excess(net, weights, place).values(), default=0) <= 0 and _suffices(
        net, weights, place
    )


def _excess(net: WorkingNet, weights: Bag, place: int) -> Bag:
    """How much more each transition adds to the weighted sum than to the place."""
    excess = {t: -change for t, change in net.changes[place].items()}
    for other, weight in weights.items():
        for t, change in net.changes[other].items():
            excess[t] = excess.get(t, 0) + weight * change
    return excess


def _suffices(net: WorkingNet, weights: Bag, place: int) -> bool:
    difference = net.tokens[place] - sum(w * net.tokens[other] for other, w in weights.items())
    return all(
        net.pre[t][place] <= difference + sum(w * net.pre[t].get(o, 0) for o, w in weights.items())
        for t in net.takers[place]
    )


def _searcher(net: WorkingNet) -> _native.ImpliedPlaces:
    """A native search over the net as it is; it knows places by their own numbers."""
    tokens = [net.tokens.get(place, 0) for place in range(max(net.tokens) + 1)]
    endless = may_run_on(net, net.pre)
    return _native.ImpliedPlaces(
        _native.Net(
            tokens,
            [list(bag.items()) for bag in net.pre.values()],
            [list(bag.items()) for bag in net.post.values()],
        ),
        [number for number, transition in enumerate(net.pre) if transition in endless],
    )
