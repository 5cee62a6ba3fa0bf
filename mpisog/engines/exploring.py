"""The figures of a whole state space, for ``mpisog states``."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from mpisog import _native
from mpisog.engines.session import Session, unbounded_reason
from mpisog.errors import LimitReached, Unbounded, UsageError, nearest
from mpisog.formulas.atoms import Dead
from mpisog.limits import Watch
from mpisog.nets.model import Marking, PetriNet
from mpisog.symbolic.ldd import LddDomain, LddSet
from mpisog.symbolic.protocol import all_steps
from mpisog.trace.paths import shortest_path

EXPLORERS = ("auto", "explicit", "symbolic")
FIRST_LOOK = 0.2
"""Seconds of explicit search before the decision diagrams: enough for a small net, and for most
nets that are unbounded, on which diagrams would grow without end."""


@dataclass(frozen=True)
class StateFigures:
    """Exact figures of the reachability graph."""

    states: int
    edges: int
    """Firings: pairs of a marking and a transition enabled in it."""
    dead: int
    max_tokens_in_marking: int
    max_tokens_in_place: int
    engine: str
    seconds: float
    bytes: int
    packed_bytes_per_marking: int | None = None
    """Of the explicit engine."""
    nodes: int | None = None
    """Of the symbolic engine."""


@dataclass(frozen=True)
class DeadMarking:
    """A dead marking and the firing sequence that leads there."""

    marking: Marking
    path: tuple[int, ...]


def explore(
    net: PetriNet, watch: Watch, engine: str = "auto", order: Sequence[int] | None = None
) -> StateFigures:
    """Exact figures; raises ``LimitReached`` when the watch ends the work."""
    require_explorer(engine)
    if engine == "explicit":
        return _explore_explicitly(net, watch)
    first = _first_look(net, watch)
    if engine == "auto" and first is not None:
        return first
    return _explore_symbolically(net, watch, order)


def require_explorer(engine: str) -> None:
    """A ``UsageError`` for a name that is no explorer."""
    if engine not in EXPLORERS:
        hint = nearest(engine, EXPLORERS) or "there are " + ", ".join(EXPLORERS)
        raise UsageError(f"no engine for states is called '{engine}'", hint=hint)


def find_dead(
    net: PetriNet, watch: Watch, order: Sequence[int] | None = None
) -> DeadMarking | None:
    """A dead marking with a shortest way there, or nothing when there is none."""
    _first_look(net, watch)  # an unbounded net ends here
    domain = LddDomain(net, order, watch)
    reached = _reachable(domain)
    start = domain.singleton(net.initial)
    path = shortest_path(
        domain, start, domain.filter(reached, Dead()), tuple(all_steps(net)), reached
    )
    return None if path is None else DeadMarking(path.end, path.firings)


def _explore_explicitly(net: PetriNet, watch: Watch) -> StateFigures:
    started = time.monotonic()
    watch.units = ("markings", "firings")
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
        engine="explicit",
        seconds=time.monotonic() - started,
        bytes=figures.bytes,
        packed_bytes_per_marking=figures.packed_bytes_per_marking,
    )


def _first_look(net: PetriNet, watch: Watch) -> StateFigures | None:
    """The figures when a moment is enough for them; raises ``Unbounded`` when that is found."""
    watch.check()
    try:
        return _explore_explicitly(net, Watch(FIRST_LOOK, within=watch))
    except Unbounded:
        raise
    except LimitReached:
        watch.check()  # was it more than the end of the first look?
        return None


def _reachable(domain: LddDomain) -> LddSet:
    return domain.closure(domain.singleton(domain.net.initial), all_steps(domain.net))


def _explore_symbolically(net: PetriNet, watch: Watch, order: Sequence[int] | None) -> StateFigures:
    started = time.monotonic()
    domain = LddDomain(net, order, watch)
    reached = _reachable(domain)
    everywhere = [(place, 1) for place in range(len(net.places))]
    return StateFigures(
        states=domain.count(reached),
        edges=domain.count_steps(reached, all_steps(net)),
        dead=domain.count(domain.filter(reached, Dead())),
        max_tokens_in_marking=domain.largest_sum(reached, everywhere),
        max_tokens_in_place=max(domain.largest_tokens(reached), default=0),
        engine="symbolic",
        seconds=time.monotonic() - started,
        bytes=domain.peak_bytes(),
        nodes=domain.nodes(reached),
    )
