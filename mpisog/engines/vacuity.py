"""Notices about formulas that hold for a trivial reason, where a short search tells."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from mpisog.budget import Budget
from mpisog.engines.dfs import Dfs
from mpisog.engines.problem import Problem
from mpisog.engines.resources import Resources
from mpisog.formulas.atoms import Fire, holds
from mpisog.formulas.wording import Wording
from mpisog.spotglue.ltl import BoundFormula
from mpisog.spotglue.parts import subformulas
from mpisog.spotglue.vacuity import antecedents, constant, is_invariant, never

LEAST_SECONDS = 0.02
SHARE = 0.1
"""Of the time that the formula took."""


def notices(
    resources: Resources, bound: BoundFormula, seconds: float, budget: Budget
) -> tuple[str, ...]:
    """Why a formula that holds says little: an antecedent never occurs, an atom never changes."""
    found: list[str] = []

    def collect(part: Budget) -> None:
        with suppress(RecursionError):  # nested too deeply for Python
            found.extend(_notices(resources, bound, part))

    budget.attempt(max(LEAST_SECONDS, SHARE * seconds), collect)
    return tuple(found)


def _notices(resources: Resources, bound: BoundFormula, budget: Budget) -> Iterator[str]:
    if bound.atoms and bound.formula.is_boolean():
        yield "without temporal operators it speaks of the start only, G(...) of every marking"
        return
    wording = Wording(resources.net)
    names = [wording.atom(atom, short=True) for atom in bound.atoms]
    told: set[str] = set()
    for part in antecedents(bound):
        text = subformulas(BoundFormula("", part, bound.atoms), names)[-1].text
        if _holds(resources, never(part, bound), budget):
            told.add(text)
            yield f"`{text}` never occurs, so what it implies is never put to the test"
    if is_invariant(bound):  # that an atom never changes may be what it says
        return
    for number, atom in enumerate(bound.atoms):
        if isinstance(atom, Fire) or names[number] in told:
            continue
        truth = holds(atom, resources.net, resources.net.initial, None)
        if _holds(resources, constant(number, truth, bound), budget):
            yield f"`{names[number]}` is {str(truth).lower()} in every marking"


def _holds(resources: Resources, bound: BoundFormula, budget: Budget) -> bool:
    problem = Problem(resources.net, bound)
    return Dfs().run(problem, resources, budget).counterexample is None
