"""Breadth first through the product, for nets that are not bounded.

What is near is found whatever its tokens; it need not know how many a place may ever hold.
"""

from __future__ import annotations

from dataclasses import dataclass

from mpisog import _native
from mpisog.budget import Budget
from mpisog.engines.base import Finding
from mpisog.engines.problem import Problem
from mpisog.engines.resources import Resources
from mpisog.errors import LimitReached
from mpisog.formulas.native import native_atom
from mpisog.spotglue.tables import native_automaton, tabulate
from mpisog.spotglue.words import violations
from mpisog.trace.lasso import Lasso

MOST_STEPS = 1_000_000
"""Of a lasso; no search gets that far breadth first."""

UNLIMITED = 2.0
"""Seconds where the time is not limited."""


@dataclass(frozen=True)
class Bfs:
    """A search for the nearest lasso."""

    name = "bfs"

    def run(self, problem: Problem, resources: Resources, budget: Budget) -> Finding:
        """A lasso, or ``LimitReached``: never a proof."""
        violating = native_automaton(tabulate(violations(problem.bound, budget)))
        atoms = [native_atom(atom) for atom in problem.bound.atoms]
        native = resources.of(problem.net, budget).native_net
        search = _native.Shortener(native, atoms, violating, violating, budget.poll)
        seconds = UNLIMITED if budget.remaining is None else budget.remaining
        near = search.lasso(MOST_STEPS, seconds)
        budget.check()
        if near.end != _native.NearestEnd.found:
            raise LimitReached("no counterexample found breadth first")
        return Finding(Lasso(problem.net, tuple(near.prefix), tuple(near.cycle)), {}, self.name)
