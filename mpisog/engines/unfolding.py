"""``unfolding``: a finite prefix of the net's unfolding, for 1-safe nets. Full LTL.

Its strength is concurrency: what the formula does not observe is interleaved neither with the rest
nor with the automaton. See docs/unfolding.md.
"""

from __future__ import annotations

from mpisog import _native
from mpisog.budget import Budget
from mpisog.config import RunConfig
from mpisog.engines.base import Finding
from mpisog.engines.session import Session
from mpisog.errors import LimitReached
from mpisog.nets.model import PetriNet
from mpisog.nets.repeating import repeatable
from mpisog.nets.semantics import fire
from mpisog.nets.semiflows import effects
from mpisog.spotglue.automata import Automaton, counterexample_automaton
from mpisog.spotglue.ltl import BoundFormula
from mpisog.trace.ending import some_ending
from mpisog.trace.lasso import Lasso
from mpisog.unfolding.deadlocks import satisfying
from mpisog.unfolding.prefix import Prefix, Synchronisation
from mpisog.unfolding.visibility import Role, choose_mode

LARGE = 20_000
"""Events of a tableau from which a linear program about livelocks is worth its time."""


class UnfoldingEngine:
    """Esparza and Heljanko's tableau, with deadlocks and events."""

    name = "unfolding"
    summary = "a prefix of the unfolding, for 1-safe nets with much concurrency, full LTL"
    reduces = False

    def unfit(self, bound: BoundFormula, budget: Budget) -> str | None:
        """It can be used for every formula; whether a net is 1-safe is found out on the way."""
        return None

    def check(
        self, session: Session, bound: BoundFormula, config: RunConfig, budget: Budget
    ) -> Finding:
        """Unfold the net together with an automaton for the formula's negation."""
        automaton = counterexample_automaton(bound, budget, delayed=False, single_acceptance=False)
        return unfold(session, bound, automaton, budget)


def unfold(session: Session, bound: BoundFormula, automaton: Automaton, budget: Budget) -> Finding:
    """Decide, or raise ``LimitReached``, or ``NotSafe``; the automaton is of violating words."""
    if automaton.is_empty():
        return Finding(None, {"events": 0}, UnfoldingEngine.name)
    synchronised = Synchronisation(bound, automaton, choose_mode(bound, budget))
    prefix = Prefix(session.net, synchronised, budget, session.native_net)
    try:
        found = _cycle(prefix) or _dead_end(prefix, budget)
        lasso = None if found is None else _lasso(found, session.net, budget)
        return Finding(lasso, prefix.figures, UnfoldingEngine.name)
    except LimitReached as limit:
        limit.statistics = prefix.figures
        raise
    finally:
        prefix.close()


def _cycle(prefix: Prefix) -> _native.UnfoldingLasso | None:
    """A violating run that does not end."""
    found = prefix.build() or (_may_livelock(prefix) and prefix.search_livelocks())
    return prefix.native.lasso if found else None


def _may_livelock(prefix: Prefix) -> bool:
    """Whether invisible transitions can go on for ever; not asked where finding out is as fast."""
    if prefix.native.checkpoints == 0 or prefix.native.figures[0] < LARGE:
        return prefix.native.checkpoints > 0
    changes = effects(prefix.net)
    invisible = [changes[t] for t, role in enumerate(prefix.roles) if role != Role.visible]
    return bool(repeatable(invisible, len(prefix.net.places)))


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
