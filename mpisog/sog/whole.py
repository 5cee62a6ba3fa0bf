"""The whole observation graph of a net, explored to the end."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar

from mpisog.sog.aggregate import Aggregate, parts
from mpisog.sog.expansion import Expansion
from mpisog.sog.graph import ObservationGraph
from mpisog.sog.observation import Label
from mpisog.symbolic.protocol import StateSet

S = TypeVar("S", bound=StateSet)


@dataclass(frozen=True)
class Size:
    """Of the markings an aggregate stood for when it was first entered."""

    markings: int
    nodes: int


@dataclass(frozen=True)
class Edge:
    """From aggregate to aggregate by an observed transition, or by none."""

    source: int
    target: int
    transition: int | None
    waited: bool
    """Whether at least one instant passes before the step is done."""


@dataclass(frozen=True)
class WholeGraph(Generic[S]):
    """All aggregates, and the edges between them."""

    graph: ObservationGraph[S]
    sizes: tuple[Size, ...]
    edges: tuple[Edge, ...]
    peak_nodes: int | None
    """The most nodes that the decision diagrams had between two aggregates, garbage included."""

    @property
    def aggregates(self) -> list[Aggregate[S]]:
        """By number."""
        return self.graph.aggregates

    @property
    def dead(self) -> int:
        """How many aggregates have a dead marking."""
        return sum(1 for a in self.aggregates if a.stuttering is not None and a.stuttering.dead)

    @property
    def divergent(self) -> int:
        """How many aggregates have a silent cycle inside."""
        return sum(
            1 for a in self.aggregates if a.stuttering is not None and a.stuttering.divergent
        )


def explore_whole(graph: ObservationGraph[S]) -> WholeGraph[S]:
    """Build every aggregate of a new graph; the domain's budget may end it with its limit."""
    graph.aggregate_builder.tell_both = True
    explorer = _Explorer(graph)
    explorer.run()
    return WholeGraph(graph, tuple(explorer.sizes), tuple(explorer.edges), explorer.peak_nodes)


class _Explorer(Generic[S]):
    """Breadth first: aggregates are expanded in the order of their numbers."""

    def __init__(self, graph: ObservationGraph[S]) -> None:
        self._graph = graph
        self.sizes: list[Size] = []
        self.edges: list[Edge] = []
        self.peak_nodes: int | None = None

    def run(self) -> None:
        observation = self._graph.observation
        start = self._graph.domain.singleton(observation.net.initial)
        self._enter(observation.initial_label(), start)
        number = 0
        while number < len(self.sizes):
            self._graph.domain.budget.check()
            for transition, waited, label, entry in _ways(self._graph.expansion(number)):
                target = self._enter(label, entry)
                self.edges.append(Edge(number, target, transition, waited))
            self._look()
            number += 1

    def _enter(self, label: Label, entry: S) -> int:
        number = self._graph.enter(label, entry)
        if number == len(self.sizes):
            self.sizes.append(self._size(label, entry))
        return number

    def _size(self, label: Label, entry: S) -> Size:
        domain = self._graph.domain
        found = parts(domain, self._graph.observation, label, entry)
        states = found.ready | found.closed
        return Size(domain.count(states), domain.nodes(states))

    def _look(self) -> None:
        nodes = self._graph.domain.table_nodes()
        if nodes is not None:
            self.peak_nodes = max(self.peak_nodes or 0, nodes)


def _ways(expansion: Expansion[S]) -> Iterator[tuple[int | None, bool, Label, S]]:
    """Observed transition or nothing, whether it has waited, and the entry it leads to."""
    for waited, by_event in ((False, expansion.at_once), (True, expansion.waited)):
        for transition, entries in by_event.items():
            for label, entry in entries:
                yield transition, waited, label, entry
    for label, entry in expansion.changes:
        yield None, True, label, entry
