"""The independent replayer: no FALSE is shown before its lasso has passed here.

It shares nothing with the engines: the token game is ``nets.semantics``, atoms are evaluated one
by one, and Spot judges the word that comes out.
"""

from __future__ import annotations

from mpisog.errors import InternalError
from mpisog.formulas.atoms import holds
from mpisog.limits import Watch
from mpisog.nets.model import Marking
from mpisog.nets.semantics import enabled, fire, is_dead
from mpisog.spotglue.ltl import BoundFormula
from mpisog.spotglue.words import Letter, violates
from mpisog.trace.lasso import Lasso


def certify(lasso: Lasso, bound: BoundFormula, watch: Watch) -> None:
    """Return quietly when the lasso is a run of its net that violates the formula."""
    if not is_counterexample(lasso, bound, watch):
        raise InternalError("the counterexample found does not violate the formula")


def is_counterexample(lasso: Lasso, bound: BoundFormula, watch: Watch) -> bool:
    """Whether a run violates the formula; a lasso that is no run of its net is an error."""
    prefix_markings = _fire_all(lasso, lasso.net.initial, lasso.prefix)
    entry = prefix_markings.pop()
    cycle_markings = _close(lasso, entry)
    prefix = _letters(lasso, bound, prefix_markings, lasso.prefix)
    cycle = _letters(lasso, bound, cycle_markings, lasso.cycle or (None,))
    return violates(bound, prefix, cycle, watch)


def _fire_all(lasso: Lasso, start: Marking, steps: tuple[int, ...]) -> list[Marking]:
    """The markings before each step and after the last."""
    markings = [start]
    for number, step in enumerate(steps):
        transition = lasso.net.transitions[step]
        if not enabled(transition, markings[-1]):
            raise InternalError(
                f"step {number} of a counterexample ({transition.id}) is not enabled"
            )
        markings.append(fire(transition, markings[-1]))
    return markings


def _close(lasso: Lasso, entry: Marking) -> list[Marking]:
    """The markings before each step of the cycle; a dead marking is a cycle of its own."""
    if lasso.ends_dead:
        if not is_dead(lasso.net, entry):
            raise InternalError("a counterexample ends in a marking that is not dead")
        return [entry]
    markings = _fire_all(lasso, entry, lasso.cycle)
    if markings.pop() != entry:
        raise InternalError("the cycle of a counterexample does not close")
    return markings


def _letters(
    lasso: Lasso,
    bound: BoundFormula,
    markings: list[Marking],
    steps: tuple[int, ...] | tuple[None],
) -> list[Letter]:
    return [
        frozenset(i for i, atom in enumerate(bound.atoms) if holds(atom, lasso.net, marking, fired))
        for marking, fired in zip(markings, steps, strict=True)
    ]
