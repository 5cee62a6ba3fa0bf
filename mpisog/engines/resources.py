"""What the checks of a net share: settings, native nets, linear programs, diagrams, graphs.

Everything is made when first needed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Protocol

from mpisog import _native
from mpisog.budget import Budget, release_memory, resident_bytes
from mpisog.config import RunConfig
from mpisog.engines.enumeration import count_markings
from mpisog.errors import LimitReached, Unbounded
from mpisog.formulas.atoms import Atom, Fire, observed_places
from mpisog.nets.model import PetriNet
from mpisog.nets.native import native_net
from mpisog.nets.ordering import observing_order
from mpisog.reductions.projection import Projector
from mpisog.sog.forbidden import choose_forbidden
from mpisog.sog.graph import ObservationGraph
from mpisog.sog.kripke import PulledGraph
from mpisog.sog.native_graph import NativeGraph
from mpisog.sog.native_labels import NATIVE_BACKENDS
from mpisog.sog.observation import Observation
from mpisog.state_equation.prover import StructuralProver
from mpisog.symbolic.protocol import Domain, all_steps
from mpisog.symbolic.registry import AUTO, open_domain

if TYPE_CHECKING:
    from mpisog.reductions.shared import SharedReductions
    from mpisog.sog.stuttering import Stuttering
    from mpisog.spotglue.ltl import BoundFormula
    from mpisog.team.job_spec import JobSpec
    from mpisog.team.team import Team

COUNT_SECONDS = 0.2
"""Seconds of explicit search before decision diagrams: enough for a small net, and to find out that
most unbounded nets are."""


_TURNED = "turned"
"""The key of the domain whose places are upside down."""

SHARED_MEMORY = 0.25
"""The share of the budget that may be held for later formulas."""

LARGE = 1_000
"""Places from which on what is linear in the net is too much for every step."""


OwnGraph = ObservationGraph[Any] | NativeGraph
"""A graph that this process builds."""


class CountedGraph(PulledGraph, Protocol):
    """A graph that Spot can pull, and its figures."""

    @property
    def size(self) -> int:
        """Aggregates."""

    @property
    def edges(self) -> int:
        """Edges between them."""


@dataclass(frozen=True)
class OpenGraph:
    """A graph for one formula, and where runs may stay for ever."""

    graph: CountedGraph
    backend: str
    order: tuple[int, ...]
    """Of the places; nothing where the backend has none."""
    domain: Callable[[], Domain[Any]]
    """The sets it is made of, which other ranks may have until they are needed here."""
    stuttering: Stuttering


class NetResources:
    """A net, its native counterpart, its decision diagrams and the graphs built so far."""

    def __init__(self, net: PetriNet, workers: int = 1) -> None:
        self.net = net
        self._workers = workers
        self.unbounded: Unbounded | None = None
        """How the net turned out to be unbounded, if it did."""
        self.may_be_safe = True
        """Whether it may be 1-safe, for all that is known."""
        self._domains: dict[str, Domain[Any]] = {}
        self._graphs: dict[tuple[str | int | None, ...], list[OwnGraph]] = {}
        self._reachable: dict[str, Any] = {}
        self._looked = False
        self._figures: _native.MclcdFigures | None = None
        self._enumerated = False

    @cached_property
    def native_net(self) -> _native.Net:
        """The net as native code takes it."""
        return native_net(self.net)

    @cached_property
    def flat_net(self) -> _native.FlatNet:
        """The same for searches that change one marking in place."""
        return _native.FlatNet(self.native_net)

    @cached_property
    def prover(self) -> StructuralProver:
        """What the state equation proves, without exploring."""
        return StructuralProver(self.net)

    @cached_property
    def projector(self) -> Projector:
        """The net seen through a few places."""
        return Projector(self.net)

    @property
    def has_prover(self) -> bool:
        """Whether it has been made."""
        return "prover" in self.__dict__

    def forget(self) -> None:
        """Drop diagrams and graphs: their memory is needed elsewhere."""
        self._graphs.clear()
        self._reachable.clear()
        self._domains.clear()

    def short_count(self, budget: Budget) -> _native.MclcdFigures | None:
        """Figures of the whole state space, where a short enumeration sees all of it.

        Raises ``Unbounded`` when that is found out: decision diagrams would grow without end.
        """
        budget.check()
        if not self._looked:
            figures = self._count(budget)
            budget.check()  # an end for another reason than the short time is no result
            self._figures = figures
            self._looked = True
        return self._figures

    def _count(self, budget: Budget) -> _native.MclcdFigures | None:
        found = budget.attempt(
            COUNT_SECONDS, lambda part: count_markings(self.net, self.native_net, part)
        )
        if isinstance(found, Unbounded):
            raise found
        # Too many for the memory: diagrams may have it.
        return None if isinstance(found, LimitReached) else found

    def domain(self, backend: str, budget: Budget) -> Domain[Any]:
        """The sets of markings of this net, from now on under this budget."""
        self.short_count(budget)
        return self._open(backend, backend, None, budget)

    def observing_domain(
        self, atoms: Sequence[Atom], config: RunConfig, budget: Budget
    ) -> Domain[Any]:
        """The same for a graph that observes these atoms, with a good order of the places."""
        plain = self.domain(config.backend, budget)
        order = plain.order
        if not order:
            return plain
        observed = set().union(*(observed_places(atom, self.net) for atom in atoms))
        turned = observing_order(self.net, order, observed)
        return plain if turned == order else self._open(_TURNED, plain.name, turned, budget)

    def _open(
        self, key: str, backend: str, order: Sequence[int] | None, budget: Budget
    ) -> Domain[Any]:
        if key not in self._domains:
            self._domains[key] = open_domain(
                backend, self.net, order=order, budget=budget, workers=self._workers
            )
        domain = self._domains[key]
        domain.budget = budget
        return domain

    def enumerate(self, budget: Budget) -> None:
        """From now on ``auto`` means sets of numbered markings, where there are not too many.

        For checks that decision diagrams are slow at; tried once, with half of the time that is
        left and half of the memory.
        """
        if self._enumerated or self.domain(AUTO, budget).name == "bits":
            return
        self._enumerated = True
        numbered = budget.attempt(
            _half(budget.remaining),
            lambda part: open_domain("bits", self.net, budget=part),
            _half_of_free(budget.memory),
        )
        if not isinstance(numbered, LimitReached):
            self._domains[AUTO] = numbered
            self._domains.pop(_TURNED, None)
            self._reachable.pop(AUTO, None)
            self._graphs = {k: graphs for k, graphs in self._graphs.items() if k[0] != AUTO}

    def reachable(self, backend: str, budget: Budget) -> Any:
        """All reachable markings as a set of the backend's domain."""
        domain = self.domain(backend, budget)
        if backend not in self._reachable:
            start = domain.singleton(self.net.initial)
            self._reachable[backend] = domain.closure(start, all_steps(self.net))
        return self._reachable[backend]

    def known_graph(self, atoms: Sequence[Atom], config: RunConfig) -> OwnGraph | None:
        """A graph built before that observes at least these atoms, and events only if they do.

        A run of a graph with events may begin with an event at once, for which there is an extra
        root; a formula without events knows nothing of it.
        """
        graphs = self._graphs.get(_kind(config), ())
        events = any(isinstance(atom, Fire) for atom in atoms)
        return next(
            (
                graph
                for graph in graphs
                if set(atoms) <= set(graph.observation.atoms)
                and bool(graph.observation.events) is events
            ),
            None,
        )

    @contextmanager
    def graph(
        self,
        atoms: Sequence[Atom],
        hoa: str,
        config: RunConfig,
        budget: Budget,
        aggregate_markings: int | None = None,
        team: Team | None = None,
    ) -> Iterator[OpenGraph]:
        """A graph for a formula with these atoms, whose counterexamples the automaton accepts.

        Without a team it is built here, and one that was built before is used again,
        unless its aggregates may only have so many markings.
        """
        if team is not None:
            with self._graph_of_team(atoms, hoa, config, budget, team) as built:
                yield built
            return
        from mpisog.sog.stuttering import Stuttering  # Spot: not for counting markings

        graph = self._own_graph(atoms, config, budget, aggregate_markings)
        domain = graph.domain
        domain.budget = budget
        stuttering = Stuttering(hoa, atoms, graph.observation.state_atoms)
        opened = OpenGraph(graph, domain.name, domain.order, lambda: domain, stuttering)
        if isinstance(graph, ObservationGraph):
            graph.aggregate_builder.needs_stuttering = stuttering.matters
            yield opened
            return
        threads, eager = graph_threads(config), config.strategy == "eager"
        with graph.opened(atoms, stuttering.staying, threads, eager):
            yield opened

    @contextmanager
    def _graph_of_team(
        self, atoms: Sequence[Atom], hoa: str, config: RunConfig, budget: Budget, team: Team
    ) -> Iterator[OpenGraph]:
        from mpisog.sog.stuttering import Stuttering

        observation = observe(self.net, atoms, config)
        here = partial(self.observing_domain, atoms, config, budget)
        backend, order = self._kind_of_sets(here, config, budget)
        stuttering = Stuttering(hoa, atoms, observation.state_atoms)
        with team.open(_job_spec(observation, backend, order, hoa), here, budget) as remote:
            yield OpenGraph(remote, backend, order, here, stuttering)

    def _kind_of_sets(
        self, here: Callable[[], Domain[Any]], config: RunConfig, budget: Budget
    ) -> tuple[str, tuple[int, ...]]:
        """The backend and its order; a list of all markings is not made just to know that."""
        if config.backend == "bits":
            self.short_count(budget)
            return config.backend, ()
        domain = here()
        return domain.name, domain.order

    def _own_graph(
        self, atoms: Sequence[Atom], config: RunConfig, budget: Budget, markings: int | None
    ) -> OwnGraph:
        graph = self.known_graph(atoms, config) if markings is None else None
        if graph is None:
            domain = self.observing_domain(atoms, config, budget)
            observation = observe(self.net, atoms, config, markings)
            native = domain.name in NATIVE_BACKENDS
            graph = (NativeGraph if native else ObservationGraph)(domain, observation)
            if markings is None:
                self._graphs.setdefault(_kind(config), []).append(graph)
        return graph


