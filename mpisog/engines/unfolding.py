"""``unfolding``: a finite prefix of the net's unfolding, for 1-safe nets. Full LTL.

Its strength is concurrency: what the formula does not observe is interleaved neither with the rest
nor with the automaton. See docs/unfolding.md.
"""

from __future__ import annotations

from dataclasses import dataclass

from mpisog import _native
from mpisog.budget import Budget
from mpisog.engines.base import Finding
from mpisog.engines.problem import Problem
from mpisog.engines.resources import Resources
from mpisog.errors import LimitReached
from mpisog.nets.model import PetriNet
from mpisog.nets.repeatable import SECONDS, repeatable
from mpisog.nets.semantics import fire
from mpisog.nets.semiflows import effects
from mpisog.trace.ending import some_ending
from mpisog.trace.lasso import Lasso
from mpisog.unfolding.deadlocks import satisfying
from mpisog.unfolding.prefix import Prefix, Synchronisation
from mpisog.unfolding.visibility import Role, choose_mode

LARGE = 20_000
"""Events of a tableau from which a linear program about livelocks is worth its time."""


@dataclass(frozen=True)
class Unfolding:
    """Esparza and Heljanko's tableau, with deadlocks and events."""

    name = "unfolding"

    def run(self, problem: Problem, resources: Resources, budget: Budget) -> Finding:
        """Unfold net and automaton together; ``NotSafe`` when the net turns out not to be."""
        automaton = problem.automaton(budget)
        if automaton.is_empty():
            return Finding(None, {"events": 0}, self.name)
        synchronised = Synchronisation(problem.bound, automaton, choose_mode(problem.bound, budget))
        native = resources.of(problem.net, budget).native_net
        prefix = Prefix(problem.net, synchronised, budget, native)
        try:
            found = _cycle(prefix, budget) or _dead_end(prefix, budget)
            lasso = None if found is None else _lasso(found, problem.net, budget)
            return Finding(lasso, prefix.figures, self.name)
        except LimitReached as limit:
            limit.statistics = prefix.figures
            raise
        finally:
            prefix.close()


def _cycle(prefix: Prefix, budget: Budget) -> _native.UnfoldingLasso | None:
    """A violating run that does not end."""
    found = prefix.build() or (_may_livelock(prefix, budget) and prefix.search_livelocks())
    return prefix.native.lasso if found else None


def _may_livelock(prefix: Prefix, budget: Budget) -> bool:
    """Whether invisible transitions can go on for ever; not asked where finding out is as fast."""
    if prefix.native.checkpoints == 0 or prefix.native.figures[0] < LARGE:
        return prefix.native.checkpoints > 0
    changes = effects(prefix.net)
    invisible = [changes[t] for t, role in enumerate(prefix.roles) if role != Role.visible]
    budget.check()
    left = budget.remaining
    seconds = SECONDS if left is None else min(SECONDS, left)
    return bool(repeatable(invisible, len(prefix.net.places), seconds))


def _dead_end(prefix: Prefix, budget: Budget) -> _native.UnfoldingLasso | None:
    """A violating run that ends in a dead marking."""
    if not prefix.may_end_dead():
        return None
    events = prefix.native.deadlock_events
    chosen = satisfying(prefix.native.deadlock_clauses, len(events), budget)
    if chosen is None:
        return None
    return prefix.native.dead_end([events[variable - 1] for variable in chosen])


def _lasso(found: _native.UnfoldingLasso, net: PetriNet, budget: Budget) -> Lasso:
    prefix = tuple(found.prefix)
    if not found.any_ending:
        return Lasso(net, prefix, tuple(found.cycle))
    marking = net.initial
    for step in prefix:
        marking = fire(net.transitions[step], marking)
    way, cycle = some_ending(net, marking, budget)
    return Lasso(net, prefix + way, cycle)
