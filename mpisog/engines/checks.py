"""From properties to results: one after the other, in order, within limits, certified."""

from __future__ import annotations

import time
import traceback
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from mpisog.budget import Budget, Interrupted, ShowProgress, limit_memory, release_memory
from mpisog.config import RunConfig
from mpisog.engines.course import PropertyCourse
from mpisog.engines.mclcd import known_variant
from mpisog.engines.registry import known_engine, unfit
from mpisog.engines.resources import Resources
from mpisog.engines.schedule import Stage, schedule
from mpisog.engines.task import Task, tasks
from mpisog.engines.unit import Undecided, Why, run_unit
from mpisog.engines.vacuity import notices
from mpisog.errors import InputError, LimitReached, UsageError
from mpisog.formulas.properties import Property
from mpisog.nets.model import PetriNet
from mpisog.reductions.driver import check_level
from mpisog.spotglue.emptiness import needs_single_acceptance
from mpisog.spotglue.ltl import BoundFormula, bind
from mpisog.symbolic.registry import AUTO
from mpisog.team.plan import Plan, known_parallel
from mpisog.team.team import Team, ThreadTeam
from mpisog.trace.lasso import Lasso
from mpisog.trace.shorten import shorten
from mpisog.verdict import Result, Verdict

_NEVER_ENDS = Budget()
"""Who attempts something with it gets any limit back, also that of the whole run."""


def check_all(
    net: PetriNet,
    properties: Sequence[Property],
    config: RunConfig,
    show: ShowProgress | None = None,
    total: Budget | None = None,
    team: Team | None = None,
    keep_going: bool = False,
) -> Iterator[Result]:
    """A result for each property as soon as it is known; input errors come before the first.

    After an interrupt or the total time limit, what is left is UNKNOWN at once. ``total`` is the
    budget over the whole run, for callers that want to stop it themselves; ``team`` are the other
    ranks, if there are any. With ``keep_going``, an internal error is the ``error`` of a result.
    """
    needs_single_acceptance(config.emptiness)  # a wrong name is an input error too
    check_level(config.reduce)
    known_variant(config.variant)
    known_engine(config.engine)
    bounds = [bind(prop, net) for prop in properties]
    misfits = _misfits(config.engine, bounds, net)
    batch = Batch(net, properties, bounds, misfits, _settings(config), team or _own_team(config))
    return _results(batch, show, total or total_budget(config), keep_going)


@dataclass(frozen=True)
class Batch:
    """Properties of one net that are checked together."""

    net: PetriNet
    properties: Sequence[Property]
    bounds: Sequence[BoundFormula]
    misfits: Sequence[UsageError | None]
    """Of each property, why the engine is not for it."""
    config: RunConfig
    team: Team | None = None

    @cached_property
    def stages(self) -> tuple[Stage, ...]:
        """The same for all."""
        return schedule(self.config, self.net)

    @cached_property
    def tasks(self) -> list[list[Task]]:
        """Of each property."""
        found: list[list[Task]] = [[] for _ in self.properties]
        for task in tasks(self.net, self.bounds):
            found[task.property].append(task)
        return found

    def resources(self) -> Resources:
        """What the checks share."""
        return Resources(self.net, self.config, self.team)


def _misfits(engine: str, bounds: Sequence[BoundFormula], net: PetriNet) -> list[UsageError | None]:
    """Which formulas the engine is not for; an error if that leaves none."""
    unlimited = Budget()
    found = [unfit(engine, bound, net, unlimited) for bound in bounds]
    if found and None not in found:
        raise next(filter(None, found))
    return found


def _settings(config: RunConfig) -> RunConfig:
    """With decision diagrams in ``auto``: what searches do not finish has too many markings."""
    if config.engine == "auto" and config.backend == AUTO:
        return replace(config, backend="mdd")
    return config


def _own_team(config: RunConfig) -> Team | None:
    """Threads that build aggregates beside this one, if that is wanted."""
    by_aggregate = known_parallel(config.parallel) == "aggregates" and config.threads > 1
    plan = Plan(strategy=config.strategy, placement=config.placement, digest=config.digest)
    return ThreadTeam(config.threads, plan) if by_aggregate else None


def total_budget(config: RunConfig) -> Budget:
    """A budget over a whole run; its time begins now."""
    return Budget(config.total_timeout, name="total time limit")


def _results(
    batch: Batch, show: ShowProgress | None, total: Budget, keep_going: bool
) -> Iterator[Result]:
    memory = limit_memory(batch.config.memory)
    resources = batch.resources()
    for number in range(len(batch.properties)):
        budget = Budget(batch.config.timeout, memory, show, within=total)
        try:
            result = _check_one(batch, number, resources, budget)
        except InputError:
            raise
        except Exception as error:
            if not keep_going:
                raise
            result = _broken(batch, number, error)
            # What this formula has left behind may be broken too.
            resources = batch.resources()
        yield result
        release_memory()


