"""``dfs``: depth first through the product of net and automaton, all in native code. Full LTL.

Successors are fired one by one, so deep counterexamples of wide nets are found with little work;
with another order of transitions, others. A search that ends without one is a proof.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial

from mpisog import _native
from mpisog.budget import Budget, memory_limit_reached
from mpisog.engines.base import Finding
from mpisog.engines.problem import Problem
from mpisog.engines.resources import NetResources, Resources, is_large
from mpisog.errors import InternalError, LimitReached, Unbounded
from mpisog.formulas.native import native_atom
from mpisog.nets.model import MAX_TOKENS, PetriNet
from mpisog.nets.semantics import unbounded_reason
from mpisog.spotglue.tables import native_automaton, tabulate
from mpisog.trace.lasso import Lasso

Order = _native.ProductOrder

LONGER = 200
"""How many times the limit on states is larger in large nets: they are cheap, and far apart."""

BOUND_SHARE = 0.3
"""Of the time that is left, what the next bound on tokens gets."""

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


@dataclass(frozen=True)
class Dfs:
    """On-the-fly search of the reachability graph with our own emptiness check."""

    strategy: Strategy = Strategy()
    name = "dfs"

    def run(self, problem: Problem, resources: Resources, budget: Budget) -> Finding:
        """One search to its end."""
        automaton = problem.automaton(budget)
        if automaton.is_empty():
            return Finding(None, {"markings": 0}, self.name)
        budget.units = ("markings", "firings")
        atoms = [native_atom(atom) for atom in problem.bound.atoms]
        tables = native_automaton(tabulate(automaton))
        shared = resources.of(problem.net, budget)
        strategy = self.strategy
        while True:
            found = _native_search(shared, atoms, tables, strategy, budget)
            outcome = found.run()
            if outcome != _native.ProductOutcome.gave_up:
                return _finding(found, outcome, problem.net, budget)
            budget.check()
            strategy = replace(strategy, seed=strategy.seed + 1, limit=_longer(strategy))


@dataclass(frozen=True)
class BoundedDfs:
    """Searches of an unbounded net with a bound on tokens that grows.

    What has more tokens is left out, so a search may find a lasso and proves nothing. There may be
    one below every bound but the first ones: each gets part of the time.
    """

    strategy: Strategy = Strategy()
    name = "dfs"

    def run(self, problem: Problem, resources: Resources, budget: Budget) -> Finding:
        """A lasso, or ``LimitReached``: never a proof."""
        for tokens in _bounds(problem.net):
            left = budget.remaining
            bounded = Dfs(replace(self.strategy, most_tokens=tokens))
            found = budget.attempt(
                None if left is None else BOUND_SHARE * left,
                partial(bounded.run, problem, resources),
            )
            if isinstance(found, Finding):
                return found
        raise LimitReached("no counterexample found below any bound on tokens")


def _bounds(net: PetriNet) -> Iterator[int]:
    """From what the net has at first to what any place may hold."""
    weights = (w for t in net.transitions for _, w in (*t.pre, *t.post))
    tokens = max((1, *net.initial, *weights))
    while tokens < MAX_TOKENS:
        yield tokens
        tokens *= 2


def _native_search(
    shared: NetResources,
    atoms: list[_native.Atom],
    automaton: _native.ProductAutomaton,
    strategy: Strategy,
    budget: Budget,
) -> _native.ProductSearch | _native.ProductWalk:
    how = (strategy.order, strategy.seed, strategy.look_ahead)
    if strategy.most_tokens or is_large(shared.net):
        limits = (LONGER * strategy.limit, strategy.most_tokens)
        return _native.ProductWalk(shared.flat_net, atoms, automaton, *how, *limits, budget.poll)
    native = shared.native_net
    return _native.ProductSearch(native, atoms, automaton, *how, strategy.limit, budget.poll)


def _longer(strategy: Strategy) -> int:
    """The limit doubles every few attempts: what is near is found by luck."""
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
        case _native.ProductOutcome.collided:
            raise LimitReached("two markings have the same fingerprint")
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
