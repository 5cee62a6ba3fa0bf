"""What all checks of one net share, made when first needed."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from functools import cached_property
from typing import Any

from mpisog import _native
from mpisog.config import RunConfig
from mpisog.errors import LimitReached, Unbounded
from mpisog.formulas.atoms import Atom
from mpisog.limits import Watch, resident_bytes
from mpisog.nets.model import PetriNet
from mpisog.nets.native import native_net
from mpisog.sog.graph import ObservationGraph
from mpisog.sog.limiting import choose_forbidden
from mpisog.sog.observation import Observation
from mpisog.symbolic.protocol import Domain
from mpisog.symbolic.registry import AUTO, open_domain

FIRST_LOOK = 0.2
"""Seconds of explicit search before decision diagrams: enough for a small net, and to find out that
most unbounded nets are."""


class Session:
    """A net, its native counterpart, its decision diagrams and the graphs built so far."""

    def __init__(self, net: PetriNet) -> None:
        self.net = net
        self._domains: dict[str, Domain[Any]] = {}
        self._graphs: dict[tuple[str | int | None, ...], list[ObservationGraph[Any]]] = {}
        self._looked = False
        self._figures: _native.ExplorationFigures | None = None
        self._enumerated = False

    @cached_property
    def native_net(self) -> _native.Net:
        """The net as native code takes it."""
        return native_net(self.net)

    def first_look(self, watch: Watch) -> _native.ExplorationFigures | None:
        """Figures of the whole state space, where a moment of explicit search is enough for them.

        Raises ``Unbounded`` when that is found out: decision diagrams would grow without end.
        """
        watch.check()
        if not self._looked:
            figures = explore_natively(self.net, self.native_net, Watch(FIRST_LOOK, within=watch))
            watch.check()  # an end for another reason than the short time is no result
            self._figures = figures
            self._looked = True
        return self._figures

    def domain(self, backend: str, watch: Watch) -> Domain[Any]:
        """The sets of markings of this net, from now on under this watch."""
        self.first_look(watch)
        if backend not in self._domains:
            self._domains[backend] = open_domain(backend, self.net, watch=watch)
        domain = self._domains[backend]
        domain.watch = watch
        return domain

    def enumerate(self, watch: Watch) -> None:
        """From now on ``auto`` means sets of numbered markings, where there are not too many.

        For checks that decision diagrams are slow at; tried once, with half of the time that is
        left and half of the memory.
        """
        if self._enumerated or self.domain(AUTO, watch).name == "bits":
            return
        self._enumerated = True
        share = Watch(_half(watch.left), _half_of_free(watch.memory), within=watch)
        with suppress(LimitReached):
            self._domains[AUTO] = open_domain("bits", self.net, watch=share)
            self._graphs = {k: graphs for k, graphs in self._graphs.items() if k[0] != AUTO}
        watch.check()

    def known_graph(self, atoms: Sequence[Atom], config: RunConfig) -> ObservationGraph[Any] | None:
        """A graph built before that observes at least these atoms."""
        graphs = self._graphs.get(_kind(config), ())
        return next((g for g in graphs if set(atoms) <= set(g.observation.atoms)), None)

    def graph(
        self, atoms: Sequence[Atom], config: RunConfig, watch: Watch
    ) -> ObservationGraph[Any]:
        """A graph that observes at least these atoms: one built before, or a new one."""
        domain = self.domain(config.backend, watch)
        graph = self.known_graph(atoms, config)
        if graph is None:
            graph = ObservationGraph(domain, observe(self.net, atoms, config))
            self._graphs.setdefault(_kind(config), []).append(graph)
        return graph


def _kind(config: RunConfig) -> tuple[str | int | None, ...]:
    return (config.backend, config.aggregation, config.forbid, config.aggregate_nodes)


def _half(amount: float | None) -> float | None:
    return None if amount is None else amount / 2


def _half_of_free(memory: int | None) -> int | None:
    used = resident_bytes()
    return None if memory is None else used + max(0, memory - used) // 2


def explore_natively(
    net: PetriNet, native: _native.Net, watch: Watch
) -> _native.ExplorationFigures | None:
    """Visit every marking; nothing when the watch ends it, ``Unbounded`` when that is found."""
    watch.units = ("markings", "firings")
    try:
        figures = _native.explore(native, watch.beat)
    except MemoryError:
        raise LimitReached("out of memory") from None
    if figures.outcome == _native.Outcome.unbounded:
        raise Unbounded(unbounded_reason(net, figures.unbounded_place))
    return figures if figures.outcome == _native.Outcome.complete else None


def observe(net: PetriNet, atoms: Sequence[Atom], config: RunConfig) -> Observation:
    """What a graph of these settings observes, and how its aggregates are kept small."""
    plain = Observation(net, atoms, config.aggregation)
    if not config.forbid and config.aggregate_nodes is None:
        return plain
    forbidden = choose_forbidden(plain, config.forbid)
    return Observation(net, atoms, config.aggregation, forbidden, config.aggregate_nodes)


def unbounded_reason(net: PetriNet, place: int) -> str:
    """The reason of a verdict on an unbounded net."""
    return f"the net is unbounded: tokens pile up in place '{net.places[place].id}'"
