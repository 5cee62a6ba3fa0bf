"""Short firing sequences through sets of markings, on any symbolic backend."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

from mpisog.errors import InternalError
from mpisog.nets.model import Marking
from mpisog.nets.semantics import enabled, fire
from mpisog.symbolic.protocol import Domain, StateSet, Step

S = TypeVar("S", bound=StateSet)


@dataclass(frozen=True)
class Path:
    """A firing sequence between two markings."""

    start: Marking
    firings: tuple[int, ...]
    end: Marking


def some_path(
    domain: Domain[S],
    sources: S,
    goal: S,
    steps: tuple[Step, ...],
    within: S,
    *,
    at_least_one: bool = False,
) -> Path | None:
    """From some marking of ``sources`` to some marking of ``goal``, or nothing.

    The markings in between lie in ``within``. First one marking of the goal is sought backwards,
    marking by marking; what is far away is sought forwards with sets, which stay small there.
    """
    explicit = _explicit_path(domain, sources, goal, steps, within, at_least_one)
    if explicit is not None:
        return explicit
    layers = _layers(domain, sources, goal, steps, within, at_least_one)
    if layers is None:
        return None
    end = here = domain.pick(layers.pop() & goal)
    firings: list[int] = []
    while layers:
        firing, here = _step_from(domain, layers.pop(), here, steps)
        firings.append(firing)
    return Path(here, tuple(reversed(firings)), end)


def _explicit_path(
    domain: Domain[S],
    sources: S,
    goal: S,
    steps: tuple[Step, ...],
    within: S,
    at_least_one: bool,
) -> Path | None:
    """A way to one marking of the goal, where the backend can look for it marking by marking."""
    if not goal:
        return None
    target = domain.pick(goal)
    found = domain.explicit_path(target, steps, within, sources, not at_least_one)
    return Path(found[0], found[1], target) if isinstance(found, tuple) else None


def _layers(
    domain: Domain[S],
    sources: S,
    goal: S,
    steps: tuple[Step, ...],
    within: S,
    at_least_one: bool,
) -> list[S] | None:
    """Breadth-first layers from the sources, up to the first that meets the goal."""
    layers = [sources]
    if goal & sources and not at_least_one:
        return layers
    allowed = within | goal
    seen = domain.empty()
    front = sources
    while front:
        front = (domain.image(front, steps) & allowed) - seen
        seen = seen | front
        layers.append(front)
        if front & goal:
            return layers
    return None


def _step_from(
    domain: Domain[S], states: S, here: Marking, steps: tuple[Step, ...]
) -> tuple[int, Marking]:
    """One step from some marking of a set to this one; the set's first that fits."""
    before = domain.pick(domain.preimage(domain.singleton(here), steps) & states)
    for step in steps:
        transition = domain.net.transitions[step.transition]
        possible = _allowed(step, before) and enabled(transition, before)
        if possible and fire(transition, before) == here:
            return step.transition, before
    raise InternalError("a marking has no step to its successor")


def _allowed(step: Step, marking: Marking) -> bool:
    return all(marking[p] >= n for p, n in step.at_least) and all(
        marking[p] <= n for p, n in step.at_most
    )
