"""Token game in plain Python: the reference that the replayer and the tests trust.

Kept separate from the native code on purpose; it is slow and obviously right.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mpisog.nets.model import Marking, PetriNet, Transition


def enabled(transition: Transition, marking: Sequence[int]) -> bool:
    """Whether every input place holds at least the arc weight."""
    for place, weight in transition.pre:  # noqa: SIM110 - a replay asks this at every step
        if marking[place] < weight:
            return False
    return True


def fire(transition: Transition, marking: Marking) -> Marking:
    """The marking after an enabled transition has fired."""
    after = list(marking)
    for place, weight in transition.pre:
        after[place] -= weight
    for place, weight in transition.post:
        after[place] += weight
    return tuple(after)


def is_dead(net: PetriNet, marking: Sequence[int]) -> bool:
    """Whether no transition is enabled."""
    return not any(enabled(transition, marking) for transition in net.transitions)


def successors(net: PetriNet, marking: Marking) -> Iterator[tuple[int, Marking]]:
    """Each enabled transition's index with the marking it leads to."""
    for index, transition in enumerate(net.transitions):
        if enabled(transition, marking):
            yield index, fire(transition, marking)


def unbounded_reason(net: PetriNet, place: int) -> str:
    """The reason of a verdict on an unbounded net."""
    return f"the net is unbounded: tokens pile up in place '{net.places[place].id}'"
