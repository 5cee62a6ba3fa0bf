"""When firing a transition leaves an atom's truth as it is.

The answer for one transition, one atom and the atom's truth before the step: always, exactly where
some places hold enough or few enough tokens, or one has to look at the result.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from mpisog.formulas.atoms import Comparison, Dead, Fireable, StateAtom
from mpisog.nets.model import PetriNet, Transition
from mpisog.symbolic.protocol import Step


@dataclass
class Guard:
    """Bounds on places before a step."""

    at_least: dict[int, int] = field(default_factory=dict)
    at_most: dict[int, int] = field(default_factory=dict)

    def require_at_least(self, place: int, tokens: int) -> None:
        """Add a lower bound."""
        if tokens > 0:
            self.at_least[place] = max(tokens, self.at_least.get(place, 0))

    def require_at_most(self, place: int, tokens: int) -> None:
        """Add an upper bound."""
        self.at_most[place] = min(tokens, self.at_most.get(place, tokens))

    @property
    def never(self) -> bool:
        """Whether the bounds exclude every marking."""
        return any(
            tokens < 0 or tokens < self.at_least.get(place, 0)
            for place, tokens in self.at_most.items()
        )

    def step(self, transition: int) -> Step:
        """The transition under these bounds."""
        return Step(
            transition, tuple(sorted(self.at_least.items())), tuple(sorted(self.at_most.items()))
        )

    def __bool__(self) -> bool:
        return bool(self.at_least or self.at_most)


def effect(transition: Transition) -> dict[int, int]:
    """The change of tokens by place, places that do not change left out."""
    change = dict(transition.post)
    for place, weight in transition.pre:
        change[place] = change.get(place, 0) - weight
    return {place: amount for place, amount in change.items() if amount}


def blocked_transitions(net: PetriNet, atom: StateAtom, truth: bool) -> frozenset[int]:
    """Transitions that are enabled nowhere where the atom has that truth, as far as is plain."""
    match atom:
        case Fireable(transitions):
            return frozenset(() if truth else transitions)
        case Dead():
            return frozenset(range(len(net.transitions)) if truth else ())
        case Comparison():
            most = dict(_upper_bounds(atom, truth))
            return frozenset(
                index
                for index, transition in enumerate(net.transitions if most else ())
                if any(place in most and weight > most[place] for place, weight in transition.pre)
            )


def _upper_bounds(atom: Comparison, truth: bool) -> Iterator[tuple[int, int]]:
    """Most tokens of the places of a sum that is at most a constant."""
    op, bound = _closed(atom.op, atom.bound)
    if op == ">=" and not truth:
        op, bound = "<=", bound - 1
    elif op == "==" and truth:
        op = "<="
    elif not truth:
        return
    if op == "<=" and all(factor > 0 for _, factor in atom.terms):
        yield from ((place, bound // factor) for place, factor in atom.terms)


def keep_truth(
    guard: Guard, atom: StateAtom, truth: bool, change: Mapping[int, int], net: PetriNet
) -> bool:
    """Add to the guard what makes the step keep the atom's truth; false when guards cannot say."""
    match atom:
        case Comparison():
            return _keep_comparison(guard, atom, truth, change)
        case Fireable(transitions):
            return _keep_fireable(guard, [net.transitions[t] for t in transitions], truth, change)
        case Dead():
            # Where nothing is enabled nothing fires. Steps into dead markings are sorted out after
            # the closure: a dead marking adds nothing to it.
            return True


def _keep_comparison(
    guard: Guard, atom: Comparison, truth: bool, change: Mapping[int, int]
) -> bool:
    growth = sum(factor * change.get(place, 0) for place, factor in atom.terms)
    if growth == 0:
        return True
    op, bound = _closed(atom.op, atom.bound)
    if op in {">=", "<="} and truth == ((growth > 0) == (op == ">=")):
        return True
    if len(atom.terms) > 1 or op not in {">=", "<="}:
        return False
    ((place, factor),) = atom.terms
    if factor < 0:  # p >= 1 may come as -p <= -1
        op, bound, factor = (">=" if op == "<=" else "<="), -bound, -factor
    delta = change[place]
    if op == ">=":
        threshold = -(-bound // factor)
        if truth:
            guard.require_at_least(place, threshold - delta)
        else:
            guard.require_at_most(place, threshold - 1 - delta)
    else:
        threshold = bound // factor
        if truth:
            guard.require_at_most(place, threshold - delta)
        else:
            guard.require_at_least(place, threshold + 1 - delta)
    return True


def _closed(op: str, bound: int) -> tuple[str, int]:
    """Strict comparisons of integers as closed ones."""
    return {">": (">=", bound + 1), "<": ("<=", bound - 1)}.get(op, (op, bound))


def _keep_fireable(
    guard: Guard, transitions: list[Transition], truth: bool, change: Mapping[int, int]
) -> bool:
    deltas = [change.get(place, 0) for t in transitions for place, _ in t.pre]
    if _none(deltas, positive=not truth):
        return True
    if len(transitions) > 1:
        return False
    inputs = transitions[0].pre
    if truth:  # every input had enough, and every one must have enough after
        for place, weight in inputs:
            if change.get(place, 0) < 0:
                guard.require_at_least(place, weight - change[place])
        return True
    if len(inputs) > 1:
        return False
    ((place, weight),) = inputs
    guard.require_at_most(place, weight - 1 - change[place])
    return True


def _none(deltas: Iterable[int], *, positive: bool) -> bool:
    """Whether no change goes that way, so that a truth that needs it stays."""
    return not any(delta > 0 if positive else delta < 0 for delta in deltas)
