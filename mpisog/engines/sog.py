"""``sog``: the symbolic observation graph, pulled by Spot's emptiness check.

For formulas that are stutter-invariant. Sets of markings that the formula cannot tell apart while
nothing is observed are one node; only the nodes that Spot asks for are built, by this thread, or by
a crew of threads or ranks that may run ahead.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from mpisog import _native
from mpisog.budget import Budget
from mpisog.config import RunConfig
from mpisog.engines import explicit
from mpisog.engines.base import Finding, Statistics
from mpisog.engines.session import OpenGraph, Session
from mpisog.errors import InternalError, LimitReached, Unbounded
from mpisog.formulas.atoms import holds
from mpisog.nets.model import PetriNet
from mpisog.nets.ordering import digest_of_order
from mpisog.sog.concretise import Concretiser
from mpisog.sog.kripke import SogKripke, State
from mpisog.spotglue.automata import (
    Automaton,
    can_start,
    is_stutter_invariant,
    to_hoa,
)
from mpisog.spotglue.emptiness import Emptiness, find_run
from mpisog.spotglue.ltl import BoundFormula
from mpisog.spotglue.pins import bound_kripke
from mpisog.symbolic.registry import AUTO

PATIENCE = 4.0
"""Seconds for a check with decision diagrams before the markings are numbered, if they can be."""


@dataclass(frozen=True)
class Glance:
    """A short search with aggregates of so many markings, or with whole ones."""

    seconds: float
    markings: int | None = None


GLANCES = (Glance(1.0), Glance(2.0, 1), Glance(1.0, 50), Glance(1.0, 1000))
"""What comes first: whole aggregates may be huge where a counterexample is near."""

LONGER = 4
"""How much more time they get when nothing else has helped."""


class SogEngine:
    """On-the-fly search of the symbolic observation graph."""

    name = "sog"
    summary = "symbolic observation graph, stutter-invariant LTL"
    reduces = False

    def unfit(self, bound: BoundFormula, budget: Budget) -> str | None:
        """Formulas that can count instants are not for this engine."""
        if is_stutter_invariant(bound, budget):
            return None
        return "it is not stutter-invariant; use --engine explicit"

    def check(
        self, session: Session, bound: BoundFormula, config: RunConfig, budget: Budget
    ) -> Finding:
        """Search for an accepting run of the product with the formula's negation."""
        automaton = explicit.violations(bound, config, budget)
        return explore(session, bound, automaton, config, budget, glances=GLANCES)


def explore(
    session: Session,
    bound: BoundFormula,
    automaton: Automaton,
    config: RunConfig,
    budget: Budget,
    glances: Sequence[Glance] = (),
) -> Finding:
    """Search the product with an automaton of words over the formula's atoms.

    A graph that observes the atoms already is used again. ``glances`` are for those who have no
    other way to find what is near.
    """
    if automaton.is_empty() or not _can_begin(automaton, bound, session):
        return Finding(None, {"aggregates": 0}, "sog")
    reused = session.family.crew is None and session.known_graph(bound.atoms, config) is not None
    finding = _patiently(Task(session, bound, automaton, config), glances, budget)
    return replace(finding, statistics={**finding.statistics, "reused": int(reused)})


@dataclass(frozen=True)
class Task:
    """Search a net for a word that the automaton accepts."""

    session: Session
    bound: BoundFormula
    automaton: Automaton
    config: RunConfig

    def ways(self, glances: Sequence[Glance], budget: Budget) -> list[Glance]:
        """The glances that make sense: none where another limit is asked for.

        With event atoms, and where markings are numbered, aggregates are whole or have one marking.
        """
        config = self.config
        if config.aggregation != "precise" or config.forbid or config.aggregate_nodes is not None:
            return []
        numbered = self.session.domain(AUTO, budget).name == "bits"
        if not numbered and not self.bound.has_events:
            return list(glances)
        return [glance for glance in glances if glance.markings in (None, 1)]


def _patiently(task: Task, glances: Sequence[Glance], budget: Budget) -> Finding:
    """When diagrams try one's patience, markings are numbered, unless a crew builds."""
    if task.config.backend != AUTO or task.session.family.crew is not None:
        return examine(task, budget)
    found = _glance(task, glances, 1, budget) or _briefly(task, PATIENCE, budget)
    if found is None:
        task.session.enumerate(budget)
        found = _glance(task, glances, LONGER, budget)
    return found or examine(task, budget)


def _glance(task: Task, glances: Sequence[Glance], factor: float, budget: Budget) -> Finding | None:
    for glance in task.ways(glances, budget) if glances else ():
        if found := _briefly(task, factor * glance.seconds, budget, glance.markings):
            return found
    return None


def _briefly(
    task: Task, seconds: float, budget: Budget, markings: int | None = None
) -> Finding | None:
    """What is found within some seconds."""
    try:
        return examine(task, Budget(seconds, budget.memory, within=budget), markings)
    except Unbounded:
        raise
    except LimitReached:
        budget.check()
        return None


def examine(task: Task, budget: Budget, markings: int | None = None) -> Finding:
    """Search until something is found, with aggregates of so many markings if that is said."""
    session, bound, config = task.session, task.bound, task.config
    if markings == 1:
        return _one_by_one(task, budget)
    with session.graph(bound.atoms, to_hoa(task.automaton), config, budget, markings) as opened:
        kripke = SogKripke(opened.graph, bound.atoms, opened.stuttering.may_end)
        emptiness = _search(kripke, task.automaton, config, budget)
    statistics = _statistics(opened, emptiness, session.net)
    crew = session.family.crew
    reports = () if crew is None else tuple(crew.reports)
    if emptiness.run is None:
        return Finding(None, statistics, "sog", reports)
    run = emptiness.run
    lasso = Concretiser(opened.graph, opened.domain()).lasso(run.prefix, run.cycle)
    return Finding(lasso, statistics, "sog", reports)


def _one_by_one(task: Task, budget: Budget) -> Finding:
    """With one marking each, aggregates and the steps between them are the reachability graph."""
    found = explicit.search(task.session, task.bound, task.automaton, task.config, budget)
    figures = dict(found.statistics)
    graph = {"aggregates": figures.pop("markings"), "edges": figures.pop("firings")}
    return replace(found, statistics={"aggregate_markings": 1, **graph, **figures}, engine="sog")


def _search(
    kripke: SogKripke, automaton: Automaton, config: RunConfig, budget: Budget
) -> Emptiness:
    """Let Spot look for an accepting run."""
    pull = _Pull(kripke, budget)
    native = pull.native()
    with bound_kripke(native.hooks_address, kripke.atom_count) as pulled:
        emptiness = find_run(pulled, automaton, config.emptiness, pull.stopped)
    if emptiness is None:
        raise pull.failure()
    return emptiness


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


def _can_begin(automaton: Automaton, bound: BoundFormula, session: Session) -> bool:
    """Whether the initial marking leaves the automaton a first step; if not, the formula holds."""
    if bound.has_events:
        return True
    initial = [holds(atom, session.net, session.net.initial, None) for atom in bound.atoms]
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
