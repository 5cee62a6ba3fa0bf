"""What all checks of one net share, made when first needed."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from mpisog import _native
from mpisog.config import RunConfig
from mpisog.errors import LimitReached, Unbounded
from mpisog.formulas.atoms import Atom
from mpisog.limits import Watch, release_memory, resident_bytes
from mpisog.nets.model import PetriNet
from mpisog.nets.native import native_net
from mpisog.nets.semantics import unbounded_reason
from mpisog.settling.settler import Settler
from mpisog.sog.graph import ObservationGraph
from mpisog.sog.limiting import choose_forbidden
from mpisog.sog.observation import Observation
from mpisog.symbolic.protocol import Domain, all_steps
from mpisog.symbolic.registry import open_domain

FIRST_LOOK = 0.2
"""Seconds of explicit search before decision diagrams: enough for a small net, and to find out that
most unbounded nets are."""


SHARED_MEMORY = 0.25
"""The share of the budget that sessions may hold for later formulas."""


class Session:
    """A net, its native counterpart, its decision diagrams and the graphs built so far."""

    def __init__(self, net: PetriNet, family: Sessions | None = None) -> None:
        self.net = net
        self.family = family or Sessions(net)
        """Where sessions of other forms of the net are."""
        self._domains: dict[str, Domain[Any]] = {}
        self._graphs: dict[tuple[str | int | None, ...], list[ObservationGraph[Any]]] = {}
        self._reachable: dict[str, Any] = {}
        self._looked = False
        self._figures: _native.ExplorationFigures | None = None
        self.reused = 0
        """How many formulas found an observation graph ready."""

    @cached_property
    def native_net(self) -> _native.Net:
        """The net as native code takes it."""
        return native_net(self.net)

    @cached_property
    def settler(self) -> Settler:
        """What is settled without exploring."""
        return Settler(self.net)

    @property
    def has_settler(self) -> bool:
        """Whether it has been made."""
        return "settler" in self.__dict__

    def forget(self) -> None:
        """Drop diagrams and graphs: their memory is needed elsewhere."""
        self._graphs.clear()
        self._reachable.clear()
        self._domains.clear()

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

    def reachable(self, backend: str, watch: Watch) -> Any:
        """All reachable markings as a set of the backend's domain."""
        domain = self.domain(backend, watch)
        if backend not in self._reachable:
            start = domain.singleton(self.net.initial)
            self._reachable[backend] = domain.closure(start, all_steps(self.net))
        return self._reachable[backend]

    def graph(
        self, atoms: Sequence[Atom], config: RunConfig, watch: Watch
    ) -> ObservationGraph[Any]:
        """A graph that observes at least these atoms: one built before, or a new one."""
        domain = self.domain(config.backend, watch)
        kind = (config.backend, config.aggregation, config.forbid, config.aggregate_nodes)
        graphs = self._graphs.setdefault(kind, [])
        for graph in graphs:
            if set(atoms) <= set(graph.observation.atoms):
                self.reused += 1
                return graph
        graph = ObservationGraph(domain, observe(self.net, atoms, config))
        graphs.append(graph)
        return graph


class Sessions:
    """One session for each net that checks come across: a net and what reductions make of it."""

    def __init__(self, net: PetriNet) -> None:
        self.net = net
        self._sessions: dict[PetriNet, Session] = {}

    def of(self, net: PetriNet, watch: Watch) -> Session:
        """The session of the net; others are given up for a new one when memory is short."""
        if net not in self._sessions:
            if _holds_much(watch):
                self._sessions.clear()
                release_memory()
            self._sessions[net] = Session(net, self)
        return self._sessions[net]

    def spare_memory(self, watch: Watch) -> None:
        """Keep the sessions, but not their diagrams and graphs when these hold much."""
        for session in self._sessions.values() if _holds_much(watch) else ():
            session.forget()
        release_memory()


def _holds_much(watch: Watch) -> bool:
    return watch.memory is not None and resident_bytes() > SHARED_MEMORY * watch.memory


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
