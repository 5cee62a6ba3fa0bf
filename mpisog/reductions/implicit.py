"""Places that never keep a transition from firing, because other places do."""

from __future__ import annotations

import heapq

from mpisog.reductions.endless import may_run_on
from mpisog.reductions.working import Bag, WorkingNet

SEARCH_STEPS = 40
"""Weightings looked at for one place before it counts as needed."""

MOST_OPEN = 6
"""Transitions to repair beyond which weights are given up."""


def implicit_places(net: WorkingNet) -> int:
    """Remove places, in no comparison, that a weighting of others shows to be always sufficient.

    Sound: see ``implies``. Keeps every word, ``dead`` and events too. As with sink places, one that
    may gain for ever over the others stays.
    """
    candidates, net.touched = sorted(net.touched), set()
    removed = 0
    for place in candidates:
        if place not in net.atoms.factors and not net.hurry() and _implied(net, place):
            net.remove_place(place)
            removed += 1
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


def _implied(net: WorkingNet, place: int) -> bool:
    """Search for weights: whatever a transition adds too much must be taken by another input.

    The lightest weights that leave the fewest transitions to repair come first. Weights that hold
    more than the place at first are hardly ever of use and left out.
    """
    todo: list[tuple[int, int, Bag]] = [(0, 0, {})]
    seen: set[tuple[tuple[int, int], ...]] = {()}
    while todo and len(seen) < SEARCH_STEPS:
        _, _, weights = heapq.heappop(todo)
        excess = _excess(net, weights, place)
        open_transitions = [t for t, amount in excess.items() if amount > 0]
        if not open_transitions:
            if _suffices(net, weights, place) and _bounded(net, excess):
                return True
            continue
        if len(open_transitions) > MOST_OPEN:
            continue
        repaired = min(open_transitions, key=lambda t: (len(net.pre[t]), t))
        spare = net.tokens[place] - sum(w * net.tokens[other] for other, w in weights.items())
        for other in net.pre[repaired]:
            if (
                other == place
                or net.effect[repaired].get(other, 0) >= 0
                or net.tokens[other] > spare
            ):
                continue
            more = {**weights, other: weights.get(other, 0) + 1}
            key = tuple(sorted(more.items()))
            if key not in seen:
                seen.add(key)
                urgency = len(open_transitions) + sum(more.values())
                heapq.heappush(todo, (urgency, len(seen), more))
    return False


def _bounded(net: WorkingNet, excess: Bag) -> bool:
    """Whether the place can gain over the others only finitely often."""
    gains = {t for t, amount in excess.items() if amount}
    return not gains or gains.isdisjoint(may_run_on(net, net.pre))
