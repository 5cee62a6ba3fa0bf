"""A unit of work: one stage for one task. Whoever runs it needs a budget and shared resources."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import partial

from mpisog.budget import Budget
from mpisog.engines.base import Finding, Statistics
from mpisog.engines.problem import Decides, Problem
from mpisog.engines.resources import Resources
from mpisog.engines.schedule import Stage
from mpisog.engines.task import Task
from mpisog.errors import InputError, InternalError, LimitReached, Unbounded
from mpisog.trace.replay import is_counterexample
from mpisog.unfolding.prefix import NotSafe


class Why(Enum):
    """Why a unit did not decide."""

    SKIPPED = "skipped"
    """The stage does not fit the problem."""
    KNOWN_UNBOUNDED = "known unbounded"
    """The same, of a net that an earlier unit, maybe of another property, has found unbounded."""
    TIME = "time"
    """More time may help."""
    GAVE_UP = "gave up"
    """It will not."""
    UNBOUNDED = "unbounded"
    """The net has infinitely many markings."""


@dataclass(frozen=True)
class Undecided:
    """What a unit says that has no verdict."""

    why: Why
    reason: str
    statistics: Statistics = field(default_factory=dict)
    error: InputError | None = None
    """The net is not for this engine, as it turned out."""


SKIPPED = Undecided(Why.SKIPPED, "the stage does not fit")


def run_unit(
    task: Task,
    stage: Stage,
    resources: Resources,
    budget: Budget,
    *,
    seconds: float | None = None,
    sharing: int = 1,
) -> Finding | Undecided:
    """One stage for one task; a counterexample is one of the original net, and replayed.

    The stage takes its slice of the budget, which is what is left for the property, or so many
    seconds; so many conjuncts share what is left. Only a limit of the budget itself is raised.
    """
    problem = task.problem(stage.transformations, resources, budget)
    if problem is None:
        return SKIPPED
    if not all(fits(problem, resources, budget) for fits in stage.when):
        unbounded = resources.of(problem.net, budget).unbounded
        return SKIPPED if unbounded is None else Undecided(Why.KNOWN_UNBOUNDED, unbounded.reason)
    if seconds is None:
        seconds = _slice(stage, problem, budget, sharing)
    started = time.monotonic()
    try:
        found = budget.attempt(seconds, partial(stage.engine.run, problem, resources))
    except NotSafe as error:
        resources.of(problem.net, budget).may_be_safe = False
        return Undecided(Why.GAVE_UP, str(error), error=error)
    if isinstance(found, LimitReached):
        late = seconds is not None and time.monotonic() - started >= seconds
        resources.spare_memory(budget)
        return _undecided(found, problem, resources, budget, late)
    return _judged(_lifted(found, problem), task, stage, problem)


def _slice(stage: Stage, problem: Problem, budget: Budget, sharing: int) -> float | None:
    """Of a long stage each conjunct that is still open gets a part."""
    given = stage.slice.of(budget, problem.net)
    if sharing == 1 or stage.round == 0:
        return given
    return (budget.share(1.0) if given is None else given) / sharing


def _lifted(found: Finding, problem: Problem) -> Finding:
    """The finding for the original net."""
    lasso = found.counterexample
    return replace(
        found,
        counterexample=None if lasso is None else problem.lift(lasso),
        statistics={**found.statistics, **problem.figures},
    )


def _judged(found: Finding, task: Task, stage: Stage, problem: Problem) -> Finding | Undecided:
    """The finding, if it is an answer about the original problem."""
    if found.counterexample is None:
        if problem.decides is not Decides.COUNTEREXAMPLES:
            return found
        return Undecided(Why.GAVE_UP, "no counterexample is found among shortened words")
    if is_counterexample(found.counterexample, task.bound, Budget()):
        return found
    if problem.decides is Decides.BOTH:
        raise InternalError("the counterexample found does not violate the formula")
    task.reject(stage.transformations)
    return Undecided(Why.GAVE_UP, "the run found does not violate the formula")


def _undecided(
    limit: LimitReached, problem: Problem, resources: Resources, budget: Budget, late: bool
) -> Undecided:
    why = Why.TIME if late else Why.GAVE_UP
    if isinstance(limit, Unbounded):
        resources.of(problem.net, budget).unbounded = limit
        why = Why.UNBOUNDED
    return Undecided(why, limit.reason, limit.statistics)
