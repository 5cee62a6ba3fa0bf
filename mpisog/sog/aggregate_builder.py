"""What is done with one aggregate at a time while a graph is built; threads may share it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from mpisog.sog.aggregate import Aggregate, assemble, build, grow
from mpisog.sog.divergence import CycleMemory
from mpisog.sog.expansion import Expansion, expand, ready_events
from mpisog.sog.observation import Label, Observation
from mpisog.symbolic.protocol import Domain, StateSet

S = TypeVar("S", bound=StateSet)


class AggregateBuilder(Generic[S]):
    """Builds and expands the aggregates of one observation.

    ``needs_stuttering`` tells for a label whether it matters that a run stays there for ever. What
    is remembered between calls makes them faster, never different, so that threads need no lock.
    """

    def __init__(self, domain: Domain[S], observation: Observation) -> None:
        self.domain = domain
        self.observation = observation
        self.needs_stuttering: Callable[[Label], bool] = lambda label: True
        self.tell_both = False
        """Whether dead markings are sought even where there is a silent cycle: for reports."""
        self._cycles: dict[Label, CycleMemory[S]] = {}

    def key(self, label: Label, entry: S) -> tuple[S, bool]:
        """What an aggregate depends on; the label follows from the entry set."""
        return entry, self.needs_stuttering(label)

    def build(self, label: Label, entry: S) -> Aggregate[S]:
        """The aggregate entered through a set of markings with that label."""
        cycles = self._cycle_memory(label)
        return build(self.domain, self.observation, label, entry, cycles, self.tell_both)

    def regrow(self, label: Label, ready: S, waiting: S) -> Aggregate[S]:
        """The aggregate whose closed part grows from the waiting markings."""
        found = grow(self.domain, self.observation, label, ready, waiting)
        cycles = self._cycle_memory(label)
        return assemble(self.domain, label, found, cycles, self.tell_both)

    def expand(self, aggregate: Aggregate[S]) -> Expansion[S]:
        """Entry sets of the successors."""
        return expand(self.domain, self.observation, aggregate)

    def ready_events(self, aggregate: Aggregate[S]) -> tuple[int, ...]:
        """The observed transitions that can fire at once on entry."""
        return ready_events(self.domain, self.observation, aggregate)

    def _cycle_memory(self, label: Label) -> CycleMemory[S] | None:
        """Nothing when it makes no difference whether a run stays there for ever."""
        if not self.needs_stuttering(label):
            return None
        if label not in self._cycles:
            steps = self.observation.cycle_steps(label)
            self._cycles.setdefault(label, CycleMemory(self.domain, steps))
        return self._cycles[label]
