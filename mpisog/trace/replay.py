"""The independent replayer: no FALSE is shown before its lasso has passed here.

It shares nothing with the engines: the token game and the atoms are plain Python (``trace.run``),
and Spot judges the word that comes out.
"""

from __future__ import annotations

from collections.abc import Sequence

from mpisog.budget import Budget
from mpisog.errors import InternalError
from mpisog.formulas.atoms import Fire
from mpisog.nets.semantics import is_dead
from mpisog.spotglue.ltl import BoundFormula
from mpisog.spotglue.words import Letter, is_bad_prefix, violates
from mpisog.trace.lasso import Lasso
from mpisog.trace.run import Run

STEPS_BETWEEN_LOOKS = 1000
"""At the budget."""


def certify(lasso: Lasso, bound: BoundFormula, budget: Budget) -> None:
    """Return quietly when the lasso is a run of its net that violates the formula.

    And where it says that the verdict is sealed, no continuation may satisfy the formula.
    """
    if not is_counterexample(lasso, bound, budget):
        raise InternalError("the counterexample found does not violate the formula")
    certify_seal(lasso, bound, budget)


def certify_seal(lasso: Lasso, bound: BoundFormula, budget: Budget) -> None:
    """The second half of that, for a lasso that is known to be a counterexample."""
    if lasso.sealed is not None and not _is_sealed(lasso, bound, budget):
        raise InternalError("a counterexample is not sealed where it says so")


def letters(lasso: Lasso, bound: BoundFormula) -> list[Letter]:
    """What holds at each step: those of the prefix, then a round of the cycle or the dead end."""
    run = Run(lasso.net, bound.atoms)
    word = [run.step(transition) for transition in (*lasso.prefix, *lasso.cycle)]
    return [*word, run.letter(None)] if lasso.ends_dead else word


def _is_sealed(lasso: Lasso, bound: BoundFormula, budget: Budget) -> bool:
    run = Run(lasso.net, bound.atoms)
    prefix = [run.step(transition) for transition in lasso.steps]
    events = [atom.transition for atom in bound.atoms if isinstance(atom, Fire)]
    last = {run.letter(transition) for transition in (None, *events)}
    return is_bad_prefix(bound, prefix, last, budget)


def is_counterexample(lasso: Lasso, bound: BoundFormula, budget: Budget) -> bool:
    """Whether the run violates the formula; one that is no run of its net is an error."""
    run = Run(lasso.net, bound.atoms)
    prefix = _fire(run, lasso.prefix, budget)
    entry = tuple(run.marking)
    if lasso.ends_dead:
        if not is_dead(lasso.net, entry):
            raise InternalError("a counterexample ends in a marking that is not dead")
        cycle = [run.letter(None)]
    else:
        cycle = _fire(run, lasso.cycle, budget)
        if tuple(run.marking) != entry:
            raise InternalError("the cycle of a counterexample does not close")
    run.check()
    return violates(bound, prefix, cycle, budget)


def _fire(run: Run, transitions: Sequence[int], budget: Budget) -> list[Letter]:
    letters = []
    for number, transition in enumerate(transitions):
        if number % STEPS_BETWEEN_LOOKS == 0:
            budget.check()
        letters.append(run.step(transition))
    return letters
