"""Which engines come when, as data: a schedule is a list of stages.

``auto`` has many, the other engines a few. The list depends on the settings and the net only, so a
stage has the same index in every process. See docs/auto.md for why they stand in this order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain

from mpisog.budget import Budget
from mpisog.config import RunConfig
from mpisog.engines import mclcd
from mpisog.engines.base import Engine
from mpisog.engines.bfs import Bfs
from mpisog.engines.dfs import BoundedDfs, Dfs, Order, Strategy
from mpisog.engines.endings import Emptiness, Endings
from mpisog.engines.explicit import Explicit
from mpisog.engines.local_proof import LocalProof
from mpisog.engines.mclcd import Mclcd
from mpisog.engines.problem import Problem
from mpisog.engines.resources import Resources, is_large
from mpisog.engines.sog import Sog
from mpisog.engines.symbolic import Symbolic
from mpisog.engines.transformations import (
    Transformation,
    number_markings,
    reduce,
    reduce_safely,
    shorten,
    simplify,
    stutter_close,
)
from mpisog.engines.unfolding import Unfolding
from mpisog.nets.model import PetriNet
from mpisog.spotglue.automata import is_stutter_invariant, may_count_instants
from mpisog.symbolic.registry import AUTO
from mpisog.unfolding.visibility import may_pay

Condition = Callable[[Problem, Resources, Budget], bool]

ROUNDS = 10
"""How often the long stages come again, with more time each, until something decides."""

LONGER = 4.0
"""How much more."""

FIRST_SECONDS = 0.05
"""For the very first search: most counterexamples need no more."""

SHORT_SECONDS = 0.15
"""For each of the other short stages."""

REDUCED_SECONDS = 0.3
"""For the first search of the reduced net: often it sees all of it."""

SYMBOLIC_SECONDS = 0.5
"""For a proof by sets of markings before linear programs are tried."""

SECONDS_PER_NODE = 5e-6
"""More for each place and transition: the way to anything is longer in a large net."""

PROJECTION_SHARE = 0.3
"""For proofs that need a few places of a large net only; they end by themselves in a second."""

SOLVER_SECONDS = 0.7
"""What it takes to load the linear solver: a search may use as many before that."""

BEFORE_SHORTENING = 0.3
"""Seconds of trying before words are shortened: most formulas need no more."""

SHORTENED_SHARE = 0.4
"""Of the time for a formula, what a net of shortened words gets, which need not decide it."""

SOG_VARIANTS = ((None, 1.0), (1, 2.0), (50, 1.0), (1000, 1.0))
"""How many markings aggregates have (none: all that belong to them), and for how many seconds."""

DIAGRAM_SECONDS = 4.0
"""For the SOG with decision diagrams before the markings are numbered, if they can be."""

DIAGRAM_PLACES = 4_000
"""Beyond this number of places decision diagrams are not tried."""

ORDERS = (
    Strategy(look_ahead=True),
    Strategy(Order.guided, 1, look_ahead=True, limit=500),
    Strategy(Order.backward, look_ahead=True),
    Strategy(Order.random, 1, look_ahead=True),
)
LARGE_ORDERS = (ORDERS[1], ORDERS[0], *ORDERS[2:])
"""In a large net hardly anything is found without a guide."""

LONG_SHARES = (0.4, 0.4, 0.6, 1.0)
"""What each order gets of the time that is left in the end."""


@dataclass(frozen=True)
class Slice:
    """How much time a stage gets: seconds, or a share of what is left, or all of it."""

    seconds: float | None = None
    per_node: float = 0.0
    """Seconds more for each place and transition."""
    share: float | None = None
    """Of what is left; where that has no limit, the seconds count if there are any."""

    def of(self, budget: Budget, net: PetriNet) -> float | None:
        """In seconds; nothing: no limit but the budget's."""
        if self.share is not None and (self.seconds is None or budget.remaining is not None):
            return budget.share(self.share)
        if self.seconds is None:
            return None
        return self.seconds + self.per_node * (len(net.places) + len(net.transitions))


@dataclass(frozen=True)
class Stage:
    """What is made of a problem, which engine then runs, and for how long."""

    name: str
    engine: Engine
    slice: Slice = Slice()
    transformations: tuple[Transformation, ...] = ()
    when: tuple[Condition, ...] = ()
    """What must be so; otherwise the stage is skipped."""
    round: int = 0
    """0: quick stages, which all properties go through before any gets a long one."""


def schedule(config: RunConfig, net: PetriNet) -> tuple[Stage, ...]:
    """The stages for every formula on this net."""
    if config.engine == "auto":
        quick = _quick_large() if is_large(net) else _quick()
        return (*quick, *chain.from_iterable(_long(config, net, n) for n in range(1, ROUNDS + 1)))
    if config.engine == "sog" and _has_variants(config):
        return (*_sog_variants(), *_whole(Sog()))
    return tuple(_alone(ENGINES[config.engine]))


