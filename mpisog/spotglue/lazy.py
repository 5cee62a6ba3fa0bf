"""Which LTL formulas MCLCD decides: those that say what an LRL formula says."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

import spot

from mpisog.spotglue.ltl import SpotFormula


class Form(Enum):
    """The kinds of runs that MCLCD looks for; ψ and φ are conditions on markings."""

    EXISTS_UNTIL = "exists_until"
    """One that goes through ψ to φ."""
    ALL_UNTIL = "all_until"
    """One that violates A(ψ U φ)."""
    LEADS_TO = "leads_to"
    """One that violates ψ --> φ."""


@dataclass(frozen=True)
class LazyProblem:
    """A formula is violated by the runs of this form."""

    form: Form
    psi: SpotFormula
    phi: SpotFormula


def recognise(formula: SpotFormula) -> LazyProblem | None:
    """What to look for to decide an LTL formula; nothing when it is not of the kind."""
    return _recognise(spot.negative_normal_form(formula)) or _recognise(
        spot.negative_normal_form(spot.simplify(formula))
    )


def _recognise(formula: SpotFormula) -> LazyProblem | None:
    if formula.is_boolean():
        return LazyProblem(Form.ALL_UNTIL, spot.formula.ff(), formula)
    children = list(formula)
    if formula._is(spot.op_G):
        return _always(children[0])
    if not all(child.is_boolean() for child in children):
        return None
    if formula._is(spot.op_F):
        return LazyProblem(Form.ALL_UNTIL, spot.formula.tt(), children[0])
    if len(children) != 2 or formula.kind() not in _BINARY:
        return None
    return _BINARY[formula.kind()](*children)


def _always(inner: SpotFormula) -> LazyProblem | None:
    """``G b``, ``G F b`` and ``G(a | F b)``, whose order and number of parts is Spot's."""
    if inner.is_boolean():
        return LazyProblem(Form.EXISTS_UNTIL, spot.formula.tt(), _not(inner))
    parts = list(inner) if inner._is(spot.op_Or) else [inner]
    goals = [part[0] for part in parts if part._is(spot.op_F)]
    excuses = [part for part in parts if part.is_boolean()]
    if len(goals) + len(excuses) != len(parts) or not all(goal.is_boolean() for goal in goals):
        return None
    psi = _not(spot.formula.Or(excuses))
    return LazyProblem(Form.LEADS_TO, psi, spot.formula.Or(goals))


def _not(formula: SpotFormula) -> SpotFormula:
    return spot.formula.Not(formula)


_BINARY = {
    spot.op_U: lambda a, b: LazyProblem(Form.ALL_UNTIL, a, b),
    # a M b is b U (a & b); a R b and a W b are violated by an until.
    spot.op_M: lambda a, b: LazyProblem(Form.ALL_UNTIL, b, spot.formula.And([a, b])),
    spot.op_R: lambda a, b: LazyProblem(Form.EXISTS_UNTIL, _not(a), _not(b)),
    spot.op_W: lambda a, b: LazyProblem(
        Form.EXISTS_UNTIL, _not(b), spot.formula.And([_not(a), _not(b)])
    ),
}
