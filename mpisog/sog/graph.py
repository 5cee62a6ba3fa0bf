"""The symbolic observation graph, built as far as it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Generic, TypeVar

from mpisog.formulas.atoms import Fireable, holds
from mpisog.sog.aggregate import Aggregate, build
from mpisog.sog.divergence import CycleMemory
from mpisog.sog.expansion import Expansion, expand
from mpisog.sog.observation import Label, Observation
from mpisog.symbolic.protocol import Domain, StateSet

S = TypeVar("S", bound=StateSet)


class ObservationGraph(Generic[S]):
    """Aggregates by number, in order of discovery.

    ``needs_stuttering`` tells for a label whether it matters that a run stays there for ever; it
    may be replaced between formulas, aggregates that were built remain.
    """

    def __init__(self, domain: Domain[S], observation: Observation) -> None:
        self.domain = domain
        self.observation = observation
        self.needs_stuttering: Callable[[Label], bool] = lambda label: True
        self.tell_both = False
        """Whether dead markings are sought even where there is a silent cycle: for reports."""
        self.aggregates: list[Aggregate[S]] = []
        self._numbers: dict[Aggregate[S], int] = {}
        self._entries: dict[tuple[S, bool], int] = {}
        self._expansions: dict[int, Expansion[S]] = {}
        self._ready_events: dict[int, tuple[int, ...]] = {}
        self._cycles: dict[Label, CycleMemory[S]] = {}
        self.edges = 0

    def initial_label(self) -> Label:
        """The label of the initial marking."""
        net = self.observation.net
        return tuple(holds(atom, net, net.initial, None) for atom in self.observation.state_atoms)

    def initial(self) -> int:
        """The aggregate of the initial marking."""
        start = self.domain.singleton(self.observation.net.initial)
        return self.enter(self.initial_label(), start)

    def enter(self, label: Label, entry: S) -> int:
        """The number of the aggregate entered through a set of markings with that label."""
        key = (entry, self.needs_stuttering(label))
        if key not in self._entries:
            cycles = self.cycles(label) if key[1] else None
            aggregate = build(self.domain, self.observation, label, entry, cycles, self.tell_both)
            self._entries[key] = self._number(aggregate)
        return self._entries[key]

    def expansion(self, number: int) -> Expansion[S]:
        """Entry sets of the successors, computed when first asked for."""
        if number not in self._expansions:
            found = expand(self.domain, self.observation, self.aggregates[number])
            self._expansions[number] = found
            parts = [found.changes, *found.at_once.values(), *found.waited.values()]
            self.edges += sum(len(entries) for entries in parts)
        return self._expansions[number]

    def targets(self, entries: Iterable[tuple[Label, S]]) -> list[int]:
        """The aggregates behind entry sets."""
        return [self.enter(label, entry) for label, entry in entries]

    def ready_events(self, number: int) -> tuple[int, ...]:
        """The observed transitions that can fire at once on entry."""
        if number not in self._ready_events:
            ready = self.aggregates[number].ready
            self._ready_events[number] = tuple(
                t
                for t in (self.observation.events if ready else ())
                if self.domain.filter(ready, Fireable((t,)))
            )
        return self._ready_events[number]

    def cycles(self, label: Label) -> CycleMemory[S]:
        """What is known of silent cycles under that label."""
        if label not in self._cycles:
            steps = self.observation.steps(label).turning
            self._cycles[label] = CycleMemory(self.domain, steps)
        return self._cycles[label]

    def _number(self, aggregate: Aggregate[S]) -> int:
        number = self._numbers.setdefault(aggregate, len(self.aggregates))
        if number == len(self.aggregates):
            self.aggregates.append(aggregate)
        return number
