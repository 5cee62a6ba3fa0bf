"""Searches of a net that is not bounded: with a bound on tokens that grows.

What has more tokens is left out, so a search may find a lasso and proves nothing. There may be one
below every bound but the first ones: each gets part of the time.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from mpisog.budget import Budget
from mpisog.engines.base import Finding
from mpisog.engines.dfs import Strategy, search
from mpisog.engines.session import Session
from mpisog.errors import LimitReached
from mpisog.nets.model import MAX_TOKENS, PetriNet
from mpisog.spotglue.automata import Automaton
from mpisog.spotglue.ltl import BoundFormula

SHARE = 0.3
"""Of the time that is left, what the next bound gets."""


def search_with_growing_bound(
    session: Session, bound: BoundFormula, automaton: Automaton, strategy: Strategy, budget: Budget
) -> Finding:
    """A lasso, or ``LimitReached``: never a proof."""
    for tokens in _bounds(session.net):
        left = budget.remaining
        slice = Budget(None if left is None else SHARE * left, within=budget)
        try:
            return search(session, bound, automaton, replace(strategy, most_tokens=tokens), slice)
        except LimitReached as limit:
            limit.__traceback__ = None  # its frames hold the native search
            budget.check()
    raise LimitReached("no counterexample found below any bound on tokens")


def _bounds(net: PetriNet) -> Iterator[int]:
    """From what the net has at first to what any place may hold."""
    weights = (w for t in net.transitions for _, w in (*t.pre, *t.post))
    tokens = max((1, *net.initial, *weights))
    while tokens < MAX_TOKENS:
        yield tokens
        tokens *= 2
