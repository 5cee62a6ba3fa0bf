"""The figures of a whole state space, for ``mpisog states``."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass

from mpisog import _native
from mpisog.budget import Budget
from mpisog.engines.enumeration import count_markings
from mpisog.engines.resources import NetResources
from mpisog.errors import InternalError, LimitReached, known_name
from mpisog.formulas.atoms import Dead
from mpisog.nets.model import Marking, PetriNet
from mpisog.nets.native import native_net
from mpisog.nets.semantics import fire
from mpisog.symbolic.mdd import MddDomain, MddSet
from mpisog.symbolic.protocol import all_steps
from mpisog.trace.dead_ends import shorter_way_to_death
from mpisog.trace.paths import some_path

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
    shortest: bool
    """Whether it is proven that no dead marking is nearer."""


def explore(
    net: PetriNet,
    budget: Budget,
    engine: str = "auto",
    order: Sequence[int] | None = None,
    threads: int = 1,
) -> StateFigures:
    """Exact figures; raises ``LimitReached`` when the budget ends the work.

    Threads are for the explicit engine: with several, ``auto`` leaves one to decision diagrams.
    """
    require_explorer(engine)
    if engine == "explicit":
        return _explore_explicitly(net, budget, threads)
    first = _short_count(net, budget)
    if engine == "symbolic":
        return _explore_symbolically(net, budget, order)
    return first or _race(net, budget, order, max(1, threads - 1))


def require_explorer(engine: str) -> None:
    """A ``UsageError`` for a name that is no explorer."""
    known_name("engine for states", engine, EXPLORERS)


def find_dead(
    net: PetriNet, budget: Budget, order: Sequence[int] | None = None, shorten: float = 1.0
) -> DeadMarking | None:
    """A dead marking and a way there, or nothing when there is none.

    For ``shorten`` seconds a nearer one is looked for, until it is proven that there is none.
    """
    _short_count(net, budget)  # an unbounded net ends here
    domain = MddDomain(net, order, budget)
    reached = _reachable(domain)
    start = domain.singleton(net.initial)
    dead = domain.filter(reached, Dead())
    path = some_path(domain, start, dead, tuple(all_steps(net)), reached)
    if path is None:
        return None
    firings, shortest = shorter_way_to_death(net, path.firings, shorten, budget)
    marking = net.initial
    for firing in firings:
        marking = fire(net.transitions[firing], marking)
    return DeadMarking(marking, firings, shortest)


def _explore_explicitly(net: PetriNet, budget: Budget, threads: int) -> StateFigures:
    started = time.monotonic()
    figures = count_markings(net, native_net(net), budget, threads)
    if figures is None:
        raise budget.stopped or InternalError("the exploration stopped without a reason")
    return _state_figures(figures, time.monotonic() - started)


def _state_figures(figures: _native.MclcdFigures, seconds: float) -> StateFigures:
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


def _short_count(net: PetriNet, budget: Budget) -> StateFigures | None:
    """The figures if a short enumeration sees all; raises ``Unbounded`` when that is found."""
    started = time.monotonic()
    figures = NetResources(net).short_count(budget)
    return None if figures is None else _state_figures(figures, time.monotonic() - started)


def _race(net: PetriNet, budget: Budget, order: Sequence[int] | None, threads: int) -> StateFigures:
    """Both ways at once: some nets are easy for one and out of reach for the other.

    The explicit search may fill half of the memory; the first to end stops the other.
    """
    half = None if budget.memory is None else budget.memory // 2
    alone = Budget(memory=half, show=lambda counts: None, within=budget)
    together = Budget(memory=budget.memory, within=budget)
    found: list[StateFigures] = []

    def explicitly(_: Budget) -> None:
        found.append(_explore_explicitly(net, alone, threads))
        together.stopped = Overtaken()

    runner = threading.Thread(target=lambda: Budget().attempt(None, explicitly))
    runner.start()
    try:
        figures = Budget().attempt(None, lambda _: _explore_symbolically(net, together, order))
        if isinstance(figures, StateFigures):
            return figures
        runner.join()  # it ends with the figures, or because the time or memory is over
        if not found:
            raise figures
        return found[0]
    finally:
        alone.stopped = Overtaken()
        runner.join()


class Overtaken(LimitReached):
    """Somebody else has found the answer."""

    def __init__(self) -> None:
        super().__init__("the other engine was faster")


def _reachable(domain: MddDomain) -> MddSet:
    return domain.closure(domain.singleton(domain.net.initial), all_steps(domain.net))


def _explore_symbolically(
    net: PetriNet, budget: Budget, order: Sequence[int] | None
) -> StateFigures:
    started = time.monotonic()
    domain = MddDomain(net, order, budget)
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
