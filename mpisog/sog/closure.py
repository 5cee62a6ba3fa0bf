"""What silent steps lead to: the closure, limited if that is wanted, and single steps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

from mpisog.formulas.atoms import Dead
from mpisog.sog.observation import Label, Observation
from mpisog.symbolic.protocol import Domain, StateSet, with_label

S = TypeVar("S", bound=StateSet)


@dataclass(frozen=True)
class Closed(Generic[S]):
    """What silent steps lead to."""

    states: S
    leaving: S
    """The part in which a step that is not silent may be possible."""
    cut: bool
    """Whether it was cut short."""


def close(domain: Domain[S], observation: Observation, label: Label, states: S) -> Closed[S]:
    """What is reachable by silent steps that are not forbidden.

    Dead markings that look like the others are among it, see ``visibility``. A set that is cut
    short depends on the entry set and the domain only, so that it can be computed again.
    """
    steps = observation.steps(label)
    if observation.aggregate_nodes is not None:
        found, cut = _grow(domain, observation, label, states, observation.aggregate_nodes)
        return Closed(found, domain.filter(found, steps.leaving), cut)
    at_once = domain.close(states, steps.inside, steps.kept, steps.leaving)
    if at_once is not None:
        return Closed(*at_once, cut=False)
    found = _in_rounds(domain, observation, label, states)
    return Closed(found, domain.filter(found, steps.leaving), cut=False)


def _in_rounds(domain: Domain[S], observation: Observation, label: Label, states: S) -> S:
    """For a backend that cannot look at the label while it closes a set."""
    steps = observation.steps(label)
    reached = front = domain.closure(states, steps.free)
    while front and steps.checked:
        found = same_label(domain, observation, label, domain.image(front, steps.checked))
        front = found - reached
        if front:
            front = domain.closure(front, steps.free) - reached  # what is reached is closed
            reached = reached | front
    return reached


def _grow(
    domain: Domain[S], observation: Observation, label: Label, states: S, bound: int
) -> tuple[S, bool]:
    """One transition after the other, as long as the set is small."""
    steps = observation.steps(label)
    reached = states
    while True:
        before = reached
        for step in steps.one_by_one:
            if domain.nodes(reached) > bound:
                return reached, True
            reached = domain.closure(reached, step)
        if steps.checked:
            if domain.nodes(reached) > bound:
                return reached, True
            found = domain.image(reached, steps.checked)
            reached = reached | same_label(domain, observation, label, found)
        if reached == before:
            return reached, False


def silent_frontier(
    domain: Domain[S], observation: Observation, label: Label, ready: S, closed: S, cut: bool
) -> S:
    """What silent steps lead to and the closure has not got; ``cut`` as ``close`` tells it."""
    postponed = observation.steps(label).postponed
    if not cut and not postponed:
        return domain.empty()
    inside = ready | closed
    found = silent_image(domain, observation, label, inside) if cut else domain.empty()
    if postponed:
        seen = domain.image(inside, postponed)
        found = found | same_label(domain, observation, label, seen)
    return found - closed


def part(domain: Domain[S], observation: Observation, label: Label, entry: S) -> tuple[S, S, S]:
    """Some of what silent steps lead to from one marking; what lies beyond; one marking of that.

    Depth first, as many markings as are wanted, where the backend can look at them one by one.
    """
    steps, limit = observation.steps(label), observation.aggregate_markings
    assert limit is not None
    explored = domain.explicit_part(domain.pick(entry), steps.inside, steps.kept, limit)
    if explored is not None:
        return explored
    frontier = silent_image(domain, observation, label, entry) - entry
    return entry, frontier, some_marking(domain, frontier)


def some_marking(domain: Domain[S], states: S) -> S:
    """A set of one marking of the set; none if it has none."""
    return domain.singleton(domain.pick(states)) if states else states


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
