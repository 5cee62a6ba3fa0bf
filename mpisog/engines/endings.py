"""What the formula and the state equation say without any search."""

from __future__ import annotations

from dataclasses import dataclass

from mpisog.budget import Budget
from mpisog.engines.base import Finding
from mpisog.engines.problem import Problem
from mpisog.engines.resources import Resources
from mpisog.errors import LimitReached
from mpisog.formulas.atoms import Fire, holds
from mpisog.spotglue.automata import has_violation

ENDINGS_SHARE = 0.1
"""Of the time that is left, for linear programs about how runs may end."""


@dataclass(frozen=True)
class Emptiness:
    """Proves what no word violates."""

    name = "formula"

    def run(self, problem: Problem, resources: Resources, budget: Budget) -> Finding:
        """A proof, if the automaton accepts nothing."""
        if problem.automaton(budget).is_empty():
            return Finding(None, {"proof": "no word violates it"}, "state_equation")
        raise LimitReached("some words violate it")


@dataclass(frozen=True)
class Endings:
    """Proves what is violated only by words that begin or end as no run of the net does."""

    name = "state_equation"

    def run(self, problem: Problem, resources: Resources, budget: Budget) -> Finding:
        """A proof, if the initial label and the possible endings exclude every violation."""
        if problem.automaton(budget).is_empty():
            proof = "the state equation leaves no word that violates it"
        elif self._exclude_violations(problem, resources, budget):
            proof = "no word violates it that begins and ends as the net's do"
        else:
            raise LimitReached("the state equation leaves words that violate it")
        return Finding(None, {"proof": proof}, self.name)

    def _exclude_violations(self, problem: Problem, resources: Resources, budget: Budget) -> bool:
        """Endings are excluded within a slice of time; the rest is judged without one."""
        net, atoms = problem.net, problem.bound.atoms
        first = [
            (number, holds(atom, net, net.initial, None))
            for number, atom in enumerate(atoms)
            if not isinstance(atom, Fire)
        ]
        slice = Budget(budget.share(ENDINGS_SHARE), within=budget)
        endings = [
            [(atoms.index(atom), truth) for atom, truth in ending]
            for ending in resources.of(net, budget).prover.endings(atoms, slice)
        ]
        return not has_violation(problem.bound, first, endings, budget)
