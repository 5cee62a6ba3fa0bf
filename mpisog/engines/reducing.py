"""From a formula to a finding by way of reduced nets.

A formula that is not stutter-invariant may still be decided on a net that only keeps words up to
stuttering: reductions shorten words, they never lengthen them. A counterexample found there counts
when it still violates the formula on the original net; that there is none counts when every
violating word still violates once it is shortened.
"""

from __future__ import annotations

from dataclasses import replace

from mpisog.budget import Budget
from mpisog.config import RunConfig
from mpisog.engines.base import Engine, Finding
from mpisog.engines.session import Session, Sessions
from mpisog.errors import LimitReached, Unbounded
from mpisog.reductions.driver import reduce, shorten
from mpisog.reductions.reduction import Reduction
from mpisog.spotglue.automata import (
    is_stutter_invariant,
    may_count_instants,
    violations_survive_shortening,
)
from mpisog.spotglue.ltl import BoundFormula
from mpisog.trace.lasso import Lasso
from mpisog.trace.replay import certify, is_counterexample

MOMENT = 0.3
"""Seconds of trying before a shortcut: most formulas need no more."""

SHORTCUT_SHARE = 0.4
"""Of the time for a formula, what may go into a net that need not decide it."""

SHORTCUT_SIZE = 0.9
"""How small, compared with what any formula allows, a net must be to be worth that."""


def decide(
    sessions: Sessions, bound: BoundFormula, engine: Engine, config: RunConfig, budget: Budget
) -> Finding:
    """Let the engine decide on a reduced net; what it finds is certified on the original."""
    level = "none" if engine.reduces else config.reduce
    may_count = level == "full" and may_count_instants(bound) and not bound.has_events
    reduction = reduce(sessions.net, bound, "safe" if may_count else level, budget)
    session = sessions.of(reduction.net, budget)
    found = _at_once(session, reduction, engine, config, budget) if may_count else None
    if may_count and not found:  # only now: whether it does count is a costly question
        if is_stutter_invariant(bound, budget):
            reduction = reduce(sessions.net, bound, "full", budget)
            session = sessions.of(reduction.net, budget)
        elif decided := _shortcut(sessions, reduction, bound, engine, config, budget):
            return decided
    found = found or engine.check(session, reduction.bound, config, budget)
    if found.counterexample is None:
        return _reported(found, None, reduction)
    lasso = reduction.lift(found.counterexample)
    certify(lasso, bound, Budget())
    return _reported(found, lasso, reduction)


def _at_once(
    session: Session, reduction: Reduction, engine: Engine, config: RunConfig, budget: Budget
) -> Finding | None:
    """What a moment is enough for."""
    try:
        brief = Budget(MOMENT, budget.memory, within=budget)
        return engine.check(session, reduction.bound, config, brief)
    except Unbounded:
        raise
    except LimitReached:
        budget.check()
        return None


def _shortcut(
    sessions: Sessions,
    safe: Reduction,
    bound: BoundFormula,
    engine: Engine,
    config: RunConfig,
    budget: Budget,
) -> Finding | None:
    """What the shortened words say, if that is an answer."""
    short = shorten(sessions.net, bound, budget)
    if _size(short) > SHORTCUT_SIZE * _size(safe):
        return None
    seconds = None if config.timeout is None else SHORTCUT_SHARE * config.timeout
    try:
        brief = Budget(seconds, budget.memory, within=budget)
        found = engine.check(sessions.of(short.net, budget), short.bound, config, brief)
        if found.counterexample is None:
            holds = violations_survive_shortening(bound, brief)
            return _reported(found, None, short) if holds else None
        lasso = short.lift(found.counterexample)
        return _reported(found, lasso, short) if is_counterexample(lasso, bound, Budget()) else None
    except LimitReached:
        budget.check()
        return None


def _reported(found: Finding, lasso: Lasso | None, reduction: Reduction) -> Finding:
    statistics = {**found.statistics, **reduction.statistics}
    return replace(found, counterexample=lasso, statistics=statistics)


def _size(reduction: Reduction) -> int:
    return len(reduction.net.places) + len(reduction.net.transitions)