def _job_spec(observation: Observation, backend: str, order: tuple[int, ...], hoa: str) -> JobSpec:
    from mpisog.team.job_spec import JobSpec

    return JobSpec(
        observation.net,
        backend,
        order,
        observation.atoms,
        hoa,
        observation.aggregation,
        observation.forbidden,
        observation.aggregate_nodes,
    )


class Resources:
    """The settings, and what belongs to each net that checks come across: reductions make several.

    ``team`` builds observation graphs; without one, this process does. ``bounds`` are all
    formulas about the net.
    """

    def __init__(
        self,
        net: PetriNet,
        config: RunConfig | None = None,
        team: Team | None = None,
        bounds: Sequence[BoundFormula] = (),
    ) -> None:
        self.net = net
        self.config = config or RunConfig()
        self.team = team
        self._bounds = bounds
        self._workers = self.config.threads if self.config.parallel == "operations" else 1
        self._nets: dict[PetriNet, NetResources] = {}

    @cached_property
    def shared_reductions(self) -> SharedReductions | None:
        """What is done to a large net once for all formulas; nothing where that makes no sense."""
        from mpisog.reductions.shared import SharedReductions  # Spot: not for counting markings

        if not is_large(self.net) or len(self._bounds) < 2:
            return None
        return SharedReductions(self.net, self._bounds)

    def of(self, net: PetriNet, budget: Budget) -> NetResources:
        """Those of a net; others are given up for a new one when memory is short."""
        if net not in self._nets:
            if _holds_much(budget):
                self._nets.clear()
                release_memory()
            self._nets[net] = NetResources(net, self._workers)
        return self._nets[net]

    def spare_memory(self, budget: Budget) -> None:
        """Keep what is known of nets, but not diagrams and graphs when these hold much."""
        for found in self._nets.values() if _holds_much(budget) else ():
            found.forget()
        release_memory()


