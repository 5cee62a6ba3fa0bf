"""The figures of a whole state space, for ``mpisog states``."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from mpisog import _native
from mpisog.engines.session import Session, explore_natively
from mpisog.errors import InternalError, LimitReached, UsageError, nearest
from mpisog.formulas.atoms import Dead
from mpisog.limits import Watch
from mpisog.nets.model import Marking, PetriNet
from mpisog.nets.native import native_net
from mpisog.symbolic.ldd import LddDomain, LddSet
from mpisog.symbolic.protocol import all_steps
from mpisog.trace.paths import shortest_path

EXPLORERS = ("auto", "explicit", "symbolic")


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
    if engine == "symbolic":
        return _explore_symbolically(net, watch, order)
    return first or _race(net, watch, order)


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
    figures = explore_natively(net, native_net(net), watch)
    if figures is None:
        raise watch.stopped or InternalError("the exploration stopped without a reason")
    return _state_figures(figures, time.monotonic() - started)


def _state_figures(figures: _native.ExplorationFigures, seconds: float) -> StateFigures:
    return StateFigures(
        states=figures.states,
        edges=figures.edges,
        dead=figures.dead,
        max_tokens_in_marking=figures.max_tokens_in_marking,
        max_tokens_in_place=figures.max_tokens_in_place,
        engine="explicit",
        seconds=seconds,
        bytes=figures.bytes,
        packed_bytes_per_marking=figures.packed_bytes_per_marking,
    )


def _first_look(net: PetriNet, watch: Watch) -> StateFigures | None:
    """The figures when a moment is enough for them; raises ``Unbounded`` when that is found."""
    started = time.monotonic()
    figures = Session(net).first_look(watch)
    return None if figures is None else _state_figures(figures, time.monotonic() - started)


def _race(net: PetriNet, watch: Watch, order: Sequence[int] | None) -> StateFigures:
    """Both ways at once: some nets are easy for one and out of reach for the other.

    The explicit search may fill half of the memory; whoever is first stops the other.
    """
    half = None if watch.memory is None else watch.memory // 2
    alone = Watch(memory=half, show=lambda counts: None, within=watch)
    together = Watch(memory=watch.memory, within=watch)
    found: list[StateFigures] = []

    def explicitly() -> None:
        with suppress(LimitReached):
            found.append(_explore_explicitly(net, alone))
            together.stopped = Overtaken()

    runner = threading.Thread(target=explicitly)
    runner.start()
    try:
        return _explore_symbolically(net, together, order)
    except LimitReached:
        runner.join()  # it ends with the figures, or because the time or memory is over
        if not found:
            raise
        return found[0]
    finally:
        alone.stopped = Overtaken()
        runner.join()


class Overtaken(LimitReached):
    """Somebody else has found the answer."""

    def __init__(self) -> None:
        super().__init__("the other engine was faster")


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
