"""``sog``: the symbolic observation graph, pulled by Spot's emptiness check.

For formulas that are stutter-invariant. Sets of markings that the formula cannot tell apart while
nothing is observed are one node; only the nodes that Spot asks for are built, by this thread, or by
a team of threads or ranks that may run ahead.
"""

from __future__ import annotations

import socket
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

from mpisog import _native
from mpisog.budget import Budget, resident_bytes
from mpisog.engines.base import Finding, Statistics
from mpisog.engines.explicit import Explicit, violations
from mpisog.engines.problem import Problem
from mpisog.engines.resources import OpenGraph, Resources, graph_threads
from mpisog.errors import InternalError
from mpisog.formulas.atoms import holds
from mpisog.nets.model import PetriNet
from mpisog.nets.ordering import digest_of_order
from mpisog.sog.concretise import Concretiser
from mpisog.sog.kripke import SogKripke, State
from mpisog.sog.native_graph import NativeGraph
from mpisog.spotglue.automata import Automaton, can_start, is_stutter_invariant, to_hoa
from mpisog.spotglue.emptiness import Emptiness, find_run
from mpisog.spotglue.ltl import BoundFormula
from mpisog.spotglue.pins import bound_kripke
from mpisog.team.statistics import RankReport


@dataclass(frozen=True)
class Sog:
    """On-the-fly search of the symbolic observation graph.

    Whole aggregates may be huge where a counterexample is near, so they may be kept small.
    """

    markings: int | None = None
    """How many markings an aggregate may have; nothing: all that belong to it."""
    name = "sog"

    def run(self, problem: Problem, resources: Resources, budget: Budget) -> Finding:
        """Search the product with the violating words; a graph built before is used again."""
        automaton = problem.automaton(budget)
        if automaton.is_empty() or not _can_begin(automaton, problem):
            return Finding(None, {"aggregates": 0}, self.name)
        shared = resources.of(problem.net, budget)
        if self.markings == 1:
            return _one_by_one(problem, resources, budget)
        atoms, config = problem.bound.atoms, resources.config
        reused = resources.team is None and shared.known_graph(atoms, config) is not None
        hoa = to_hoa(automaton)
        started = time.monotonic()
        with shared.graph(atoms, hoa, config, budget, self.markings, resources.team) as opened:
            pull, native = _pulled(opened, problem, budget)
            with bound_kripke(native.hooks_address, len(atoms)) as pulled:
                searched = violations(problem, budget)
                emptiness = find_run(pulled, searched, config.emptiness, pull.stopped)
        if emptiness is None:
            raise pull.failure()
        figures = {**_statistics(opened, emptiness, problem.net), "reused": int(reused)}
        reports = _reports(opened, resources, time.monotonic() - started)
        if emptiness.run is None:
            return Finding(None, figures, self.name, reports)
        run = emptiness.run
        lasso = Concretiser(opened.graph, opened.domain()).lasso(run.prefix, run.cycle)
        return Finding(lasso, figures, self.name, reports)


def _pulled(
    opened: OpenGraph, problem: Problem, budget: Budget
) -> tuple[NativeGraph | _Pull, NativeGraph | _native.PulledGraph]:
    """The graph for Spot, native or written in Python, and what tells whether it has failed."""
    if isinstance(opened.graph, NativeGraph):
        return opened.graph, opened.graph
    pull = _Pull(SogKripke(opened.graph, problem.bound.atoms, opened.stuttering.may_end), budget)
    return pull, pull.native()


def _reports(opened: OpenGraph, resources: Resources, elapsed: float) -> tuple[RankReport, ...]:
    """What each rank, or this one's threads, have done; nothing where one thread does all."""
    if resources.team is not None:
        return tuple(resources.team.reports)
    graph = opened.graph
    if not isinstance(graph, NativeGraph) or graph_threads(resources.config) == 1:
        return ()
    built, building, expanding, busy = graph.work
    return (
        RankReport(
            host=socket.gethostname(),
            built=built,
            held=graph.size,
            edges=graph.edges,
            nodes=graph.domain.table_nodes() or 0,
            memory=resident_bytes(),
            building=building,
            expanding=expanding,
            elapsed=elapsed,
            busy=tuple(busy),
        ),
    )


def unfit(bound: BoundFormula, budget: Budget) -> str | None:
    """Formulas that can count instants are not for this engine."""
    if is_stutter_invariant(bound, budget):
        return None
    return "it is not stutter-invariant; use --engine explicit"


def _one_by_one(problem: Problem, resources: Resources, budget: Budget) -> Finding:
    """With one marking each, aggregates and the steps between them are the reachability graph."""
    found = Explicit().run(problem, resources, budget)
    figures = dict(found.statistics)
    graph = {"aggregates": figures.pop("markings"), "edges": figures.pop("firings")}
    statistics = {"aggregate_markings": 1, **graph, **figures, "reused": 0}
    return replace(found, statistics=statistics, engine=Sog.name)


class _Pull:
    """Lets Spot pull a graph written in Python; a failure ends the search and is kept."""

    def __init__(self, kripke: SogKripke, budget: Budget) -> None:
        self._kripke = kripke
        self._budget = budget
        self._failure: BaseException | None = None
        self._names = ["number", "mode", *(f"a{i}" for i in range(kripke.atom_count))]

    def native(self) -> _native.PulledGraph:
        """The graph for Spot; not kept here, it refers back."""
        return _native.PulledGraph(self._names, self._initial, self._successors, self.stopped)

    def stopped(self) -> bool:
        """Whether the graph has failed: then what Spot says of it is void."""
        return self._failure is not None

    def failure(self) -> BaseException:
        """Why it has."""
        return self._failure or InternalError("the search stopped without a reason")

    def _initial(self) -> State:
        try:
            return self._kripke.initial()
        except BaseException as failure:  # KeyboardInterrupt too: Spot stands in between
            self._failure = self._failure or failure
            return (0,) * len(self._names)

    def _successors(self, number: int, mode: int) -> Sequence[State]:
        try:
            self._budget.check()
            return self._kripke.successors(number, mode)
        except BaseException as failure:
            self._failure = failure
            return ()


def _can_begin(automaton: Automaton, problem: Problem) -> bool:
    """Whether the initial marking leaves the automaton a first step; if not, the formula holds."""
    bound, net = problem.bound, problem.net
    if bound.has_events:
        return True
    initial = [holds(atom, net, net.initial, None) for atom in bound.atoms]
    return can_start(automaton, [initial])


def _statistics(opened: OpenGraph, emptiness: Emptiness, net: PetriNet) -> Statistics:
    order = {"order": digest_of_order(net, opened.order)} if opened.order else {}
    return {
        "backend": opened.backend,
        **order,
        "aggregates": opened.graph.size,
        "edges": opened.graph.edges,
        "product_states": emptiness.product_states,
        "product_transitions": emptiness.product_transitions,
    }
