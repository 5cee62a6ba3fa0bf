"""Shorter counterexamples: what is near is searched for, what is not needed is left out.

What comes out has been replayed. A counterexample is never lost: when time or memory is over, the
best one so far is the answer, and at worst the one that was given.
"""

from __future__ import annotations

import time
from dataclasses import replace

from mpisog import _native
from mpisog.budget import Budget
from mpisog.errors import LimitReached
from mpisog.formulas.atoms import Fireable
from mpisog.formulas.native import native_atom
from mpisog.nets.model import Marking, PetriNet
from mpisog.nets.native import native_net
from mpisog.nets.semantics import fire
from mpisog.spotglue.automata import monitor, says_nothing
from mpisog.spotglue.ltl import BoundFormula
from mpisog.spotglue.tables import native_automaton, tabulate
from mpisog.spotglue.words import violations
from mpisog.trace.lasso import Lasso
from mpisog.trace.replay import certify, certify_seal

STEP_SECONDS = 0.002
"""Time that is worth spending for each step of a counterexample, unless the shortest is wanted."""
LEAST_SECONDS = 0.02
CERTIFY_SECONDS = 2.0
"""Time for the replay of what has become shorter; after that the given one is good enough."""
MOST_TOKENS = 20_000_000
"""Steps times places and observed transitions: beyond, the markings of the run alone take more
memory than it is worth, and reading it once more time. Such a run ends where it is sealed, and
stays as it is otherwise."""
ENDING_SECONDS = 0.2
"""Time for a way to go on from where the verdict is sealed."""

_FOUND = _native.NearestEnd.found


def shorten(
    lasso: Lasso,
    bound: BoundFormula,
    seconds: float,
    budget: Budget,
    *,
    native: _native.Net | None = None,
    prove: bool = False,
) -> Lasso:
    """The shortest counterexample that is found in the time, replayed; the given one at worst.

    The given one has been replayed.

    ``native`` is the net for native code, where there is one already. With ``prove`` all of the
    time is used unless it is proven before that nothing is shorter.
    """
    looked_at = len(lasso.net.places) + sum(
        len(atom.transitions) for atom in bound.atoms if isinstance(atom, Fireable)
    )
    large = len(lasso.steps) * looked_at > MOST_TOKENS
    allowed = seconds if prove else min(seconds, LEAST_SECONDS + STEP_SECONDS * len(lasso.steps))

    def work(_: Budget) -> Lasso:
        part = Budget(allowed, within=budget)
        shortener = _Shortener(lasso, bound, native or native_net(lasso.net), part, allowed)
        if large:
            shorter = shortener.sealed()
            shorter = replace(shorter, shortest=False) if prove else shorter
        else:
            shorter = shortener.proven() if prove else shortener.shorter()
        unchanged = (shorter.prefix, shorter.cycle) == (lasso.prefix, lasso.cycle)
        check = certify_seal if unchanged else certify
        check(shorter, bound, Budget(CERTIFY_SECONDS, within=budget))
        return shorter

    shorter = Budget().attempt(None, work)  # the given one stands, whatever limit is reached
    if isinstance(shorter, LimitReached):
        return replace(lasso, shortest=False) if prove else lasso
    return shorter


