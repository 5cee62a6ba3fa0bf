"""Literals over atoms as systems of linear inequalities on markings.

A literal is an atom with a truth value; several at once hold in a marking only if it solves one of
some systems. The systems may say less than the literals, never more.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product

from mpisog.formulas.atoms import Atom, Comparison, Dead, Fire, Fireable
from mpisog.nets.model import PetriNet, Transition

Row = tuple[tuple[tuple[int, int], ...], int]
"""(place, coefficient) terms whose sum is at least a number."""

System = tuple[Row, ...]
"""Inequalities that hold together."""

Literal = tuple[Atom, bool]

MAX_CASES = 16
"""Systems beyond which a literal is left out of them."""

_NEGATED = {"<=": ">", ">=": "<", "==": "!=", "!=": "==", "<": ">=", ">": "<="}


def systems(literals: Iterable[Literal], net: PetriNet) -> list[System]:
    """Every marking in which the literals hold solves one of these."""
    choices = sorted((_cases(atom, truth, net) for atom, truth in literals), key=len)
    found: list[System] = [()]
    for cases in choices:
        if len(found) * len(cases) > MAX_CASES:
            break
        found = [(*system, *case) for system, case in product(found, cases)]
    return found


def _cases(atom: Atom, truth: bool, net: PetriNet) -> Sequence[System]:
    match atom:
        case Comparison(terms, op, bound):
            return _comparison(terms, op if truth else _NEGATED[op], bound)
        case Fireable(transitions):
            chosen = [net.transitions[t] for t in transitions]
            return _some_enabled(chosen) if truth else _none_enabled(chosen)
        case Dead():
            return _none_enabled(net.transitions) if truth else [()]
        case Fire(transition):
            return _some_enabled([net.transitions[transition]]) if truth else [()]


def _comparison(terms: tuple[tuple[int, int], ...], op: str, bound: int) -> Sequence[System]:
    def at_least(number: int) -> Row:
        return terms, number

    def at_most(number: int) -> Row:
        return tuple((place, -coefficient) for place, coefficient in terms), -number

    match op:
        case ">=":
            return [(at_least(bound),)]
        case ">":
            return [(at_least(bound + 1),)]
        case "<=":
            return [(at_most(bound),)]
        case "<":
            return [(at_most(bound - 1),)]
        case "==":
            return [(at_least(bound), at_most(bound))]
        case _:
            return [(at_least(bound + 1),), (at_most(bound - 1),)]


def _some_enabled(transitions: Sequence[Transition]) -> Sequence[System]:
    if len(transitions) > MAX_CASES:
        return [_together(transitions)]
    return [tuple((((p, 1),), weight) for p, weight in t.pre) for t in transitions]


def _together(transitions: Sequence[Transition]) -> System:
    """What holds if any is enabled: the first inputs of all hold tokens, the second inputs, ..."""
    inputs = zip(*(t.pre for t in transitions), strict=False)  # as many as all have
    return tuple(
        (tuple((place, 1) for place in sorted({p for p, _ in arcs})), min(w for _, w in arcs))
        for arcs in inputs
    )


def _none_enabled(transitions: Sequence[Transition]) -> Sequence[System]:
    """Which place of each transition lacks tokens; those with a choice only where there is one."""
    if len(transitions) == 1:
        return [(_lacks(*arc),) for arc in transitions[0].pre]
    return [tuple(_lacks(*t.pre[0]) for t in transitions if len(t.pre) == 1)]


def _lacks(place: int, weight: int) -> Row:
    return ((place, -1),), 1 - weight