def graph_threads(config: RunConfig) -> int:
    """Threads that build aggregates; otherwise threads do each operation together."""
    return config.threads if config.parallel == "aggregates" else 1


def is_large(net: PetriNet) -> bool:
    """Whether what is linear in the net is too much for every step."""
    return len(net.places) >= LARGE


def _holds_much(budget: Budget) -> bool:
    return budget.memory is not None and resident_bytes() > SHARED_MEMORY * budget.memory


def _kind(config: RunConfig) -> tuple[str | int | None, ...]:
    return (config.backend, config.aggregation, config.forbid, config.aggregate_nodes)


def _half(amount: float | None) -> float | None:
    return None if amount is None else amount / 2


def _half_of_free(memory: int | None) -> int | None:
    used = resident_bytes()
    return None if memory is None else used + max(0, memory - used) // 2


def observe(
    net: PetriNet,
    atoms: Sequence[Atom],
    config: RunConfig,
    aggregate_markings: int | None = None,
) -> Observation:
    """What a graph of these settings observes, and how its aggregates are kept small."""
    if aggregate_markings is not None:
        return Observation(net, atoms, aggregate_markings=aggregate_markings)
    plain = Observation(net, atoms, config.aggregation)
    if not config.forbid and config.aggregate_nodes is None:
        return plain
    forbidden = choose_forbidden(plain, config.forbid)
    return Observation(net, atoms, config.aggregation, forbidden, config.aggregate_nodes)