class _Shortener:
    def __init__(
        self,
        lasso: Lasso,
        bound: BoundFormula,
        native: _native.Net,
        budget: Budget,
        seconds: float,
    ) -> None:
        self._given = lasso
        self._net = lasso.net
        self._budget = budget
        self._deadline = time.monotonic() + seconds
        automaton = monitor(bound, budget)
        self._has_safety_part = not says_nothing(automaton)
        self._native = _native.Shortener(
            native,
            [native_atom(atom) for atom in bound.atoms],
            native_automaton(tabulate(violations(bound, budget))),
            native_automaton(tabulate(automaton)),
            budget.poll,
        )

    def sealed(self) -> Lasso:
        """The given one, with where it is sealed."""
        if not self._has_safety_part:
            return self._given
        sealed = self._native.sealed_after(self._given.prefix, self._given.cycle)
        return replace(self._given, sealed=sealed)

    def shorter(self) -> Lasso:
        """A bad prefix where there is one, else a lasso; with shares of the time."""
        if self._has_safety_part:
            sealed = self._native.sealed_after(self._given.prefix, self._given.cycle)
            if sealed is not None:
                return self._shorter_bad_prefix(sealed)
            near = self._native.bad_prefix(len(self._given.steps), self._left(0.4))
            if near.end == _FOUND and (ended := self._ended(tuple(near.prefix))):
                return ended
        return self._shorter_lasso()

    def proven(self) -> Lasso:
        """The same, then all searches that prove that nothing is shorter."""
        best, proven = self.shorter(), True
        if self._has_safety_part:
            near = self._native.bad_prefix(len(best.steps), self._left(0.5))
            proven = near.shortest
            if near.end == _FOUND:
                best = self._ended(tuple(near.prefix)) or best
        near = self._native.shortest(len(best.steps), self._left(1.0))
        if near.end == _FOUND:
            best = Lasso(self._net, tuple(near.prefix), tuple(near.cycle))
        return replace(best, shortest=proven and near.shortest)

    def _left(self, share: float) -> float:
        return max(0.0, share * (self._deadline - time.monotonic()))

    def _shorter_bad_prefix(self, sealed: int) -> Lasso:
        firings = (*self._given.prefix, *self._given.cycle)[:sealed]
        near = self._native.bad_prefix(sealed, self._left(0.4))
        if near.end == _FOUND:
            firings = tuple(near.prefix)
        if not near.shortest:
            trimmed = self._native.trim_bad_prefix(firings, self._left(0.4))
            bridged = self._native.bridge_bad_prefix(trimmed, self._left(0.8))
            firings = tuple(self._native.trim_bad_prefix(bridged, self._left(1.0)))
        return self._ended(firings) or replace(self._given, sealed=sealed)

    def _shorter_lasso(self) -> Lasso:
        prefix, cycle = list(self._given.prefix), list(self._given.cycle)
        near = self._native.lasso(len(prefix) + len(cycle), self._left(0.4))
        if near.end == _FOUND:
            prefix, cycle = near.prefix, near.cycle
        prefix, cycle = self._native.trim(prefix, cycle, self._left(0.4))
        if not near.shortest:
            prefix, cycle = self._native.bridge(prefix, cycle, self._left(0.8))
            prefix, cycle = self._native.trim(prefix, cycle, self._left(1.0))
        return Lasso(self._net, tuple(prefix), tuple(cycle))

    def _ended(self, firings: tuple[int, ...]) -> Lasso | None:
        """A run that begins so, as the given one goes on if it can; nothing when none is found."""
        sealed = len(firings)
        if (*self._given.prefix, *self._given.cycle)[:sealed] == firings:
            return replace(self._given, sealed=sealed)
        marking = self._net.initial
        for firing in firings:
            marking = fire(self._net.transitions[firing], marking)
        ending = some_ending(self._net, marking, Budget(ENDING_SECONDS, within=self._budget))
        return ending and Lasso(self._net, (*firings, *ending[0]), ending[1], sealed)


def some_ending(
    net: PetriNet, start: Marking, budget: Budget
) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
    """Firings from the marking to a cycle and round it, or to a dead marking; nothing in time."""
    anything = _native.ProductAutomaton([(0, 0, 0), (0, 1, 1)], [[(0, 1, 0)]], [1], 0, 0)
    moved = _native.Net(start, [t.pre for t in net.transitions], [t.post for t in net.transitions])
    order = _native.ProductOrder.forward
    search = _native.ProductSearch(moved, [], anything, order, 0, True, 0, budget.poll)
    if search.run() != _native.ProductOutcome.found:
        return None
    return tuple(search.prefix), tuple(search.cycle)