def _broken(batch: Batch, number: int, error: Exception) -> Result:
    """The result of a formula whose check has ended in a bug of ours."""
    return Result(
        name=batch.properties[number].name,
        formula=batch.bounds[number].text,
        verdict=Verdict.UNKNOWN,
        engine=batch.config.engine,
        reason=f"internal error: {error}" if str(error) else "internal error",
        error="".join(traceback.format_exception(error)),
    )


def _check_one(batch: Batch, number: int, resources: Resources, budget: Budget) -> Result:
    """Run units until the property is decided or there is nothing left to do."""
    started = time.monotonic()
    course = PropertyCourse(batch.tasks[number], batch.stages)
    stopped = _NEVER_ENDS.attempt(None, lambda _: budget.check())
    while stopped is None and batch.misfits[number] is None and (unit := course.next()):
        stopped = _run(unit, course, batch.stages, resources, budget)
    if course.error is not None and len(batch.properties) == 1:
        raise course.error
    result = _result(batch, number, course, stopped)
    if course.finding is not None:
        result = _polished(result, resources, time.monotonic() - started, budget)
    return replace(result, seconds=time.monotonic() - started)


def _run(
    unit: tuple[Task, int],
    course: PropertyCourse,
    stages: Sequence[Stage],
    resources: Resources,
    budget: Budget,
) -> LimitReached | None:
    """One unit; the limit of the property's budget, if that ended it."""
    task, index = unit
    started = time.monotonic()
    try:
        outcome = _NEVER_ENDS.attempt(
            None,
            lambda _: run_unit(task, stages[index], resources, budget, sharing=course.open),
        )
    except KeyboardInterrupt:
        budget.interrupt()
        outcome = Interrupted()
    stopped = outcome if isinstance(outcome, LimitReached) else None
    if isinstance(outcome, LimitReached):
        outcome = Undecided(Why.TIME, outcome.reason, outcome.statistics)
    course.note(task.number, index, outcome, time.monotonic() - started)
    return stopped


def _result(
    batch: Batch, number: int, course: PropertyCourse, stopped: LimitReached | None
) -> Result:
    """As the course has ended."""
    prop, bound, finding = batch.properties[number], batch.bounds[number], course.finding
    unfit = batch.misfits[number]
    part = course.violated if course.violated and course.violated.conjunct else None
    statistics = dict(finding.statistics if finding else course.statistics)
    if batch.config.engine != "auto":
        del statistics["phases"]
    verdict, reason = Verdict.UNKNOWN, None
    if finding is None:
        reason = str(unfit) if unfit and not stopped else course.reason(stopped)
    else:
        # Of an existential formula the negation was checked: what violates that is a witness.
        holds = (finding.counterexample is None) != prop.existential
        verdict = Verdict.TRUE if holds else Verdict.FALSE
    return Result(
        name=prop.name,
        formula=bound.text,
        verdict=verdict,
        engine=(finding.engine if finding else None) or batch.config.engine,
        reason=reason,
        trace=finding.counterexample if finding else None,
        statistics=statistics,
        ranks=finding.ranks if finding else (),
        conjunct=part.bound.text if part else None,
        bound=part.bound if part else bound,
    )


def _polished(result: Result, resources: Resources, seconds: float, budget: Budget) -> Result:
    """With a shorter counterexample, or with notices; the verdict stands in any case."""

    def polish(_: Budget) -> Result:
        if result.trace is not None:
            return _shortened(result, result.trace, resources, budget)
        if result.verdict is Verdict.TRUE and result.bound is not None:
            return replace(result, notices=notices(resources, result.bound, seconds, budget))
        return result

    try:
        found = _NEVER_ENDS.attempt(None, polish)
    except KeyboardInterrupt:  # the rest is not checked any more, this one is
        budget.interrupt()
        return result
    return result if isinstance(found, LimitReached) else found


def _shortened(result: Result, lasso: Lasso, resources: Resources, budget: Budget) -> Result:
    config = resources.config
    if not config.shortening or result.bound is None:
        return result
    native = resources.of(resources.net, budget).native_net
    shorter = shorten(
        lasso, result.bound, config.shortening, budget, native=native, prove=config.shortest
    )
    if shorter is lasso:
        return result
    statistics = {**result.statistics, "steps_found": len(lasso.steps)}
    return replace(result, trace=shorter, statistics=statistics)
