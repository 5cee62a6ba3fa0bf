"""The symbolic observation graph, built as far as it is asked for."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Generic, TypeVar

from mpisog.sog.aggregate import Aggregate
from mpisog.sog.aggregate_builder import AggregateBuilder
from mpisog.sog.expansion import Expansion
from mpisog.sog.observation import Label, Observation
from mpisog.symbolic.protocol import Domain, StateSet

S = TypeVar("S", bound=StateSet)


class ObservationGraph(Generic[S]):
    """Aggregates by number, in order of discovery.

    The builder's ``needs_stuttering`` may be replaced between formulas; aggregates that were built
    remain.
    """

    def __init__(self, domain: Domain[S], observation: Observation) -> None:
        self.domain = domain
        self.observation = observation
        self.aggregate_builder = AggregateBuilder(domain, observation)
        self.aggregates: list[Aggregate[S]] = []
        self._numbers: dict[Aggregate[S], int] = {}
        self._entries: dict[tuple[S, bool], int] = {}
        self._expansions: dict[int, Expansion[S]] = {}
        self._ready_events: dict[int, tuple[int, ...]] = {}
        self.edges = 0

    @property
    def size(self) -> int:
        """Aggregates so far."""
        return len(self.aggregates)

    def initial(self) -> int:
        """The aggregate of the initial marking."""
        start = self.domain.singleton(self.observation.net.initial)
        return self.enter(self.observation.initial_label(), start)

    def enter(self, label: Label, entry: S) -> int:
        """The number of the aggregate entered through a set of markings with that label."""
        key = self.aggregate_builder.key(label, entry)
        if key not in self._entries:
            self._entries[key] = self._number(self.aggregate_builder.build(label, entry))
        return self._entries[key]

    def expansion(self, number: int) -> Expansion[S]:
        """Entry sets of the successors, computed when first asked for."""
        if number not in self._expansions:
            found = self.aggregate_builder.expand(self.aggregates[number])
            self._expansions[number] = found
            self.edges += found.edges
        return self._expansions[number]

    def targets(self, number: int, mode: int) -> list[int]:
        """The aggregates that follow when one is left in that mode."""
        entries = self.expansion(number).entries(self.observation, mode)
        return [self.enter(label, entry) for label, entry in entries]

    def waited_events(self, number: int) -> Iterable[int]:
        """The observed transitions that can fire after waiting."""
        return self.expansion(number).waited

    def ready_events(self, number: int) -> tuple[int, ...]:
        """The observed transitions that can fire at once on entry."""
        if number not in self._ready_events:
            found = self.aggregate_builder.ready_events(self.aggregates[number])
            self._ready_events[number] = found
        return self._ready_events[number]

    def label(self, number: int) -> Label:
        """Of all markings of the aggregate."""
        return self.aggregates[number].label

    def can_stutter(self, number: int) -> bool:
        """Whether there is a run that never leaves the aggregate."""
        return self.aggregates[number].can_stutter

    def _number(self, aggregate: Aggregate[S]) -> int:
        number = self._numbers.setdefault(aggregate, len(self.aggregates))
        if number == len(self.aggregates):
            self.aggregates.append(aggregate)
        return number
