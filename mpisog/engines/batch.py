"""Properties of one net that are checked together, and what becomes of them: their results."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from mpisog.budget import Budget
from mpisog.config import RunConfig
from mpisog.engines.course import PropertyCourse
from mpisog.engines.mclcd import known_variant
from mpisog.engines.registry import known_engine, unfit
from mpisog.engines.resources import Resources, graph_threads
from mpisog.engines.schedule import Stage, schedule
from mpisog.engines.task import Task, tasks
from mpisog.engines.vacuity import notices
from mpisog.errors import LimitReached, UsageError
from mpisog.formulas.properties import Property
from mpisog.nets.model import PetriNet
from mpisog.reductions.driver import check_level
from mpisog.sog.native_labels import NATIVE_BACKENDS
from mpisog.sog.observation import known_aggregation
from mpisog.spotglue.conjuncts import as_written
from mpisog.spotglue.emptiness import needs_single_acceptance
from mpisog.spotglue.ltl import BoundFormula, bind
from mpisog.symbolic.registry import AUTO, known_backend
from mpisog.team.plan import Plan, known_parallel
from mpisog.team.team import Team, ThreadTeam
from mpisog.trace.lasso import Lasso
from mpisog.trace.shorten import shorten
from mpisog.verdict import Result, Verdict

UNLIMITED = Budget()
"""Who attempts something with it gets any limit back, also that of the whole run."""


def prepare(
    net: PetriNet, properties: Sequence[Property], config: RunConfig, team: Team | None = None
) -> Batch:
    """A batch; input errors are found here. ``team`` are the other ranks that build, if any."""
    needs_single_acceptance(config.emptiness)  # a wrong name is an input error too
    check_level(config.reduce)
    known_variant(config.variant)
    known_engine(config.engine)
    known_backend(config.backend)
    known_aggregation(config.aggregation)
    bounds = [bind(prop, net) for prop in properties]
    misfits = _misfits(config.engine, bounds, net)
    of_property: list[list[Task]] = [[] for _ in properties]
    # What is shortest for one conjunct need not be so for all.
    for task in tasks(net, bounds, whole=config.shortest):
        of_property[task.property].append(task)
    settings = _settings(config)
    return Batch(net, properties, bounds, misfits, of_property, settings, team or own_team(config))


@dataclass(frozen=True)
class Batch:
    """Properties of one net that are checked together."""

    net: PetriNet
    properties: Sequence[Property]
    bounds: Sequence[BoundFormula]
    misfits: Sequence[UsageError | None]
    """Of each property, why the engine is not for it."""
    tasks: Sequence[Sequence[Task]]
    """Of each property. They travel: Spot may give conjuncts another order in another process."""
    config: RunConfig
    team: Team | None = None

    @cached_property
    def stages(self) -> tuple[Stage, ...]:
        """The same for all."""
        return schedule(self.config, self.net)

    def resources(self) -> Resources:
        """What the checks share."""
        return Resources(self.net, self.config, self.team, self.bounds)


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


def own_team(config: RunConfig) -> Team | None:
    """Threads that build aggregates in Python beside this one; a native graph has its own."""
    known_parallel(config.parallel)  # wrong names are input errors too, those of a plan as well
    plan = Plan(strategy=config.strategy, placement=config.placement, digest=config.digest)
    if graph_threads(config) == 1 or config.backend in (AUTO, *NATIVE_BACKENDS):
        return None
    return ThreadTeam(config.threads, plan)


def broken(batch: Batch, number: int, reason: str, traceback: str) -> Result:
    """The result of a formula whose check has ended in a bug of ours."""
    return Result(
        name=batch.properties[number].name,
        formula=batch.bounds[number].text,
        verdict=Verdict.UNKNOWN,
        engine=batch.config.engine,
        reason=f"internal error: {reason}" if reason else "internal error",
        error=traceback,
    )


def result_of(
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
        conjunct=as_written(part.bound, bound, batch.net) if part else None,
        bound=part.bound if part else bound,
    )


def needs_polish(batch: Batch, result: Result) -> bool:
    """Whether a result may still become better: a shorter counterexample, or notices."""
    if result.trace is not None:
        return batch.config.shortening > 0
    return result.verdict is Verdict.TRUE


def polish(result: Result, resources: Resources, seconds: float, budget: Budget) -> Result:
    """With a shorter counterexample, or with notices; the verdict stands in any case."""

    def work(_: Budget) -> Result:
        if result.trace is not None:
            return _shortened(result, result.trace, resources, budget)
        if result.verdict is Verdict.TRUE and result.bound is not None:
            return replace(result, notices=notices(resources, result.bound, seconds, budget))
        return result

    try:
        found = UNLIMITED.attempt(None, work)
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