ENGINES: Mapping[str, Engine] = {
    engine.name: engine for engine in (Explicit(), Mclcd(), Dfs(), Sog(), Symbolic(), Unfolding())
}
"""Those that can be asked for by name, beside ``auto``."""


def _quick() -> Iterator[Stage]:
    """Most formulas are decided by a short search in one order or another."""
    yield Stage("formula", Emptiness())
    yield Stage("first dfs", Dfs(ORDERS[0]), _short(FIRST_SECONDS), (), (is_bounded,))
    reduced = (reduce,)
    yield Stage("reduced dfs", Dfs(ORDERS[0]), _short(REDUCED_SECONDS), reduced, (is_bounded,))
    yield from _searches("dfs", ORDERS[1:], reduced)
    yield Stage("unfolding", Unfolding(), _short(), (), (can_unfold,))
    drawable = (is_bounded, fits_diagrams)
    yield Stage("short symbolic", Symbolic(), _short(SYMBOLIC_SECONDS), reduced, drawable)
    before_solver = (is_bounded, without_solver)
    yield Stage("longer dfs", Dfs(), _short(SOLVER_SECONDS), reduced, before_solver)
    yield Stage("state equation", Endings(), Slice(), (simplify,))
    yield from _searches("simpler dfs", ORDERS, (simplify, reduce), (is_simpler,))


def _quick_large() -> Iterator[Stage]:
    """Reducing takes a while there, and so does everything without a guide."""
    yield Stage("formula", Emptiness())
    yield from _searches("first dfs", LARGE_ORDERS[:1], ())
    yield Stage("state equation", Endings(), Slice(), (simplify,))
    yield Stage("projection", LocalProof(), Slice(share=PROJECTION_SHARE), (simplify,))
    yield from _searches("simpler dfs", LARGE_ORDERS[:1], (simplify,), (is_simpler,))
    yield from _searches("dfs", LARGE_ORDERS[1:], (simplify,))
    yield from _searches("reduced dfs", LARGE_ORDERS, (simplify, reduce), (is_reduced,))


def _short(seconds: float = SHORT_SECONDS) -> Slice:
    return Slice(seconds, SECONDS_PER_NODE)


def _searches(
    name: str,
    orders: Iterable[Strategy],
    transformations: tuple[Transformation, ...],
    when: tuple[Condition, ...] = (),
) -> Iterator[Stage]:
    """Short ones in several orders; in an unbounded net with bounds on tokens."""
    for order in orders:
        title = f"{name} ({order.order.name})"
        yield Stage(title, Dfs(order), _short(), transformations, (*when, is_bounded))
    for order in orders:
        title = f"bounded {name} ({order.order.name})"
        yield Stage(title, BoundedDfs(order), _short(), transformations, (*when, is_unbounded))
    yield Stage(f"bfs after {name}", Bfs(), _short(), transformations, (*when, is_unbounded))


def _long(config: RunConfig, net: PetriNet, round: int) -> Iterator[Stage]:
    """The engines that fit, one after the other; every round has more time."""
    simple = (simplify, reduce)
    orders = LARGE_ORDERS if is_large(net) else ORDERS

    def stage(name: str, engine: Engine, share: float, *when: Condition) -> Stage:
        part = Slice(share=share * LONGER ** (round - 1))
        return Stage(f"{name}, round {round}", engine, part, simple, when, round)

    if round == 1:  # it ends soon, whatever the time
        yield stage("projection", LocalProof(), 0.1)
    yield stage("unfolding", Unfolding(), 0.1, can_unfold)
    yield stage("symbolic", Symbolic(), 0.3, is_bounded, fits_diagrams)
    if config.threads > 1:
        yield stage("mclcd", Mclcd(), 0.3, is_bounded, fits_diagrams, is_lazy)
    yield stage("sog", Sog(), 0.5, is_bounded, fits_diagrams, is_observable)
    for closed in (
        stage("closed dfs", Dfs(), 0.1, is_bounded, fits_diagrams),
        stage("closed symbolic", Symbolic(), 0.3, is_bounded, fits_diagrams),
        stage("closed sog", Sog(), 0.4, is_bounded, fits_diagrams),
    ):
        yield replace(closed, transformations=(*simple, stutter_close))
    for order, share in zip(orders, LONG_SHARES, strict=True):
        again = replace(order, seed=order.seed + round)
        yield stage(f"long dfs ({order.order.name})", Dfs(again), share, is_bounded)
    # Nothing but a lasso can decide there: without a limit on time, one round of these is enough.
    when: tuple[Condition, ...] = (is_unbounded,) if round == 1 else (is_unbounded, has_time_limit)
    yield stage("bfs", Bfs(), 0.3, *when)
    for order, share in zip(orders, LONG_SHARES, strict=True):
        bounded = BoundedDfs(replace(order, seed=order.seed + round))
        searched = stage(f"bounded dfs ({order.order.name})", bounded, share, *when)
        yield replace(searched, slice=replace(searched.slice, seconds=SHORT_SECONDS))


