"""From properties to results: one after the other, in order, within limits, certified."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence

from mpisog.config import RunConfig
from mpisog.dist.crew import Crew, ThreadCrew
from mpisog.dist.plan import Plan, known_parallel
from mpisog.engines.base import Engine, Finding
from mpisog.engines.reducing import decide
from mpisog.engines.registry import choose_engine
from mpisog.engines.session import Sessions
from mpisog.errors import LimitReached
from mpisog.formulas.properties import Property
from mpisog.limits import ShowProgress, Watch, memory_budget, release_memory
from mpisog.nets.model import PetriNet
from mpisog.reductions.driver import check_level
from mpisog.spotglue.emptiness import needs_single_acceptance
from mpisog.spotglue.ltl import BoundFormula, bind
from mpisog.verdict import Result, Verdict


def check_all(
    net: PetriNet,
    properties: Sequence[Property],
    config: RunConfig,
    show: ShowProgress | None = None,
    total: Watch | None = None,
    crew: Crew | None = None,
) -> Iterator[Result]:
    """A result for each property as soon as it is known; input errors come before the first.

    After an interrupt or the total time limit, what is left is UNKNOWN at once. ``total`` is the
    watch over the whole run, for callers that want to stop it themselves; ``crew`` are the other
    ranks, if there are any.
    """
    needs_single_acceptance(config.emptiness)  # a wrong name is an input error too
    check_level(config.reduce)
    unlimited = Watch()
    work = [(prop, bind(prop, net)) for prop in properties]
    engines = [choose_engine(config.engine, bound, unlimited) for _, bound in work]
    sessions = Sessions(net, crew or _own_crew(config), _workers(config))
    return _results(sessions, work, engines, config, show, total or total_watch(config))


def _own_crew(config: RunConfig) -> Crew | None:
    """Threads that build aggregates beside this one, if that is wanted."""
    by_aggregate = known_parallel(config.parallel) == "aggregates" and config.threads > 1
    plan = Plan(strategy=config.strategy, placement=config.placement, digest=config.digest)
    return ThreadCrew(config.threads, plan) if by_aggregate else None


def _workers(config: RunConfig) -> int:
    """Threads inside each operation."""
    return config.threads if config.parallel == "operations" else 1


def total_watch(config: RunConfig) -> Watch:
    """A watch over a whole run; its time begins now."""
    return Watch(config.total_timeout, name="total time limit")


def _results(
    sessions: Sessions,
    work: Sequence[tuple[Property, BoundFormula]],
    engines: Sequence[Engine],
    config: RunConfig,
    show: ShowProgress | None,
    total: Watch,
) -> Iterator[Result]:
    memory = memory_budget(config.memory)
    for (prop, bound), engine in zip(work, engines, strict=True):
        watch = Watch(config.timeout, memory, show, within=total)
        yield _check_one(sessions, prop, bound, engine, config, watch)
        release_memory()


def _check_one(
    sessions: Sessions,
    prop: Property,
    bound: BoundFormula,
    engine: Engine,
    config: RunConfig,
    watch: Watch,
) -> Result:
    started = time.monotonic()
    verdict, reason, finding = Verdict.UNKNOWN, None, Finding(None)
    try:
        watch.check()
        finding = decide(sessions, bound, engine, config, watch)
        verdict = Verdict.TRUE if finding.counterexample is None else Verdict.FALSE
    except LimitReached as limit:
        reason, finding = limit.reason, Finding(None, limit.statistics)
        # The watch keeps the limit, the native graph keeps the watch, and the collector cannot see
        # through native objects: the frames of a traceback would keep the graph for ever.
        limit.__traceback__ = None
    except MemoryError:
        reason = "out of memory"
    except KeyboardInterrupt:
        watch.interrupt()
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
    )
