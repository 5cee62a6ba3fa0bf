"""Shortest firing sequences through sets of markings, on any symbolic backend."""

from __future__ import annotations

from collections.abc import Sequence
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


def shortest_path(
    domain: Domain[S],
    sources: S,
    goal: S,
    steps: tuple[Step, ...],
    within: S,
    *,
    at_least_one: bool = False,
) -> Path | None:
    """From some marking of ``sources`` to some marking of ``goal``, or nothing.

    The markings in between lie in ``within``. The search goes backwards from the goal: engines look
    for the way to one particular marking, and sets that begin with one marking stay small.
    """
    explicit = _explicit_path(domain, sources, goal, steps, within, at_least_one)
    if explicit is not None:
        return explicit
    layers = _layers(domain, sources, goal, steps, within, at_least_one)
    if layers is None:
        return None
    start = here = domain.pick(layers.pop() & sources)
    firings: list[int] = []
    while layers:
        firing, here = _step_into(domain, here, layers.pop(), steps)
        firings.append(firing)
    return Path(start, tuple(firings), here)


def _explicit_path(
    domain: Domain[S],
    sources: S,
    goal: S,
    steps: tuple[Step, ...],
    within: S,
    at_least_one: bool,
) -> Path | None:
    """A way to one marking of the goal, where the backend can look for it marking by marking."""
    search = getattr(domain, "explicit_path", None)
    if search is None or not goal:
        return None
    target = domain.pick(goal)
    found = search(target, steps, within, sources, not at_least_one)
    return Path(found[0], found[1], target) if isinstance(found, tuple) else None


def _layers(
    domain: Domain[S],
    sources: S,
    goal: S,
    steps: tuple[Step, ...],
    within: S,
    at_least_one: bool,
) -> list[S] | None:
    """Breadth-first layers backwards from the goal, up to the first that meets the sources."""
    layers = [goal]
    if goal & sources and not at_least_one:
        return layers
    allowed = within | sources
    seen = domain.empty()
    front = goal
    while front:
        front = (domain.preimage(front, steps) & allowed) - seen
        seen = seen | front
        layers.append(front)
        if front & sources:
            return layers
    return None


def _step_into(
    domain: Domain[S], here: Marking, states: S, steps: Sequence[Step]
) -> tuple[int, Marking]:
    """One step from a marking into a set; the reached marking is the set's first that fits."""
    target = domain.pick(domain.image(domain.singleton(here), steps) & states)
    for step in steps:
        transition = domain.net.transitions[step.transition]
        if _allowed(step, here) and enabled(transition, here) and fire(transition, here) == target:
            return step.transition, target
    raise InternalError("a marking has no step to its successor")


def _allowed(step: Step, marking: Marking) -> bool:
    return all(marking[p] >= n for p, n in step.at_least) and all(
        marking[p] <= n for p, n in step.at_most
    )
