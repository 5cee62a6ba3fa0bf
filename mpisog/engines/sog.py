"""``sog``: the symbolic observation graph, pulled by Spot's emptiness check.

For formulas that are stutter-invariant. Sets of markings that the formula cannot tell apart while
nothing is observed are one node; only the nodes that Spot asks for are built.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from mpisog import _native
from mpisog.config import RunConfig
from mpisog.engines.base import Finding, Statistics
from mpisog.engines.session import Session
from mpisog.errors import InternalError, LimitReached, Unbounded
from mpisog.formulas.atoms import Fire
from mpisog.limits import Watch
from mpisog.sog.concretise import Concretiser
from mpisog.sog.graph import ObservationGraph
from mpisog.sog.kripke import SogKripke, State
from mpisog.sog.observation import Label
from mpisog.spotglue.automata import (
    Automaton,
    accepting_all,
    accepts_for_ever,
    can_start,
    counterexample_automaton,
    is_stutter_invariant,
)
from mpisog.spotglue.emptiness import Emptiness, find_run, needs_single_acceptance
from mpisog.spotglue.ltl import BoundFormula
from mpisog.spotglue.pins import bound_kripke
from mpisog.symbolic.registry import AUTO

PATIENCE = 4.0
"""Seconds for a check with decision diagrams before the markings are numbered, if they can be."""


class SogEngine:
    """On-the-fly search of the symbolic observation graph."""

    name = "sog"
    summary = "symbolic observation graph, stutter-invariant LTL"

    def unfit(self, bound: BoundFormula, watch: Watch) -> str | None:
        """Formulas that can count instants are not for this engine."""
        if is_stutter_invariant(bound, watch):
            return None
        return "it is not stutter-invariant; use --engine explicit"

    def check(
        self, session: Session, bound: BoundFormula, config: RunConfig, watch: Watch
    ) -> Finding:
        """Search for an accepting run; a graph that observes the atoms already is used again."""
        reused = session.known_graph(bound.atoms, config) is not None
        finding = self._patiently(session, bound, config, watch)
        return replace(finding, statistics={**finding.statistics, "reused": int(reused)})

    def _patiently(
        self, session: Session, bound: BoundFormula, config: RunConfig, watch: Watch
    ) -> Finding:
        """When diagrams try one's patience, markings are numbered if they can be."""
        if config.backend != AUTO:
            return self._search(session, bound, config, watch)
        try:
            return self._search(session, bound, config, Watch(PATIENCE, within=watch))
        except Unbounded:
            raise
        except LimitReached:
            watch.check()
        session.enumerate(watch)
        return self._search(session, bound, config, watch)

    def _search(
        self, session: Session, bound: BoundFormula, config: RunConfig, watch: Watch
    ) -> Finding:
        """Search for an accepting run of the product with the formula's negation."""
        automaton = counterexample_automaton(
            bound,
            watch,
            delayed=bound.has_events,
            single_acceptance=needs_single_acceptance(config.emptiness),
        )
        graph = session.graph(bound.atoms, config, watch)
        if automaton.is_empty() or not _can_begin(automaton, bound, graph):
            return Finding(None, {"aggregates": 0})
        letters = _Letters(bound, graph)
        # Once the automaton accepts whatever follows, it makes no difference how a run goes on. But
        # with event atoms it matters whether a run can wait at all.
        settled = frozenset() if bound.has_events else accepting_all(automaton)
        graph.needs_stuttering = cache(
            lambda label: accepts_for_ever(automaton, letters.of(label), settled)
        )
        pull = _Pull(SogKripke(graph, bound.atoms, ends_anyhow=bool(settled)))
        native = pull.native()
        with bound_kripke(native.hooks_address, len(bound.atoms)) as kripke:
            emptiness = find_run(kripke, automaton, config.emptiness, pull.stopped)
        if emptiness is None:
            raise pull.failure()
        statistics = _statistics(graph, emptiness)
        if emptiness.run is None:
            return Finding(None, statistics)
        run = emptiness.run
        return Finding(Concretiser(graph).lasso(run.prefix, run.cycle), statistics)


class _Letters:
    """What an instant without an event looks like to the formula, by label."""

    def __init__(self, bound: BoundFormula, graph: ObservationGraph[Any]) -> None:
        self._atoms = bound.atoms
        self._observed = graph.observation.state_atoms

    def of(self, label: Label) -> list[bool]:
        truth = dict(zip(self._observed, label, strict=True))
        return [not isinstance(atom, Fire) and truth[atom] for atom in self._atoms]


class _Pull:
    """Lets Spot pull a graph written in Python; a failure ends the search and is kept."""

    def __init__(self, kripke: SogKripke[Any]) -> None:
        self._kripke = kripke
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
            self._kripke.graph.domain.watch.check()
            return self._kripke.successors(number, mode)
        except BaseException as failure:
            self._failure = failure
            return ()


def _can_begin(automaton: Automaton, bound: BoundFormula, graph: ObservationGraph[Any]) -> bool:
    """Whether the initial marking leaves the automaton a first step; if not, the formula holds."""
    if bound.has_events:
        return True
    return can_start(automaton, [_Letters(bound, graph).of(graph.initial_label())])


def _statistics(graph: ObservationGraph[Any], emptiness: Emptiness) -> Statistics:
    return {
        "aggregates": len(graph.aggregates),
        "edges": graph.edges,
        "product_states": emptiness.product_states,
        "product_transitions": emptiness.product_transitions,
    }
