"""Which transitions to leave out of aggregates, so that these stay small.

Markings multiply where parts of a net move together. Without a transition that touches many
others the rest falls apart into pieces that hardly meet, so those are left out first.
"""

from __future__ import annotations

from mpisog.nets.model import PetriNet
from mpisog.sog.observation import Observation


def choose_forbidden(observation: Observation, count: int) -> frozenset[int]:
    """Transitions that can be silent, one by one those with the most neighbours left."""
    net = observation.net
    left = {
        index
        for index in range(len(net.transitions))
        if index not in observation.events and observation.may_stay(index)
    }
    neighbours = {index: found & left for index, found in _neighbours(net).items() if index in left}
    chosen: set[int] = set()
    while left and len(chosen) < count:
        most = max(left, key=lambda index: (len(neighbours[index]), -index))
        left.remove(most)
        chosen.add(most)
        for other in neighbours[most]:
            neighbours[other].discard(most)
    return frozenset(chosen)


def _neighbours(net: PetriNet) -> dict[int, set[int]]:
    """For each transition the others that share a place with it."""
    touching: dict[int, set[int]] = {}
    for index, transition in enumerate(net.transitions):
        for place, _ in (*transition.pre, *transition.post):
            touching.setdefault(place, set()).add(index)
    found: dict[int, set[int]] = {index: set() for index in range(len(net.transitions))}
    for around in touching.values():
        for index in around:
            found[index] |= around - {index}
    return found
