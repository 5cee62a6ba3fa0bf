"""What the operations mean, over plain frozensets and by trying everything.

Nothing here is taken from the program: a step is tried on every marking of a box that is large
enough, and closures are repeated steps.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import product

from mpisog.formulas.atoms import Comparison, Dead, Fireable, StateAtom
from mpisog.nets.model import Marking, PetriNet
from mpisog.symbolic.protocol import Step

Markings = frozenset[Marking]

COMPARE: dict[str, Callable[[int, int], bool]] = {
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    ">=": lambda a, b: a >= b,
    ">": lambda a, b: a > b,
}


def after(net: PetriNet, step: Step, marking: Marking) -> Marking | None:
    """The marking a step leads to, or nothing when it is not possible."""
    tokens = list(marking)
    if any(tokens[place] < least for place, least in step.at_least):
        return None
    if any(tokens[place] > most for place, most in step.at_most):
        return None
    transition = net.transitions[step.transition]
    for place, weight in transition.pre:
        tokens[place] -= weight
    if min(tokens, default=0) < 0:
        return None
    for place, weight in transition.post:
        tokens[place] += weight
    return tuple(tokens)


def image(net: PetriNet, states: Iterable[Marking], steps: Sequence[Step]) -> Markings:
    """What one step leads to."""
    found = (after(net, step, marking) for marking in states for step in steps)
    return frozenset(marking for marking in found if marking is not None)


def preimage(
    net: PetriNet, states: Collection[Marking], steps: Sequence[Step], box: Iterable[Marking]
) -> Markings:
    """The markings of a box from which a step leads into the set."""
    return frozenset(
        marking for marking in box if any(after(net, step, marking) in states for step in steps)
    )


def closure(
    net: PetriNet, states: Markings, steps: Sequence[Step], within: Markings | None = None
) -> Markings:
    """Steps until nothing changes."""
    reached = states if within is None else states & within
    while True:
        more = reached | image(net, reached, steps)
        more = more if within is None else more & within
        if more == reached:
            return reached
        reached = more


def backward_closure(
    net: PetriNet, states: Markings, steps: Sequence[Step], within: Markings
) -> Markings:
    """Steps back until nothing changes."""
    reached = states & within
    while True:
        more = reached | preimage(net, reached, steps, within)
        if more == reached:
            return reached
        reached = more


def satisfies(net: PetriNet, marking: Marking, atom: StateAtom) -> bool:
    """Whether an atom holds."""
    if isinstance(atom, Comparison):
        return COMPARE[atom.op](value(marking, atom.terms), atom.bound)
    if isinstance(atom, Fireable):
        return any(after(net, Step(t), marking) is not None for t in atom.transitions)
    assert isinstance(atom, Dead)
    return all(after(net, Step(t), marking) is None for t in range(len(net.transitions)))


def value(marking: Marking, terms: Iterable[tuple[int, int]]) -> int:
    """A linear form in a marking."""
    return sum(coefficient * marking[place] for place, coefficient in terms)


def box(places: int, largest: int) -> list[Marking]:
    """Every marking with at most so many tokens in each place."""
    return list(product(range(largest + 1), repeat=places))


def subsets(markings: Sequence[Marking]) -> list[Markings]:
    """All subsets; the index has a bit for each marking."""
    return [
        frozenset(m for bit, m in enumerate(markings) if mask >> bit & 1)
        for mask in range(1 << len(markings))
    ]


def explored(net: PetriNet, cap: int) -> tuple[Markings, bool]:
    """Markings reachable from the initial one, and whether these are all."""
    steps = [Step(t) for t in range(len(net.transitions))]
    reached = front = frozenset([net.initial])
    while front and len(reached) <= cap:
        front = image(net, front, steps) - reached
        reached |= front
    return (reached, not front) if not front else (frozenset(sorted(reached)[:cap]), False)
