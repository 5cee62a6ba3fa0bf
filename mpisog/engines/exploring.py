"""The figures of a whole state space, for ``mpisog states``."""

from __future__ import annotations

import time
from dataclasses import dataclass

from mpisog import _native
from mpisog.engines.explicit import unbounded_reason
from mpisog.engines.session import Session
from mpisog.errors import LimitReached, Unbounded
from mpisog.limits import Watch
from mpisog.nets.model import PetriNet


@dataclass(frozen=True)
class StateFigures:
    """Exact figures of the reachability graph."""

    states: int
    edges: int
    """Firings: pairs of a marking and a transition enabled in it."""
    dead: int
    max_tokens_in_marking: int
    max_tokens_in_place: int
    seconds: float
    bytes: int
    packed_bytes_per_marking: int


def explore(net: PetriNet, watch: Watch) -> StateFigures:
    """Visit every marking; raises ``LimitReached`` when the watch ends it."""
    started = time.monotonic()
    try:
        figures = _native.explore(Session(net).native_net, watch.beat)
    except MemoryError:
        raise LimitReached("out of memory") from None
    if figures.outcome == _native.Outcome.unbounded:
        raise Unbounded(unbounded_reason(net, figures.unbounded_place))
    if figures.outcome == _native.Outcome.stopped:
        assert watch.stopped is not None
        raise watch.stopped
    return StateFigures(
        states=figures.states,
        edges=figures.edges,
        dead=figures.dead,
        max_tokens_in_marking=figures.max_tokens_in_marking,
        max_tokens_in_place=figures.max_tokens_in_place,
        seconds=time.monotonic() - started,
        bytes=figures.bytes,
        packed_bytes_per_marking=figures.packed_bytes_per_marking,
    )
