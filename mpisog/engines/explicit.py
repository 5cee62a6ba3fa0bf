"""``explicit``: markings one by one in native code, pulled by Spot's emptiness check. Full LTL."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from mpisog import _native
from mpisog.budget import Budget, memory_limit_reached
from mpisog.engines.base import Finding
from mpisog.engines.problem import Problem
from mpisog.engines.resources import Resources
from mpisog.errors import InternalError, MpisogError, Unbounded
from mpisog.formulas.native import native_atom
from mpisog.nets.model import PetriNet
from mpisog.nets.semantics import unbounded_reason
from mpisog.spotglue.automata import Automaton, delayed
from mpisog.spotglue.emptiness import Emptiness, KripkeRun, find_run
from mpisog.spotglue.pins import bound_kripke
from mpisog.trace.lasso import Lasso


@dataclass(frozen=True)
class Explicit:
    """On-the-fly search of the reachability graph."""

    name = "explicit"

    def run(self, problem: Problem, resources: Resources, budget: Budget) -> Finding:
        """Let Spot look for an accepting run of the product with the violating words."""
        atoms = [native_atom(atom) for atom in problem.bound.atoms]
        automaton = violations(problem, budget)
        native = resources.of(problem.net, budget).native_net
        graph = _native.LabelledGraph(native, atoms, budget.poll)
        algorithm = resources.config.emptiness
        with bound_kripke(graph.hooks_address, len(atoms)) as kripke:
            emptiness = find_run(kripke, automaton, algorithm, lambda: graph.stopped)
        if emptiness is None:
            raise stop_reason(graph, problem.net, budget)
        run = emptiness.run
        lasso = None if run is None else to_lasso(run, graph, problem.net)
        return Finding(lasso, _statistics(graph, emptiness), self.name)


def violations(problem: Problem, budget: Budget) -> Automaton:
    """For graphs that have an extra root where there are events: the formula begins behind it."""
    automaton = problem.automaton(budget)
    return delayed(automaton) if problem.bound.has_events else automaton


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
