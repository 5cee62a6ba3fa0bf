"""Proofs that need a few places of a large net only: see ``reductions/projection.py``."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from mpisog.budget import Budget
from mpisog.engines.base import Finding
from mpisog.engines.dfs import Dfs
from mpisog.engines.problem import Decides, Problem
from mpisog.engines.resources import NetResources, Resources
from mpisog.errors import LimitReached
from mpisog.formulas.atoms import Comparison, Dead
from mpisog.reductions.projection import MOST_PLACES, Projection
from mpisog.spotglue.automata import without_staying
from mpisog.spotglue.ltl import BoundFormula

BOUNDS_SHARE = 0.3
"""Of the time that is left, for linear programs about what places hold at most."""

SEARCH_SHARE = 0.5
"""The same for the search of one projection."""


@dataclass(frozen=True)
class LocalProof:
    """Searches what is seen of the net through more and more places; never finds a lasso.

    A lasso that is seen tells which places come next: those for which the net cannot go that way.
    """

    name = "projection"

    def run(self, problem: Problem, resources: Resources, budget: Budget) -> Finding:
        """A proof, or ``LimitReached``."""
        atoms = problem.bound.atoms
        if any(isinstance(atom, Dead) for atom in atoms):
            raise LimitReached("the formula speaks of dead markings")
        shared = resources.of(problem.net, budget)
        projector = shared.projector
        places = projector.deciding(atoms)
        while len(places) <= MOST_PLACES:
            most = _most(places, shared, budget)
            seen = projector.project(atoms, places, most)
            projected = _projected(problem, seen, shared, budget)
            search = partial(Dfs().run, projected, Resources(seen.net, resources.config))
            found = budget.attempt(budget.share(SEARCH_SHARE), search)
            lasso = found.counterexample if isinstance(found, Finding) else None
            if isinstance(found, Finding) and lasso is None:
                proof = f"what {len(places)} places do excludes every word that violates it"
                return Finding(None, {"proof": proof, **found.statistics}, self.name)
            missing = frozenset[int]()
            if lasso is not None:
                missing = projector.lacking(seen, (*lasso.prefix, *lasso.cycle, *lasso.cycle))
            larger = places | (missing or projector.around(places))
            if larger == places:
                break
            places = larger
        raise LimitReached("no few places exclude every word that violates it")


def _most(places: frozenset[int], shared: NetResources, budget: Budget) -> dict[int, int]:
    """What the places hold at most, where that is no more than at first, or one."""
    slice = Budget(budget.share(BOUNDS_SHARE), within=budget)
    most = {place: max(1, shared.net.initial[place]) for place in sorted(places)}
    return {
        place: tokens
        for place, tokens in most.items()
        if shared.prover.never([(Comparison(((place, 1),), ">", tokens), True)], slice)
    }


def _projected(problem: Problem, seen: Projection, shared: NetResources, budget: Budget) -> Problem:
    """Whether a run seen so violates the formula, with what is known of how it may stay."""
    bound, idle = problem.bound, len(seen.atoms)
    known = BoundFormula(bound.text, bound.formula, (*seen.atoms, seen.idle, seen.enclosed))
    # A run idles for ever in a dead marking only, where nothing enclosed is enabled.
    never_dead = shared.prover.never([(Dead(), True)], budget)
    excluded = [idle] if never_dead else [idle, idle + 1]
    automaton = without_staying(problem.automaton(budget), excluded, budget)
    return Problem(seen.net, known, decides=Decides.PROOFS, violations=[automaton])
