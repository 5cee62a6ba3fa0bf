"""``explicit``: markings one by one in native code, pulled by Spot's emptiness check. Full LTL."""

from __future__ import annotations

from itertools import pairwise

from mpisog import _native
from mpisog.budget import Budget, memory_limit_reached
from mpisog.config import RunConfig
from mpisog.engines.base import Finding
from mpisog.engines.session import Session
from mpisog.errors import InternalError, MpisogError, Unbounded
from mpisog.formulas.native import native_atom
from mpisog.nets.model import PetriNet
from mpisog.nets.semantics import unbounded_reason
from mpisog.spotglue.automata import Automaton, counterexample_automaton
from mpisog.spotglue.emptiness import Emptiness, KripkeRun, find_run, needs_single_acceptance
from mpisog.spotglue.ltl import BoundFormula
from mpisog.spotglue.pins import bound_kripke
from mpisog.trace.lasso import Lasso


class ExplicitEngine:
    """On-the-fly search of the reachability graph."""

    name = "explicit"
    summary = "marking by marking, full LTL with X"
    reduces = False

    def unfit(self, bound: BoundFormula, budget: Budget) -> str | None:
        """It can always be used."""
        return None

    def check(
        self, session: Session, bound: BoundFormula, config: RunConfig, budget: Budget
    ) -> Finding:
        """Search for an accepting run of the product with the formula's negation."""
        return search(session, bound, violations(bound, config, budget), config, budget)


def violations(bound: BoundFormula, config: RunConfig, budget: Budget) -> Automaton:
    """The automaton whose product with a graph is searched by the chosen emptiness check."""
    return counterexample_automaton(
        bound,
        budget,
        delayed=bound.has_events,
        single_acceptance=needs_single_acceptance(config.emptiness),
    )


def search(
    session: Session, bound: BoundFormula, automaton: Automaton, config: RunConfig, budget: Budget
) -> Finding:
    """Search the product with an automaton of words over the formula's atoms."""
    atoms = [native_atom(atom) for atom in bound.atoms]
    graph = _native.LabelledGraph(session.native_net, atoms, budget.poll)
    with bound_kripke(graph.hooks_address, len(atoms)) as kripke:
        emptiness = find_run(kripke, automaton, config.emptiness, lambda: graph.stopped)
    if emptiness is None:
        raise stop_reason(graph, session.net, budget)
    run = emptiness.run
    lasso = None if run is None else to_lasso(run, graph, session.net)
    return Finding(lasso, _statistics(graph, emptiness))


def stop_reason(graph: _native.LabelledGraph, net: PetriNet, budget: Budget) -> MpisogError:
    """Why a graph has stopped: its emptiness check says nothing, not TRUE, and not FALSE either."""
    if graph.unbounded_place is not None:
        return Unbounded(unbounded_reason(net, graph.unbounded_place))
    if graph.out_of_memory:
        return memory_limit_reached()
    return budget.stopped or InternalError("the search stopped without a reason")


def to_lasso(run: KripkeRun, graph: _native.LabelledGraph, net: PetriNet) -> Lasso:
    """Fill in the transitions between the markings of a run."""
    prefix = [position for position in run.prefix if position[0] >= 0]  # without the extra root
    states = [*prefix, *run.cycle, run.cycle[0]]
    steps = [
        graph.firing(marking, choice, target) for (marking, choice), (target, _) in pairwise(states)
    ]
    firings = tuple(step for step in steps if step is not None)
    if len(firings) == len(steps):
        return Lasso(net, firings[: len(prefix)], firings[len(prefix) :])
    dead_from = steps.index(None)  # a dead marking's loop: nothing fires from there on
    return Lasso(net, firings[:dead_from], ())


def _statistics(graph: _native.LabelledGraph, emptiness: Emptiness) -> dict[str, int]:
    return {
        "markings": graph.states,
        "firings": graph.edges,
        "product_states": emptiness.product_states,
        "product_transitions": emptiness.product_transitions,
        "bytes": graph.bytes,
    }
