"""Atoms: the things a formula can say about a marking or about a firing.

An atom is bound to a net (it holds place and transition indices). ``holds`` is the reference
evaluation used by the replayer; engines compile atoms for themselves.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from mpisog.nets.model import PetriNet
from mpisog.nets.semantics import enabled, is_dead

OPERATORS: dict[str, Callable[[int, int], bool]] = {
    "<=": operator.le,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    ">": operator.gt,
}


@dataclass(frozen=True, slots=True)
class Comparison:
    """State atom: the sum of coefficient * tokens(place) compared with a constant."""

    terms: tuple[tuple[int, int], ...]
    """(place index, coefficient) pairs, sorted, no coefficient zero."""
    op: str
    bound: int


@dataclass(frozen=True, slots=True)
class Fireable:
    """State atom: at least one of the transitions is enabled."""

    transitions: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Dead:
    """State atom: no transition is enabled."""


@dataclass(frozen=True, slots=True)
class Fire:
    """Event atom: this very transition fires now."""

    transition: int


StateAtom = Comparison | Fireable | Dead
Atom = StateAtom | Fire


def holds(atom: Atom, net: PetriNet, marking: Sequence[int], fired: int | None) -> bool:
    """Truth of an atom at an instant: the marking, and the transition that fires from it."""
    match atom:
        case Comparison(terms, op, bound):
            total = sum(coefficient * marking[place] for place, coefficient in terms)
            return OPERATORS[op](total, bound)
        case Fireable(transitions):
            return any(enabled(net.transitions[t], marking) for t in transitions)
        case Dead():
            return is_dead(net, marking)
        case Fire(transition):
            return fired == transition


def observed_places(atom: Atom, net: PetriNet) -> set[int]:
    """The places whose tokens can change the truth of a state atom (none for an event)."""
    match atom:
        case Comparison(terms, _, _):
            return {place for place, _ in terms}
        case Fireable(transitions):
            return {place for t in transitions for place, _ in net.transitions[t].pre}
        case Dead():
            return {place for t in net.transitions for place, _ in t.pre}
        case Fire():
            return set()


def describe(atom: Atom, net: PetriNet) -> str:
    """The atom as a user would write it, with ids in braces where they need it."""
    match atom:
        case Comparison(terms, op, bound):
            return written(terms, op, bound, lambda place: quote(net.places[place].id))
        case Fireable(transitions):
            return f"fireable({','.join(quote(net.transitions[t].id) for t in transitions)})"
        case Dead():
            return "dead"
        case Fire(transition):
            return f"fire({quote(net.transitions[transition].id)})"


def quote(name: str) -> str:
    """A name as it may stand inside an atom: bare when it is a plain word, else in braces."""
    return name if name.isidentifier() else "{" + name + "}"


def written(
    terms: Sequence[tuple[int, int]],
    op: str,
    bound: int,
    name: Callable[[int], str],
    cut: Callable[[list[str]], list[str]] = list,
) -> str:
    """A comparison without minus signs: what is subtracted stands on the other side."""
    left = [_term(name(place), factor) for place, factor in terms if factor > 0]
    right = [_term(name(place), -factor) for place, factor in terms if factor < 0]
    (left if bound < 0 else right).extend([str(abs(bound))] if bound else [])
    return f"{' + '.join(cut(left)) or '0'} {op} {' + '.join(cut(right)) or '0'}"


def _term(name: str, coefficient: int) -> str:
    return name if coefficient == 1 else f"{coefficient}*{name}"
