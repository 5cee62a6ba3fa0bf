"""Aggregates: what happens unseen after markings of one label have been entered.

An aggregate entered through the set ``I`` has two parts (see docs/sog.md): ``ready``, the markings
of ``I`` that can do an observed step at once, and ``C``, closed under silent steps: what has
waited, or cannot do an observed step. Only what the future depends on is kept of ``C``:
``exit_states``, its markings with a step that is not silent. Where ``C`` was not allowed to grow,
``frontier`` is what silent steps lead to outside of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

from mpisog.formulas.atoms import Dead
from mpisog.sog.closure import close, part, silent_frontier, silent_image, some_marking
from mpisog.sog.divergence import CycleMemory
from mpisog.sog.observation import Label, Observation
from mpisog.symbolic.protocol import Domain, StateSet

S = TypeVar("S", bound=StateSet)


@dataclass(frozen=True)
class Stuttering:
    """Whether a run can stay in the aggregate for ever, and how."""

    dead: bool
    divergent: bool


@dataclass(frozen=True)
class Aggregate(Generic[S]):
    """Two aggregates that are equal have the same future, whatever else was in them."""

    label: Label
    ready: S
    exit_states: S
    deadlocks: S
    """Dead markings that silent steps lead to, when the formula can see that they are dead."""
    frontier: S
    """Where silent steps lead out of a part whose growth was limited."""
    stuttering: Stuttering | None
    """Nothing when it makes no difference to the formula."""
    next_entry: S | None = None
    """What of ``frontier`` is entered on its own; nothing unless entry sets are taken apart."""

    @property
    def can_stutter(self) -> bool:
        """Whether there is a run that never leaves."""
        return self.stuttering is not None and (self.stuttering.dead or self.stuttering.divergent)


@dataclass(frozen=True)
class Parts(Generic[S]):
    """The full sets of an aggregate, before what the future does not need is dropped."""

    ready: S
    closed: S
    exit_states: S
    deadlocks: S
    frontier: S
    next_entry: S | None = None


def build(
    domain: Domain[S],
    observation: Observation,
    label: Label,
    entry: S,
    cycles: CycleMemory[S] | None,
    both: bool = False,
) -> Aggregate[S]:
    """The aggregate entered through a set of markings with that label.

    ``cycles`` is the memory of that label, or nothing when it makes no difference whether a run can
    stay there for ever. One way to stay is enough to know, unless ``both`` are asked for.
    """
    found = parts(domain, observation, label, entry)
    return assemble(domain, label, found, cycles, both)


def parts(domain: Domain[S], observation: Observation, label: Label, entry: S) -> Parts[S]:
    """Split the entry set and close it under silent steps, as far as its growth is not limited."""
    ready = nothing = domain.empty()
    if observation.aggregate_markings is not None:
        first = some_marking(domain, entry)
        if first != entry:  # it is only taken apart: all of it lies beyond nothing
            return Parts(nothing, nothing, nothing, nothing, frontier=entry, next_entry=first)
    waiting = entry
    if observation.events:
        ready = domain.filter(entry, observation.some_event)
        waiting = entry - ready
        if ready:
            waiting = waiting | silent_image(domain, observation, label, ready)
    return grow(domain, observation, label, ready, waiting)


def grow(
    domain: Domain[S], observation: Observation, label: Label, ready: S, waiting: S
) -> Parts[S]:
    """The parts of an aggregate whose closed part grows from the waiting markings."""
    next_entry: S | None = None
    if observation.aggregate_markings is None:
        found = close(domain, observation, label, waiting)
        closed, exit_states = found.states, found.leaving
        frontier = silent_frontier(domain, observation, label, ready, closed, found.cut)
    else:
        closed, frontier, next_entry = part(domain, observation, label, waiting)
        exit_states = domain.filter(closed, observation.steps(label).leaving)
    deadlocks = domain.empty()
    if observation.dead_flipped(label) is not None:
        deadlocks = domain.filter(closed | frontier, Dead())
        closed, frontier = closed - deadlocks, frontier - deadlocks
        next_entry = None if next_entry is None else next_entry - deadlocks
    # Dead markings have no step, so that none of them is among those that can be left.
    return Parts(ready, closed, exit_states, deadlocks, frontier, next_entry)


def assemble(
    domain: Domain[S],
    label: Label,
    found: Parts[S],
    cycles: CycleMemory[S] | None,
    both: bool = False,
) -> Aggregate[S]:
    """The aggregate of these parts; the rest is as for ``build``."""
    return Aggregate(
        label=label,
        ready=found.ready,
        exit_states=found.exit_states,
        deadlocks=found.deadlocks,
        frontier=found.frontier,
        stuttering=None if cycles is None else _stuttering(domain, found, cycles, both),
        next_entry=found.next_entry,
    )


def _stuttering(
    domain: Domain[S], found: Parts[S], cycles: CycleMemory[S], both: bool
) -> Stuttering:
    divergent = cycles.has_cycle(found.closed, is_closed=not found.frontier)
    look = both or not divergent
    return Stuttering(look and bool(domain.filter(found.closed, Dead())), divergent)
