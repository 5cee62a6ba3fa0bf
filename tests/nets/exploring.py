"""Breadth-first search in plain Python, for nets small enough."""

from __future__ import annotations

from mpisog.nets.model import Marking, PetriNet
from mpisog.nets.semantics import successors


def reachable(net: PetriNet, limit: int = 100_000) -> set[Marking]:
    """All reachable markings; fails where there are more than ``limit``."""
    seen, todo = {net.initial}, [net.initial]
    while todo:
        for _, marking in successors(net, todo.pop()):
            if marking not in seen:
                seen.add(marking)
                todo.append(marking)
        assert len(seen) <= limit, f"more than {limit} markings"
    return seen
