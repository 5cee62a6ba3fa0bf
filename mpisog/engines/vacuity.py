"""Notices about formulas that hold for a trivial reason, where a short search tells."""

from __future__ import annotations

from collections.abc import Iterator

from mpisog.budget import Budget
from mpisog.engines.dfs import Strategy, search
from mpisog.engines.session import Session
from mpisog.errors import LimitReached
from mpisog.formulas.atoms import Fire, holds
from mpisog.formulas.wording import Wording
from mpisog.spotglue.automata import counterexample_automaton
from mpisog.spotglue.ltl import BoundFormula
from mpisog.spotglue.parts import subformulas
from mpisog.spotglue.vacuity import antecedents, constant, is_invariant, never

LEAST_SECONDS = 0.02
SHARE = 0.1
"""Of the time that the formula took."""


def notices(
    session: Session, bound: BoundFormula, seconds: float, budget: Budget
) -> tuple[str, ...]:
    """Why a formula that holds says little: an antecedent never occurs, an atom never changes."""
    part = Budget(max(LEAST_SECONDS, SHARE * seconds), within=budget)
    found: list[str] = []
    try:
        for notice in _notices(session, bound, part):
            found.append(notice)
    except (LimitReached, MemoryError, RecursionError):
        pass
    return tuple(found)


def _notices(session: Session, bound: BoundFormula, budget: Budget) -> Iterator[str]:
    wording = Wording(session.net)
    names = [wording.atom(atom, short=True) for atom in bound.atoms]
    told: set[str] = set()
    for part in antecedents(bound):
        text = subformulas(BoundFormula("", part, bound.atoms), names)[-1].text
        if _holds(session, never(part, bound), budget):
            told.add(text)
            yield f"`{text}` never occurs, so what it implies is never put to the test"
    if is_invariant(bound):  # that an atom never changes may be what it says
        return
    for number, atom in enumerate(bound.atoms):
        if isinstance(atom, Fire) or names[number] in told:
            continue
        truth = holds(atom, session.net, session.net.initial, None)
        if _holds(session, constant(number, truth, bound), budget):
            yield f"`{names[number]}` is {str(truth).lower()} in every marking"


def _holds(session: Session, bound: BoundFormula, budget: Budget) -> bool:
    automaton = counterexample_automaton(bound, budget, delayed=False, single_acceptance=False)
    finding = search(session, bound, automaton, Strategy(), budget)
    return finding.counterexample is None
