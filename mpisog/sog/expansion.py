"""The successors of an aggregate: one function, used by every form of the construction."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

from mpisog.formulas.atoms import Fireable
from mpisog.sog.aggregate import Aggregate
from mpisog.sog.observation import Label, Observation
from mpisog.symbolic.protocol import Domain, StateSet, Step

S = TypeVar("S", bound=StateSet)

WAITING = 0
"""The mode of leaving an aggregate by an unobserved step. Mode k is observed transition k, counted
from 1, at once; -k the same after waiting."""


@dataclass(frozen=True)
class Expansion(Generic[S]):
    """Entry sets of the successors; ``at_once`` and ``waited`` by observed transition."""

    at_once: dict[int, list[tuple[Label, S]]]
    waited: dict[int, list[tuple[Label, S]]]
    changes: list[tuple[Label, S]]
    """By an unobserved step, after waiting at least for an instant."""

    @property
    def edges(self) -> int:
        """How many entry sets there are."""
        return len(self.all_entries)

    @property
    def all_entries(self) -> list[tuple[Label, S]]:
        """The entry sets of all modes; the same one may occur in several."""
        parts = [self.changes, *self.at_once.values(), *self.waited.values()]
        return [entry for entries in parts for entry in entries]

    def entries(self, observation: Observation, mode: int) -> list[tuple[Label, S]]:
        """What leaving in that mode leads to."""
        if mode == WAITING:
            return self.changes
        return (self.at_once if mode > 0 else self.waited)[observation.events[abs(mode) - 1]]

    def modes(self, observation: Observation) -> list[int]:
        """All modes in which the aggregate can be left."""
        modes = {t: i for i, t in enumerate(observation.events, start=1)}
        return [WAITING, *(modes[t] for t in self.at_once), *(-modes[t] for t in self.waited)]


def expand(domain: Domain[S], observation: Observation, aggregate: Aggregate[S]) -> Expansion[S]:
    """All successors of an aggregate; events that lead nowhere are left out."""
    return Expansion(
        _by_event(domain, observation, aggregate.ready),
        _by_event(domain, observation, aggregate.exit_states),
        _changes(domain, observation, aggregate),
    )


def ready_events(
    domain: Domain[S], observation: Observation, aggregate: Aggregate[S]
) -> tuple[int, ...]:
    """The observed transitions that can fire at once on entry."""
    ready = aggregate.ready
    events = observation.events if ready else ()
    return tuple(t for t in events if domain.filter(ready, Fireable((t,))))


def _by_event(
    domain: Domain[S], observation: Observation, states: S
) -> dict[int, list[tuple[Label, S]]]:
    if not states:
        return {}
    entries = {
        t: domain.split_image(states, [Step(t)], observation.state_atoms)
        for t in observation.events
    }
    return {t: found for t, found in entries.items() if found}


def _changes(
    domain: Domain[S], observation: Observation, aggregate: Aggregate[S]
) -> list[tuple[Label, S]]:
    steps = observation.steps(aggregate.label)
    states = aggregate.ready | aggregate.exit_states if aggregate.ready else aggregate.exit_states
    entries = domain.split_image(states, steps.exits, observation.state_atoms)
    if observation.precise:
        # Steps that keep the label were silent, so their ends are in the aggregate or ``frontier``.
        entries = [entry for entry in entries if entry[0] != aggregate.label]
    if aggregate.next_entry is not None:
        parts = (aggregate.next_entry, aggregate.frontier - aggregate.next_entry)
        entries += [(aggregate.label, part) for part in parts if part]
    elif aggregate.frontier:
        entries = _joined(entries, aggregate.label, aggregate.frontier)
    if aggregate.deadlocks:
        entries = _joined(entries, observation.dead_flipped(aggregate.label), aggregate.deadlocks)
    return entries


def _joined(
    entries: list[tuple[Label, S]], label: Label | None, states: S
) -> list[tuple[Label, S]]:
    """Add states to the entry with that label."""
    assert label is not None
    joined = [(known, part | states if known == label else part) for known, part in entries]
    return joined if label in dict(entries) else [*joined, (label, states)]
