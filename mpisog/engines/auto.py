"""``auto``: a schedule of engines under the time that there is.

Most formulas are decided by a moment of depth-first search in one order or another. What is left is
made simpler with what the state equation settles, its net is reduced, and then it goes to the
engines that fit, each with its share of the time; one that gives up leaves the rest to the next.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import count

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
from mpisog.spotglue.ltl import BoundFormula
from mpisog.symbolic.registry import AUTO
from mpisog.trace.replay import is_counterexample

MOMENT = 0.15
"""Seconds for each of the first searches."""
SOLVER_START = 0.7
"""Seconds that it takes to load the linear solver: a search may use as many before that."""
UNLIMITED = 10.0
"""Seconds that stand for what is left when there is no limit; then every round has more."""

ORDERS = (
    Strategy(look_ahead=True),
    Strategy(Order.guided, 1, look_ahead=True, limit=500),
    Strategy(Order.backward, look_ahead=True),
    Strategy(Order.random, 1, look_ahead=True),
)
LONG_SHARES = (0.4, 0.4, 0.6, 1.0)
"""What each of them gets of the time that is left in the end."""


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
        schedule = _Schedule(session, bound, config, watch)
        try:
            finding = next(filter(None, map(schedule.run, schedule.phases())), None)
            if finding is None:
                raise schedule.failure or LimitReached("no engine could decide")
        except LimitReached as limit:
            limit.statistics = schedule.figures
            raise
        return replace(finding, statistics={**schedule.figures, **finding.statistics})


class _Schedule:
    """The phases for one formula; the question becomes simpler on the way."""

    def __init__(
        self, session: Session, bound: BoundFormula, config: RunConfig, watch: Watch
    ) -> None:
        self._session = session
        self._bound = bound
        # What the searches do not finish has too many markings to enumerate them for ``bits``.
        self._config = replace(config, backend="ldd") if config.backend == AUTO else config
        self._watch = watch
        self._question = ask(session, bound, watch)
        self._closed: Question | None = None
        self._log: list[str] = []
        self._more_time = False
        """Whether a phase of this round ended for lack of time: then another round makes sense."""
        self.failure: LimitReached | None = None
        """Why the last phase that gave up did."""

    @property
    def figures(self) -> dict[str, int | float | str]:
        """What was tried."""
        return {"phases": "; ".join(self._log)}

    def run(self, phase: Phase) -> Finding | None:
        """One phase; nothing when it gives up and there is time for others."""
        part = Watch(phase.seconds, self._watch.memory, within=self._watch)
        started = time.monotonic()
        try:
            return phase.run(part)
        except Unbounded:
            raise
        except LimitReached as limit:
            limit.__traceback__ = None  # its frames hold the native graph, see checking.py
            self.failure = limit
            self._more_time = self._more_time or part.remaining == 0
            self._session.family.spare_memory(self._watch)
            self._watch.check()
            return None
        finally:
            self._log.append(f"{phase.name} {time.monotonic() - started:.2f} s")

    def phases(self) -> Iterator[Phase]:
        """In order; each is asked for when those before it have not decided."""
        yield Phase("formula", None, lambda _: self._empty("no word violates it"))
        yield from self._moments("search")
        if not self._session.has_settler:
            yield self._search("search", self._question, Strategy(), SOLVER_START)
        yield Phase("settling", None, self._settle)
        before = self._question.net
        yield Phase("reducing", self._share(0.2), self._reduce)
        if self._question.net is not before:
            yield from self._moments("reduced search")
        for number in count():
            self._more_time = False
            yield from self._round(number)
            if not self._more_time:
                return

    def _moments(self, name: str) -> Iterator[Phase]:
        for strategy in ORDERS:
            yield self._search(name, self._question, strategy, MOMENT)

    def _round(self, number: int) -> Iterator[Phase]:
        """The engines that fit; every round has more time, if there is no limit to it."""
        question, factor = self._question, 4.0**number
        observable = not question.bound.has_events
        yield self._symbolic("symbolic", question, factor * self._share(0.3))
        if observable and is_stutter_invariant(question.bound, self._watch):
            yield self._sog("sog", question, factor * self._share(0.5))
        elif observable and self._config.reduce == "full":
            yield Phase("stutter closure", factor * self._share(0.1), self._close)
            yield from self._closed_phases(factor)
        for strategy, share in zip(ORDERS, LONG_SHARES, strict=True):
            again = replace(strategy, seed=strategy.seed + number + 1)
            yield self._search("long search", question, again, factor * self._share(share))

    def _closed_phases(self, factor: float) -> Iterator[Phase]:
        """As long as no run has shown that the closure has too many words."""
        if self._closed:
            yield self._search("closed search", self._closed, Strategy(), MOMENT)
        if self._closed:
            yield self._symbolic("closed symbolic", self._closed, factor * self._share(0.3))
        if self._closed:
            yield self._sog("closed sog", self._closed, factor * self._share(0.4))

    def _share(self, share: float) -> float:
        left = self._watch.remaining
        return share * (UNLIMITED if left is None else left)

    def _search(self, name: str, q: Question, strategy: Strategy, seconds: float) -> Phase:
        def run(watch: Watch) -> Finding | None:
            return self._answer(q, search(q.session, q.bound, q.automaton, strategy, watch))

        return Phase(f"{name} ({strategy.order.name})", seconds, run)

    def _sog(self, name: str, q: Question, seconds: float) -> Phase:
        def run(watch: Watch) -> Finding | None:
            return self._answer(q, explore(q.session, q.bound, q.automaton, self._config, watch))

        return Phase(name, seconds, run)

    def _symbolic(self, name: str, q: Question, seconds: float) -> Phase:
        def run(watch: Watch) -> Finding | None:
            return self._answer(q, prove(q.session, q.bound, q.automaton, self._config, watch))

        return Phase(name, seconds, run)

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

    def _close(self, watch: Watch) -> Finding | None:
        """Repetitions forgotten: a proof for more words is one for these."""
        self._closed = self._closed or closed(self._question, watch)
        empty = self._closed.automaton.is_empty()
        return _settled("repetitions forgotten, no word violates it") if empty else None

    def _answer(self, question: Question, finding: Finding) -> Finding | None:
        """The finding for the net and formula that were asked about."""
        finding = replace(finding, statistics={**finding.statistics, **question.figures})
        if finding.counterexample is None:
            return finding
        lasso = question.lift(finding.counterexample)
        if question.closed and not is_counterexample(lasso, self._bound, self._watch):
            self._closed = None
            return None
        return replace(finding, counterexample=lasso)

    def _empty(self, reason: str) -> Finding | None:
        return _settled(reason) if self._question.automaton.is_empty() else None


def _settled(reason: str) -> Finding:
    return Finding(None, {"settled": reason}, engine="settling")
