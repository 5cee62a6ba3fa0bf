"""Formulas in the syntax of other tools, and formulas that are a little smaller."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import spot

from mpisog.spotglue.ltl import BoundFormula, parse

_ONLY_UNTIL = "MWR^ie"
"""What not every tool has is written with U, F, G and Boolean operators."""


def spin_syntax(bound: BoundFormula) -> str:
    """The formula over ``a0, a1, ...``: ``[]``, ``<>``, ``U``, ``X``, ``&&``, ``||``, ``!``."""
    return str(spot.unabbreviate(bound.formula, _ONLY_UNTIL).to_str("spin", True))


def letter_syntax(bound: BoundFormula) -> str:
    """The formula over ``a0, a1, ...``: ``G``, ``F``, ``U``, ``X``, ``&``, ``|``, ``!``."""
    return str(spot.unabbreviate(bound.formula, _ONLY_UNTIL).to_str("spot", True))


def plain_operators(bound: BoundFormula) -> BoundFormula:
    """The formula with ``G F X U & | !`` only."""
    return BoundFormula(bound.text, spot.unabbreviate(bound.formula, _ONLY_UNTIL), bound.atoms)


def has_next(bound: BoundFormula) -> bool:
    """Whether X occurs."""
    return not bound.formula.is_syntactic_stutter_invariant()


def smaller_formulas(text: str) -> Iterator[str]:
    """Each formula with one part replaced by one of its own parts, by true or by false."""
    seen = {text}
    for formula in _smaller(parse(text)):
        written = str(formula)
        if written not in seen:
            seen.add(written)
            yield written


def _smaller(formula: Any) -> Iterator[Any]:
    children = list(formula)
    if children:
        yield from children
        yield spot.formula.tt()
        yield spot.formula.ff()
    for number, child in enumerate(children):
        for replaced in _smaller(child):
            yield _with_child(formula, number, replaced)


def _with_child(formula: Any, number: int, child: Any) -> Any:
    position = iter(range(formula.size()))
    return formula.map(lambda part: child if next(position) == number else part)