def _alone(engine: Engine) -> Iterator[Stage]:
    """One engine; where a formula counts instants, on shorter words before the real ones."""
    first = Slice(BEFORE_SHORTENING)
    yield Stage("safely reduced", engine, first, (reduce_safely,), (may_count,))
    shorter = (reduce_safely, shorten)
    yield Stage("shortened", engine, Slice(share=SHORTENED_SHARE), shorter, (is_bounded,))
    yield from _whole(engine)


def _whole(engine: Engine) -> Iterator[Stage]:
    """All the time that there is; several rounds where conjuncts share it."""
    for round in range(1, ROUNDS + 1):
        yield Stage(f"reduced, round {round}", engine, Slice(), (reduce,), (), round)


def _has_variants(config: RunConfig) -> bool:
    """Whether aggregates may be small for a while: not where another limit is asked for."""
    limited = config.forbid or config.aggregate_nodes is not None
    return config.backend == AUTO and config.aggregation == "precise" and not limited


def _sog_variants() -> Iterator[Stage]:
    """Whole aggregates may be huge where a counterexample is near; diagrams may be slow."""
    for numbered, factor in ((False, 1.0), (True, LONGER)):
        for markings, seconds in SOG_VARIANTS:
            when = [has_no_team]
            if markings not in (None, 1):
                when.append(may_cut_aggregates)
            size = "whole" if markings is None else f"{markings} markings"
            name = f"{size}, numbered" if numbered else size
            made = (reduce, number_markings) if numbered else (reduce,)
            yield Stage(name, Sog(markings), Slice(factor * seconds), made, tuple(when))
        if not numbered:
            longer = Slice(DIAGRAM_SECONDS)
            yield Stage("whole, longer", Sog(), longer, (reduce,), (has_no_team,))


def is_bounded(problem: Problem, resources: Resources, budget: Budget) -> bool:
    """For all that is known."""
    return resources.of(problem.net, budget).unbounded is None


def is_unbounded(problem: Problem, resources: Resources, budget: Budget) -> bool:
    """Somebody has found that out."""
    return not is_bounded(problem, resources, budget)


def has_time_limit(problem: Problem, resources: Resources, budget: Budget) -> bool:
    """Whether what does not decide ends at some time."""
    return budget.remaining is not None


def is_reduced(problem: Problem, resources: Resources, budget: Budget) -> bool:
    """Rules applied."""
    return "reduce" in problem.steps


def is_simpler(problem: Problem, resources: Resources, budget: Budget) -> bool:
    """The state equation excluded something."""
    return "simplify" in problem.steps


def without_solver(problem: Problem, resources: Resources, budget: Budget) -> bool:
    """The linear solver has not been loaded."""
    return not resources.of(resources.net, budget).has_prover


def can_unfold(problem: Problem, resources: Resources, budget: Budget) -> bool:
    """Concurrency that is hardly observed, in a net that may be 1-safe."""
    net, bound = problem.net, problem.bound
    shared = resources.of(net, budget)
    plausible = shared.may_be_safe and shared.unbounded is None and not is_large(net)
    observable = not (bound.has_events or may_count_instants(bound))
    return plausible and observable and may_pay(net, bound)


def fits_diagrams(problem: Problem, resources: Resources, budget: Budget) -> bool:
    """The net is not too large for decision diagrams."""
    return len(problem.net.places) <= DIAGRAM_PLACES


def is_lazy(problem: Problem, resources: Resources, budget: Budget) -> bool:
    """A formula for lazy cycle detection."""
    return mclcd.unfit(problem.bound) is None


def is_observable(problem: Problem, resources: Resources, budget: Budget) -> bool:
    """The formula neither sees repetitions nor speaks of events."""
    return not problem.bound.has_events and is_stutter_invariant(problem.bound, budget)


def may_count(problem: Problem, resources: Resources, budget: Budget) -> bool:
    """Whether it is worth asking if the formula counts instants."""
    full = resources.config.reduce == "full" and not problem.bound.has_events
    return full and may_count_instants(problem.bound)


def has_no_team(problem: Problem, resources: Resources, budget: Budget) -> bool:
    """Whoever checks builds the graph too."""
    return resources.team is None


def may_cut_aggregates(problem: Problem, resources: Resources, budget: Budget) -> bool:
    """Neither events nor numbered markings, where aggregates are whole or have one marking."""
    shared = resources.of(problem.net, budget)
    return not problem.bound.has_events and shared.domain(AUTO, budget).name != "bits"
