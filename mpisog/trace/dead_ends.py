"""Short ways to dead markings; no formula, so no Spot."""

from __future__ import annotations

from mpisog import _native
from mpisog.budget import Budget
from mpisog.nets.model import PetriNet
from mpisog.nets.native import native_net


def shorter_way_to_death(
    net: PetriNet, firings: tuple[int, ...], seconds: float, budget: Budget
) -> tuple[tuple[int, ...], bool]:
    """Firings to a dead marking, and whether it is proven that none is nearer."""
    alive = _native.ProductAutomaton([(0, 0, 0), (0, 1, 1), (0, 1, 0)], [[(0, 2, 0)]], [2], 0, 0)
    part = Budget(seconds, within=budget)
    shortener = _native.Shortener(native_net(net), [_native.Dead()], alive, alive, part.poll)
    near = shortener.bad_prefix(len(firings), 0.7 * seconds)
    if near.end == _native.NearestEnd.found:
        firings = tuple(near.prefix)
    if not near.shortest:
        firings = tuple(shortener.trim_bad_prefix(firings, 0.3 * seconds))
    return firings, near.shortest
