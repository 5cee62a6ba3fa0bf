"""``dfs``: depth first through the product of net and automaton, all in native code. Full LTL.

Successors are fired one by one, so deep counterexamples of wide nets are found with little work;
with another order of transitions, others. A search that ends without one is a proof.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from mpisog import _native
from mpisog.budget import Budget, memory_limit_reached
from mpisog.config import RunConfig
from mpisog.engines.base import Finding
from mpisog.engines.session import Session
from mpisog.errors import InternalError, LimitReached, Unbounded
from mpisog.formulas.native import native_atom
from mpisog.nets.model import PetriNet
from mpisog.nets.semantics import unbounded_reason
from mpisog.spotglue.automata import Automaton, counterexample_automaton
from mpisog.spotglue.ltl import BoundFormula
from mpisog.spotglue.tables import native_automaton, tabulate
from mpisog.trace.lasso import Lasso

Order = _native.ProductOrder

LARGE = 1_000
"""Places from which on a search changes one marking in place instead of storing whole markings."""

LONGER = 200
"""How many times the limit on states is larger for such a search: they are cheap, and far apart."""

ATTEMPTS = 8
"""Searches with one limit before it doubles."""


@dataclass(frozen=True)
class Strategy:
    """Which successors a search tries first."""

    order: Order = Order.forward
    seed: int = 0
    look_ahead: bool = False
    """Whether what leads back to the path comes first: cycles are found sooner."""
    limit: int = 0
    """Product states after which to begin again with another seed; 0: never."""
    most_tokens: int = 0
    """Markings with more tokens in a place are left out; 0: none."""


class TokensLeftOut(LimitReached):
    """No counterexample has so few tokens in every place."""

    def __init__(self) -> None:
        super().__init__("no counterexample with so few tokens")


class DfsEngine:
    """On-the-fly search of the reachability graph with our own emptiness check."""

    name = "dfs"
    summary = "depth first in native code, full LTL with X"
    reduces = False

    def unfit(self, bound: BoundFormula, budget: Budget) -> str | None:
        """It can always be used."""
        return None

    def check(
        self, session: Session, bound: BoundFormula, config: RunConfig, budget: Budget
    ) -> Finding:
        """Search for an accepting run of the product with the formula's negation."""
        automaton = counterexample_automaton(bound, budget, delayed=False, single_acceptance=False)
        return search(session, bound, automaton, Strategy(), budget)


def search(
    session: Session, bound: BoundFormula, automaton: Automaton, strategy: Strategy, budget: Budget
) -> Finding:
    """One search to its end, or ``LimitReached``."""
    if automaton.is_empty():
        return Finding(None, {"markings": 0}, "dfs")
    budget.units = ("markings", "firings")
    atoms = [native_atom(atom) for atom in bound.atoms]
    tables = native_automaton(tabulate(automaton))
    while True:
        found = _native_search(session, atoms, tables, strategy, budget)
        outcome = found.run()
        if outcome != _native.ProductOutcome.gave_up:
            return _finding(found, outcome, session.net, budget)
        budget.check()
        strategy = replace(strategy, seed=strategy.seed + 1, limit=_longer(strategy))


def _native_search(
    session: Session,
    atoms: list[_native.Atom],
    automaton: _native.ProductAutomaton,
    strategy: Strategy,
    budget: Budget,
) -> _native.ProductSearch | _native.ProductWalk:
    how = (strategy.order, strategy.seed, strategy.look_ahead)
    if strategy.most_tokens or is_large(session.net):
        limits = (LONGER * strategy.limit, strategy.most_tokens)
        return _native.ProductWalk(session.flat_net, atoms, automaton, *how, *limits, budget.poll)
    native = session.native_net
    return _native.ProductSearch(native, atoms, automaton, *how, strategy.limit, budget.poll)


def is_large(net: PetriNet) -> bool:
    """Whether what is linear in the net is too much for every step."""
    return len(net.places) >= LARGE


def _longer(strategy: Strategy) -> int:
    """The limit doubles every few attempts: what is near is found by luck, not by patience."""
    return strategy.limit * 2 if strategy.seed % ATTEMPTS == 0 else strategy.limit


def _finding(
    found: _native.ProductSearch | _native.ProductWalk,
    outcome: _native.ProductOutcome,
    net: PetriNet,
    budget: Budget,
) -> Finding:
    match outcome:
        case _native.ProductOutcome.found:
            lasso = Lasso(net, tuple(found.prefix), tuple(found.cycle))
            return Finding(lasso, _statistics(found), "dfs")
        case _native.ProductOutcome.empty:
            return Finding(None, _statistics(found), "dfs")
        case _native.ProductOutcome.unbounded:
            raise Unbounded(unbounded_reason(net, found.unbounded_place))
        case _native.ProductOutcome.left_out:
            raise TokensLeftOut()
        case _native.ProductOutcome.out_of_memory:
            raise memory_limit_reached()
        case _:
            raise budget.stopped or InternalError("the search stopped without a reason")


def _statistics(found: _native.ProductSearch | _native.ProductWalk) -> dict[str, int]:
    return {
        "markings": found.markings,
        "firings": found.edges,
        "product_states": found.states,
        "bytes": found.bytes,
    }
