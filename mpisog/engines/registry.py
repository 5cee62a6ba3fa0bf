"""The engines that can be asked for, and which formulas they are for."""

from __future__ import annotations

from mpisog.budget import Budget
from mpisog.engines import mclcd, schedule, sog
from mpisog.engines.task import split
from mpisog.errors import UsageError, known_name
from mpisog.nets.model import PetriNet
from mpisog.spotglue.ltl import BoundFormula

ENGINES = ("auto", *schedule.ENGINES)


def known_engine(name: str) -> str:
    """The name, or a ``UsageError`` if there is no such engine."""
    return known_name("engine", name, ENGINES)


def unfit(name: str, bound: BoundFormula, net: PetriNet, budget: Budget) -> UsageError | None:
    """Why the engine must not be used for the formula, or for a conjunct of it, or nothing."""
    reason = None
    if name == "sog":
        reason = sog.unfit(bound, budget)
    if name == "mclcd":
        reason = next(filter(None, map(mclcd.unfit, split(bound, net))), None)
    if reason is None:
        return None
    return UsageError(f"the engine '{name}' cannot check '{bound.text}': {reason}")
