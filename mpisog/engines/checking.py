"""From properties to results: one after the other, in order, within limits, certified."""

from __future__ import annotations

import time
import traceback
from collections.abc import Iterator, Sequence
from dataclasses import replace

from mpisog.budget import Budget, ShowProgress, limit_memory, release_memory
from mpisog.config import RunConfig
from mpisog.engines.base import Engine, Finding
from mpisog.engines.mclcd import known_variant
from mpisog.engines.reducing import decide
from mpisog.engines.registry import choose_engine
from mpisog.engines.session import Sessions
from mpisog.engines.vacuity import notices
from mpisog.errors import InputError, LimitReached
from mpisog.formulas.properties import Property
from mpisog.nets.model import PetriNet
from mpisog.reductions.driver import check_level
from mpisog.spotglue.emptiness import needs_single_acceptance
from mpisog.spotglue.ltl import BoundFormula, bind
from mpisog.team.plan import Plan, known_parallel
from mpisog.team.team import Team, ThreadTeam
from mpisog.trace.shorten import shorten
from mpisog.verdict import Result, Verdict


def check_all(
    net: PetriNet,
    properties: Sequence[Property],
    config: RunConfig,
    show: ShowProgress | None = None,
    total: Budget | None = None,
    crew: Team | None = None,
    keep_going: bool = False,
) -> Iterator[Result]:
    """A result for each property as soon as it is known; input errors come before the first.

    After an interrupt or the total time limit, what is left is UNKNOWN at once. ``total`` is the
    budget over the whole run, for callers that want to stop it themselves; ``crew`` are the other
    ranks, if there are any. With ``keep_going``, an internal error is the ``error`` of a result.
    """
    needs_single_acceptance(config.emptiness)  # a wrong name is an input error too
    check_level(config.reduce)
    known_variant(config.variant)
    unlimited = Budget()
    work = [(prop, bind(prop, net)) for prop in properties]
    engines = [choose_engine(config.engine, bound, unlimited) for _, bound in work]
    sessions = Sessions(net, crew or _own_crew(config), _workers(config))
    budget = total or total_watch(config)
    return _results(sessions, work, engines, config, show, budget, keep_going)


def _own_crew(config: RunConfig) -> Team | None:
    """Threads that build aggregates beside this one, if that is wanted."""
    by_aggregate = known_parallel(config.parallel) == "aggregates" and config.threads > 1
    plan = Plan(strategy=config.strategy, placement=config.placement, digest=config.digest)
    return ThreadTeam(config.threads, plan) if by_aggregate else None


def _workers(config: RunConfig) -> int:
    """Threads inside each operation."""
    return config.threads if config.parallel == "operations" else 1


def total_watch(config: RunConfig) -> Budget:
    """A budget over a whole run; its time begins now."""
    return Budget(config.total_timeout, name="total time limit")


def _results(
    sessions: Sessions,
    work: Sequence[tuple[Property, BoundFormula]],
    engines: Sequence[Engine],
    config: RunConfig,
    show: ShowProgress | None,
    total: Budget,
    keep_going: bool,
) -> Iterator[Result]:
    memory = limit_memory(config.memory)
    for (prop, bound), engine in zip(work, engines, strict=True):
        budget = Budget(config.timeout, memory, show, within=total)
        try:
            result = _check_one(sessions, prop, bound, engine, config, budget)
        except InputError:
            raise
        except Exception as error:
            if not keep_going:
                raise
            result = _broken(prop, bound, engine, error)
            # What this formula has left behind may be broken too.
            sessions = Sessions(sessions.net, sessions.crew, sessions.workers)
        yield result
        release_memory()


def _broken(prop: Property, bound: BoundFormula, engine: Engine, error: Exception) -> Result:
    """The result of a formula whose check has ended in a bug of ours."""
    return Result(
        name=prop.name,
        formula=bound.text,
        verdict=Verdict.UNKNOWN,
        engine=engine.name,
        reason=f"internal error: {error}" if str(error) else "internal error",
        error="".join(traceback.format_exception(error)),
    )


def _check_one(
    sessions: Sessions,
    prop: Property,
    bound: BoundFormula,
    engine: Engine,
    config: RunConfig,
    budget: Budget,
) -> Result:
    started = time.monotonic()
    verdict, reason, finding = Verdict.UNKNOWN, None, Finding(None)
    trivial: tuple[str, ...] = ()
    try:
        budget.check()
        finding = decide(sessions, bound, engine, config, budget)
        # Of an existential formula the negation was checked: what violates that is a witness.
        holds = (finding.counterexample is None) != prop.existential
        verdict = Verdict.TRUE if holds else Verdict.FALSE
        finding = _shortened(finding, sessions, bound, config, budget)
        if verdict is Verdict.TRUE and not prop.existential:
            trivial = _notices(sessions, bound, time.monotonic() - started, budget)
    except LimitReached as limit:
        reason, finding = limit.reason, Finding(None, limit.statistics)
        # The budget keeps the limit, the native graph keeps the budget, and the collector cannot
        # see through native objects: the frames of a traceback would keep the graph for ever.
        limit.__traceback__ = None
    except MemoryError:
        reason = "out of memory"
    except KeyboardInterrupt:
        budget.interrupt()
        verdict, reason, finding = Verdict.UNKNOWN, "interrupted", Finding(None)
    return Result(
        name=prop.name,
        formula=bound.text,
        verdict=verdict,
        engine=finding.engine or engine.name,
        reason=reason,
        trace=finding.counterexample,
        seconds=time.monotonic() - started,
        statistics=finding.statistics,
        ranks=finding.ranks,
        notices=trivial,
        bound=bound,
    )


def _notices(
    sessions: Sessions, bound: BoundFormula, seconds: float, budget: Budget
) -> tuple[str, ...]:
    """Whether the formula holds for a trivial reason; the verdict stands in any case."""
    try:
        return notices(sessions.of(sessions.net, budget), bound, seconds, budget)
    except KeyboardInterrupt:
        budget.interrupt()
        return ()


def _shortened(
    finding: Finding, sessions: Sessions, bound: BoundFormula, config: RunConfig, budget: Budget
) -> Finding:
    """With a shorter counterexample, if there is one and time for it; the verdict stands."""
    lasso = finding.counterexample
    if lasso is None or not config.shortening:
        return finding
    try:
        native = sessions.of(sessions.net, budget).native_net
        shorter = shorten(
            lasso, bound, config.shortening, budget, native=native, prove=config.shortest
        )
    except KeyboardInterrupt:  # the rest is not checked any more, this one is
        budget.interrupt()
        return finding
    found = {"steps_found": len(lasso.steps)} if shorter is not lasso else {}
    return replace(finding, counterexample=shorter, statistics={**finding.statistics, **found})
