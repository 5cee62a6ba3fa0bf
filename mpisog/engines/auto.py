"""``auto``: a schedule of engines under the time that there is.

Most formulas are decided by a moment of depth-first search in one order or another. What is left is
made simpler with what the state equation settles, its net is reduced, and then it goes to the
engines that fit, each with its share of the time; one that gives up leaves the rest to the next.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from mpisog.config import RunConfig
from mpisog.engines.base import Finding
from mpisog.engines.question import Question, ask, closed, ends_well, reduced, settled
from mpisog.engines.search import Order, Strategy, search
from mpisog.engines.session import Session
from mpisog.engines.sog import explore
from mpisog.engines.symbolic import prove
from mpisog.errors import LimitReached, Unbounded
from mpisog.limits import Watch
from mpisog.spotglue.automata import is_stutter_invariant
from mpisog.spotglue.emptiness import needs_single_acceptance
from mpisog.spotglue.ltl import BoundFormula
from mpisog.trace.replay import is_counterexample

MOMENT = 0.15
"""Seconds for each of the first searches."""
UNLIMITED = 10.0
"""Seconds that stand for what is left when there is no limit; then every round has more."""

ORDERS = (
    Strategy(look_ahead=True),
    Strategy(Order.guided, 1, look_ahead=True, limit=500),
    Strategy(Order.random, 1, look_ahead=True),
    Strategy(Order.backward, look_ahead=True),
)


@dataclass(frozen=True)
class Phase:
    """A step of the schedule: what runs and for how long at most."""

    name: str
    seconds: float | None
    run: Callable[[Watch], Finding | None]
    """Nothing: the question may have become simpler, but is still open."""


class AutoEngine:
    """Picks engines for each formula."""

    name = "auto"
    summary = "short searches, simplification, then the engines that fit, under the time limit"
    reduces = True

    def unfit(self, bound: BoundFormula, watch: Watch) -> str | None:
        """There is an engine for every formula."""
        return None

    def check(
        self, session: Session, bound: BoundFormula, config: RunConfig, watch: Watch
    ) -> Finding:
        """Go through the schedule until something decides."""
        log: list[str] = []
        try:
            schedule = _Schedule(session, bound, config, watch)
            finding = next(filter(None, (schedule.run(p, log) for p in schedule.phases())))
        except LimitReached as limit:
            limit.statistics = {"phases": "; ".join(log)}
            raise
        figures = {"phases": "; ".join(log), **finding.statistics}
        return replace(finding, statistics=figures)


class _Schedule:
    """The phases for one formula; the question becomes simpler on the way."""

    def __init__(
        self, session: Session, bound: BoundFormula, config: RunConfig, watch: Watch
    ) -> None:
        self._session = session
        self._bound = bound
        self._config = config
        self._watch = watch
        self._question = ask(session, bound, watch)

    def phases(self) -> Iterator[Phase]:
        """In order; each is asked for when those before it have not decided."""
        yield Phase("formula", None, lambda _: self._empty("no word violates it"))
        yield from self._moments("search")
        yield Phase("settling", None, self._settle)
        before = self._question.net
        yield Phase("reducing", self._share(0.2), self._reduce)
        if self._question.net is not before:
            yield from self._moments("reduced search")
        yield from self._engines()

    def run(self, phase: Phase, log: list[str]) -> Finding | None:
        """One phase; nothing when it gives up and there is time for others."""
        started = time.monotonic()
        try:
            return phase.run(Watch(phase.seconds, self._watch.memory, within=self._watch))
        except Unbounded:
            raise
        except LimitReached as limit:
            limit.__traceback__ = None  # its frames hold the native graph, see checking.py
            self._question.session.spare_memory(self._watch)
            self._watch.check()
            return None
        finally:
            log.append(f"{phase.name} {time.monotonic() - started:.2f} s")

    def _moments(self, name: str) -> Iterator[Phase]:
        for strategy in ORDERS:
            yield self._search(name, strategy, MOMENT)

    def _engines(self) -> Iterator[Phase]:
        """The engines that fit, in rounds when there is no time limit."""
        bound = self._question.bound
        observable = not bound.has_events and not needs_single_acceptance(self._config.emptiness)
        invariant = is_stutter_invariant(bound, self._watch)
        rounds = 0
        while True:
            factor = 4.0**rounds
            if observable and invariant:
                yield Phase("sog", factor * self._share(0.35), self._sog)
            elif observable and self._config.reduce == "full":
                yield Phase("stutter closure", factor * self._share(0.3), self._closure)
            yield Phase("symbolic", factor * self._share(0.4), self._symbolic)
            yield self._search("long search", Strategy(), factor * self._share(0.6))
            random = Strategy(Order.random, 2 + rounds, look_ahead=True)
            yield self._search("long search", random, factor * self._share(1))
            rounds += 1

    def _share(self, share: float) -> float:
        left = self._watch.remaining
        return share * (UNLIMITED if left is None else left)

    def _search(self, name: str, strategy: Strategy, seconds: float) -> Phase:
        def run(watch: Watch) -> Finding | None:
            q = self._question
            return self._answer(q, search(q.session, q.bound, q.automaton, strategy, watch))

        return Phase(f"{name} ({strategy.order.name})", seconds, run)

    def _settle(self, watch: Watch) -> Finding | None:
        settler = self._session.settler  # making it takes a moment that is not counted below
        slice = Watch(self._share(0.1), within=watch)
        self._question = settled(self._question, settler, slice, watch)
        if ends_well(self._question, settler, slice):
            return _settled("no word violates it that begins and ends as the net's do")
        return self._empty("the state equation leaves no word that violates it")

    def _reduce(self, watch: Watch) -> Finding | None:
        self._question = reduced(self._question, self._config, watch)
        return self._empty("no word of the reduced net violates it")

    def _closure(self, watch: Watch) -> Finding | None:
        """Repetitions forgotten: a proof for more words is one for these."""
        q = closed(self._question, watch)
        if q.automaton.is_empty():
            return _settled("repetitions forgotten, no word violates it")
        moment = Watch(MOMENT, watch.memory, within=watch)
        try:
            return self._answer(q, search(q.session, q.bound, q.automaton, Strategy(), moment))
        except LimitReached as limit:
            limit.__traceback__ = None
            return self._answer(q, explore(q.session, q.bound, q.automaton, self._config, watch))

    def _sog(self, watch: Watch) -> Finding | None:
        q = self._question
        return self._answer(q, explore(q.session, q.bound, q.automaton, self._config, watch))

    def _symbolic(self, watch: Watch) -> Finding | None:
        q = self._question
        return self._answer(q, prove(q.session, q.bound, q.automaton, self._config, watch))

    def _answer(self, question: Question, finding: Finding) -> Finding | None:
        """The finding for the net and formula that were asked about."""
        finding = replace(finding, statistics={**finding.statistics, **question.figures})
        if finding.counterexample is None:
            return finding
        lasso = question.lift(finding.counterexample)
        if question.closed and not is_counterexample(lasso, self._bound, self._watch):
            return None
        return replace(finding, counterexample=lasso)

    def _empty(self, reason: str) -> Finding | None:
        return _settled(reason) if self._question.automaton.is_empty() else None


def _settled(reason: str) -> Finding:
    return Finding(None, {"settled": reason}, engine="settling")
