"""The successors of an aggregate: one function, used by every form of the construction."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

from mpisog.sog.aggregate import Aggregate
from mpisog.sog.observation import Label, Observation
from mpisog.symbolic.protocol import Domain, StateSet, Step, split

S = TypeVar("S", bound=StateSet)

Entry = tuple[Label, S]
"""A label and the markings with it through which an aggregate is entered."""


@dataclass(frozen=True)
class Expansion(Generic[S]):
    """Entry sets of the successors; ``at_once`` and ``waited`` by observed transition."""

    at_once: dict[int, list[tuple[Label, S]]]
    waited: dict[int, list[tuple[Label, S]]]
    changes: list[tuple[Label, S]]
    """By an unobserved step, after waiting at least for an instant."""


def expand(domain: Domain[S], observation: Observation, aggregate: Aggregate[S]) -> Expansion[S]:
    """All successors of an aggregate; events that lead nowhere are left out."""
    return Expansion(
        _by_event(domain, observation, aggregate.ready),
        _by_event(domain, observation, aggregate.out),
        _changes(domain, observation, aggregate),
    )


def _by_event(
    domain: Domain[S], observation: Observation, states: S
) -> dict[int, list[tuple[Label, S]]]:
    if not states:
        return {}
    images = {t: domain.image(states, [Step(t)]) for t in observation.events}
    return {
        t: split(domain, image, observation.state_atoms) for t, image in images.items() if image
    }


def _changes(
    domain: Domain[S], observation: Observation, aggregate: Aggregate[S]
) -> list[tuple[Label, S]]:
    steps = observation.steps(aggregate.label)
    reached = domain.image(aggregate.ready | aggregate.out, steps.exits)
    entries = split(domain, reached, observation.state_atoms)
    if observation.precise:
        # Steps that keep the label were silent, so their ends are in the aggregate or ``beyond``.
        entries = [entry for entry in entries if entry[0] != aggregate.label]
    if aggregate.beyond:
        entries = _joined(entries, aggregate.label, aggregate.beyond)
    if aggregate.dying:
        entries = _joined(entries, observation.dead_flipped(aggregate.label), aggregate.dying)
    return entries


def _joined(
    entries: list[tuple[Label, S]], label: Label | None, states: S
) -> list[tuple[Label, S]]:
    """Add states to the entry with that label."""
    assert label is not None
    joined = [(known, part | states if known == label else part) for known, part in entries]
    return joined if label in dict(entries) else [*joined, (label, states)]
