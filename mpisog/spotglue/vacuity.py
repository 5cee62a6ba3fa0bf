"""Parts of a formula that make it hold for a trivial reason if they never occur."""

from __future__ import annotations

from collections.abc import Iterator

import spot

from mpisog.formulas.atoms import Fire
from mpisog.spotglue.ltl import BoundFormula, SpotFormula


def antecedents(bound: BoundFormula) -> list[SpotFormula]:
    """The conditions of implications that are demanded, where they speak of markings only."""
    events = {f"a{i}" for i, atom in enumerate(bound.atoms) if isinstance(atom, Fire)}
    found = dict.fromkeys(_antecedents(bound.formula, True))
    return [part for part in found if not events & {ap.ap_name() for ap in _atoms(part)}]


def is_invariant(bound: BoundFormula) -> bool:
    """Whether the formula says that something holds in every marking."""
    return bool(bound.formula._is(spot.op_G) and bound.formula[0].is_boolean())


def never(part: SpotFormula, bound: BoundFormula) -> BoundFormula:
    """The formula which says that a part, of markings, is always false."""
    return BoundFormula(bound.text, spot.formula.G(spot.formula.Not(part)), bound.atoms)


def constant(atom: int, truth: bool, bound: BoundFormula) -> BoundFormula:
    """The formula which says that an atom always has this truth value."""
    literal = spot.formula.ap(f"a{atom}")
    kept = literal if truth else spot.formula.Not(literal)
    return BoundFormula(bound.text, spot.formula.G(kept), bound.atoms)


def _atoms(part: SpotFormula) -> list[SpotFormula]:
    return list(spot.atomic_prop_collect(part) or ())


def _antecedents(formula: SpotFormula, positive: bool) -> Iterator[SpotFormula]:
    if formula._is(spot.op_Implies):
        left, right = formula
        if positive and left.is_boolean() and _atoms(left):
            yield left
        yield from _antecedents(left, not positive)
        yield from _antecedents(right, positive)
    elif formula._is(spot.op_Not):
        yield from _antecedents(formula[0], not positive)
    elif not (formula._is(spot.op_Xor) or formula._is(spot.op_Equiv)):
        for part in formula:
            yield from _antecedents(part, positive)
