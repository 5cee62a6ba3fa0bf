"""Proof that a closure would never end: a firing that can be repeated with ever more tokens."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence

from mpisog.nets.model import Marking, PetriNet
from mpisog.nets.semantics import enabled, fire
from mpisog.symbolic.protocol import Step

WALKS = 20
WALK_LENGTH = 200
STEPS_LOOKED_AT = 1_000_000
"""Bound on the work for nets with many transitions."""


def growing_place(net: PetriNet, starts: Iterable[Marking], steps: Sequence[Step]) -> int | None:
    """A place that steps can fill without bound from one of the markings, if a walk shows it.

    When a marking covers an earlier one of its walk, what led from one to the other can go on for
    ever; upper guards must not notice.
    """
    guarded = {place for step in steps for place, _ in step.at_most}
    chance = random.Random(0)
    walks = min(WALKS, max(1, STEPS_LOOKED_AT // (WALK_LENGTH * max(1, len(steps)))))
    for start in starts:
        for _ in range(walks):
            place = _walk(net, start, steps, guarded, chance)
            if place is not None:
                return place
    return None


def _walk(
    net: PetriNet, start: Marking, steps: Sequence[Step], guarded: set[int], chance: random.Random
) -> int | None:
    passed = [start]
    for _ in range(WALK_LENGTH):
        possible = [step for step in steps if allowed(net, step, passed[-1])]
        if not possible:
            return None
        step = chance.choice(possible)
        marking = fire(net.transitions[step.transition], passed[-1])
        for earlier in passed:
            grown = _grown(earlier, marking)
            if grown and guarded.isdisjoint(grown):
                return grown[0]
        passed.append(marking)
    return None


def allowed(net: PetriNet, step: Step, marking: Marking) -> bool:
    """Whether a step can be taken in a marking."""
    return (
        enabled(net.transitions[step.transition], marking)
        and all(marking[place] >= tokens for place, tokens in step.at_least)
        and all(marking[place] <= tokens for place, tokens in step.at_most)
    )


def _grown(earlier: Marking, later: Marking) -> list[int]:
    """The places with more tokens; none when some place has fewer."""
    grown = []
    for place, (before, after) in enumerate(zip(earlier, later, strict=True)):
        if after < before:
            return []
        if after > before:
            grown.append(place)
    return grown
