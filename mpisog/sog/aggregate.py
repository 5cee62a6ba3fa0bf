"""Aggregates: what happens unseen after markings of one label have been entered.

An aggregate entered through the set ``I`` has two parts (see docs/sog.md): ``ready``, the markings
of ``I`` that can do an observed step at once, and ``C``, closed under silent steps: what has
waited, or cannot do an observed step. Only what the future depends on is kept of ``C``: ``out``,
its markings with a step that is not silent.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

from mpisog.formulas.atoms import Dead
from mpisog.sog.divergence import CycleMemory
from mpisog.sog.observation import Label, Observation
from mpisog.symbolic.protocol import Domain, StateSet, with_label

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
    out: S
    dying: S
    """Dead markings that silent steps lead to, when the formula can see that they are dead."""
    stuttering: Stuttering | None
    """Nothing when it makes no difference to the formula."""

    @property
    def can_stutter(self) -> bool:
        """Whether there is a run that never leaves."""
        return self.stuttering is not None and (self.stuttering.dead or self.stuttering.divergent)


@dataclass(frozen=True)
class Parts(Generic[S]):
    """The full sets of an aggregate, before what the future does not need is dropped."""

    ready: S
    closed: S
    dying: S


def build(
    domain: Domain[S],
    observation: Observation,
    label: Label,
    entry: S,
    cycles: CycleMemory[S] | None,
) -> Aggregate[S]:
    """The aggregate entered through a set of markings with that label.

    ``cycles`` is the memory of that label, or nothing when it makes no difference whether a run can
    stay there for ever.
    """
    steps = observation.steps(label)
    found = parts(domain, observation, label, entry)
    return Aggregate(
        label=label,
        ready=found.ready,
        out=domain.filter(found.closed, steps.leaving),
        dying=found.dying,
        stuttering=None if cycles is None else _stuttering(domain, found.closed, cycles),
    )


def parts(domain: Domain[S], observation: Observation, label: Label, entry: S) -> Parts[S]:
    """Split the entry set and close it under silent steps."""
    ready = domain.empty()
    waiting = entry
    if observation.events:
        ready = domain.filter(entry, observation.some_event)
        waiting = entry - ready
        if ready:
            waiting = waiting | silent_image(domain, observation, label, ready)
    closed = saturate(domain, observation, label, waiting)
    dying = domain.empty()
    if observation.dead_flipped(label) is not None:
        dying = domain.filter(closed, Dead())
        closed = closed - dying
    return Parts(ready, closed, dying)


def saturate(domain: Domain[S], observation: Observation, label: Label, states: S) -> S:
    """Everything reachable by silent steps (and dead markings one cannot come back from)."""
    steps = observation.steps(label)
    reached = domain.closure(states, steps.free)
    front = reached
    while steps.checked and front:
        found = same_label(domain, observation, label, domain.image(front, steps.checked))
        front = found - reached
        if front:
            grown = domain.closure(reached | front, steps.free)
            front = grown - reached
            reached = grown
    return reached


def silent_image(domain: Domain[S], observation: Observation, label: Label, states: S) -> S:
    """What one silent step leads to."""
    steps = observation.steps(label)
    found = domain.image(states, steps.free)
    if steps.checked:
        seen = domain.image(states, steps.checked)
        found = found | same_label(domain, observation, label, seen)
    return found


def same_label(domain: Domain[S], observation: Observation, label: Label, states: S) -> S:
    """The markings with that label; deadness is not looked at, see ``visibility``."""
    visible = [
        (atom, truth)
        for atom, truth in zip(observation.state_atoms, label, strict=True)
        if not isinstance(atom, Dead)
    ]
    return with_label(domain, states, *zip(*visible, strict=True)) if visible else states


def _stuttering(domain: Domain[S], closed: S, cycles: CycleMemory[S]) -> Stuttering:
    return Stuttering(bool(domain.filter(closed, Dead())), cycles.has_cycle(closed))
