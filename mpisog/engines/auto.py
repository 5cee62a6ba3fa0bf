"""``auto``: a schedule of engines under the time that there is.

Most formulas are decided by a moment of depth-first search in one order or another. What is left is
made simpler with what the state equation settles, its net is reduced, and then it goes to the
engines that fit, each with its share of the time; one that gives up leaves the rest to the next.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count

from mpisog.budget import Budget, Interrupted
from mpisog.config import RunConfig
from mpisog.engines.base import Finding
from mpisog.engines.dfs import Order, Strategy, is_large, search
from mpisog.engines.mclcd import MclcdEngine
from mpisog.engines.question import Question, ask, closed, ends_well, reduced, settled
from mpisog.engines.session import Session
from mpisog.engines.sog import explore
from mpisog.engines.symbolic import prove
from mpisog.engines.unbounded import search_with_growing_bound
from mpisog.engines.unfolding import unfold
from mpisog.errors import LimitReached, Unbounded
from mpisog.spotglue.automata import is_stutter_invariant, may_count_instants
from mpisog.spotglue.ltl import BoundFormula
from mpisog.symbolic.registry import AUTO
from mpisog.trace.replay import is_counterexample
from mpisog.unfolding.prefix import NotSafe
from mpisog.unfolding.visibility import may_pay

MOMENT = 0.15
"""Seconds for each of the first searches."""
MOMENT_PER_NODE = 5e-6
"""Seconds more for each place and transition: the way to anything is longer in a large net."""
SOLVER_START = 0.7
"""Seconds that it takes to load the linear solver: a search may use as many before that."""
UNFOLDING_SHARE = 0.1
"""Of the time that is left, where few transitions are visible."""
UNLIMITED = 10.0
"""Seconds that stand for what is left when there is no limit; then every round has more."""

ORDERS = (
    Strategy(look_ahead=True),
    Strategy(Order.guided, 1, look_ahead=True, limit=500),
    Strategy(Order.backward, look_ahead=True),
    Strategy(Order.random, 1, look_ahead=True),
)
LARGE_ORDERS = (ORDERS[1], ORDERS[0], *ORDERS[2:])
"""In a large net hardly anything is found without a guide."""
DIAGRAM_PLACES = 4_000
"""Beyond this number of places decision diagrams are not tried."""
NOTHING_FOUND = "no counterexample found with few tokens in every place"
LONG_SHARES = (0.4, 0.4, 0.6, 1.0)
"""What each of them gets of the time that is left in the end."""


@dataclass(frozen=True)
class Phase:
    """A step of the schedule: what runs and for how long at most."""

    name: str
    seconds: float | None
    run: Callable[[Budget], Finding | None]
    """Nothing: the question may have become simpler, but is still open."""
    question: Question | None = None
    """The one that is asked, if it is another one than that of the schedule."""


class AutoEngine:
    """Picks engines for each formula."""

    name = "auto"
    summary = "short searches, simplification, then the engines that fit, under the time limit"
    reduces = True

    def unfit(self, bound: BoundFormula, budget: Budget) -> str | None:
        """There is an engine for every formula."""
        return None

    def check(
        self, session: Session, bound: BoundFormula, config: RunConfig, budget: Budget
    ) -> Finding:
        """Go through the schedule until something decides."""
        schedule = _Schedule(session, bound, config, budget)
        try:
            finding = next(filter(None, map(schedule.run, schedule.phases())), None)
            if finding is None:
                raise schedule.failure or LimitReached("no engine could decide")
        except LimitReached as limit:
            reason = schedule.with_unboundedness(limit)
            reason.statistics = schedule.figures
            raise reason from None
        return replace(finding, statistics={**schedule.figures, **finding.statistics})


class _Schedule:
    """The phases for one formula; the question becomes simpler on the way."""

    def __init__(
        self, session: Session, bound: BoundFormula, config: RunConfig, budget: Budget
    ) -> None:
        self._session = session
        self._bound = bound
        # What the searches do not finish has too many markings to enumerate them for ``bits``.
        self._config = replace(config, backend="mdd") if config.backend == AUTO else config
        self._budget = budget
        self._question = ask(session, bound, budget)
        self._closed: Question | None = None
        self._safe = True
        """Whether the net may be 1-safe, for all that is known."""
        self._log: list[str] = []
        self._more_time = False
        """Whether a phase of this round ended for lack of time: then another round makes sense."""
        self._unbounded: dict[int, Unbounded] = {}
        """How nets turned out to be unbounded, by session: markings are not to be counted there."""
        self.failure: LimitReached | None = None
        """Why the last phase that gave up did."""

    @property
    def figures(self) -> dict[str, int | float | str]:
        """What was tried."""
        return {"phases": "; ".join(self._log)}

    def run(self, phase: Phase) -> Finding | None:
        """One phase; nothing when it gives up and there is time for others."""
        part = Budget(phase.seconds, self._budget.memory, within=self._budget)
        started = time.monotonic()
        try:
            return phase.run(part)
        except LimitReached as limit:
            limit.__traceback__ = None  # its frames hold the native graph, see checking.py
            if isinstance(limit, Unbounded):
                self._note_unbounded(phase, limit)
            self.failure = limit
            self._more_time = self._more_time or part.remaining == 0
            self._session.family.spare_memory(self._budget)
            self._budget.check()
            return None
        finally:
            self._log.append(f"{phase.name} {time.monotonic() - started:.2f} s")

    def _note_unbounded(self, phase: Phase, limit: Unbounded) -> None:
        asked = phase.question or self._question
        self._unbounded[id(asked.session)] = limit
        if asked is self._closed:
            self._closed = None

    def with_unboundedness(self, limit: LimitReached) -> LimitReached:
        """The reason why nothing was decided, together with that of an unbounded net."""
        found = next(iter(self._unbounded.values()), None)
        if found is None or isinstance(limit, Interrupted):
            return limit
        stopped = self._budget.stopped
        return Unbounded(f"{found.reason}; {stopped.reason if stopped else NOTHING_FOUND}")

    @property
    def _is_unbounded(self) -> bool:
        return id(self._question.session) in self._unbounded

    def phases(self) -> Iterator[Phase]:
        """In order; each is asked for when those before it have not decided."""
        yield Phase("formula", None, lambda _: self._empty("no word violates it"))
        if is_large(self._question.net):
            yield from self._moments("dfs", LARGE_ORDERS[:1])
            yield Phase("state equation", None, self._settle)
            yield from self._moments("dfs", LARGE_ORDERS[1:])
        else:
            yield from self._moments("dfs", ORDERS)
            yield from self._unfoldings(MOMENT)
            if not (self._session.has_prover or self._is_unbounded):
                yield self._search("dfs", self._question, Strategy(), SOLVER_START)
            yield Phase("state equation", None, self._settle)
        before = self._question.net
        yield Phase("reducing", self._share(0.2), self._reduce)
        if self._question.net is not before:
            yield from self._moments("reduced search", self._orders)
        for number in count():
            self._more_time = False
            if self._is_unbounded:
                yield from self._unbounded_round()
                if self._budget.remaining is None:
                    return
            else:
                yield from self._round(number)
            if not self._more_time and not self._is_unbounded:
                return

    def _moments(self, name: str, orders: Sequence[Strategy]) -> Iterator[Phase]:
        net = self._question.net
        moment = MOMENT + MOMENT_PER_NODE * (len(net.places) + len(net.transitions))
        for strategy in orders:
            if not self._is_unbounded:
                yield self._search(name, self._question, strategy, moment)
        if self._is_unbounded:
            for strategy in orders:
                yield self._bounded_search(strategy, moment)

    @property
    def _orders(self) -> tuple[Strategy, ...]:
        return LARGE_ORDERS if is_large(self._question.net) else ORDERS

    def _unbounded_round(self) -> Iterator[Phase]:
        """Only a lasso can decide."""
        for strategy, share in zip(self._orders, LONG_SHARES, strict=True):
            limited = self._budget.remaining is not None
            yield self._bounded_search(strategy, self._share(share) if limited else MOMENT)

    def _round(self, number: int) -> Iterator[Phase]:
        """The engines that fit; every round has more time, if there is no limit to it."""
        question, factor = self._question, 4.0**number
        observable = not question.bound.has_events
        yield from self._unfoldings(factor * self._share(UNFOLDING_SHARE))
        if len(question.net.places) <= DIAGRAM_PLACES:
            yield from self._diagrams(question, factor, observable)
        for strategy, share in zip(self._orders, LONG_SHARES, strict=True):
            if self._is_unbounded:
                return
            again = replace(strategy, seed=strategy.seed + number + 1)
            yield self._search("long search", question, again, factor * self._share(share))

    def _diagrams(self, question: Question, factor: float, observable: bool) -> Iterator[Phase]:
        """Sets of markings, as long as there are finitely many."""
        yield self._symbolic("symbolic", question, factor * self._share(0.3))
        if self._is_unbounded:
            return
        if self._config.threads > 1 and MclcdEngine().unfit(question.bound, self._budget) is None:
            yield self._mclcd(question, factor * self._share(0.3))
        if observable and is_stutter_invariant(question.bound, self._budget):
            yield self._sog("sog", question, factor * self._share(0.5))
        elif observable and self._config.reduce == "full":
            yield Phase("stutter closure", factor * self._share(0.1), self._close)
            yield from self._closed_phases(factor)

    def _unfoldings(self, seconds: float) -> Iterator[Phase]:
        """For concurrency that is hardly observed, as long as the net may be 1-safe."""
        q = self._question
        observable = not (q.bound.has_events or may_count_instants(q.bound))
        plausible = self._safe and not (self._is_unbounded or is_large(q.net))
        if plausible and observable and may_pay(q.net, q.bound):
            yield Phase("unfolding", seconds, lambda budget: self._unfold(q, budget))

    def _unfold(self, q: Question, budget: Budget) -> Finding | None:
        try:
            return self._answer(q, unfold(q.session, q.bound, q.automaton, budget))
        except NotSafe:
            self._safe = False
            return None

    def _closed_phases(self, factor: float) -> Iterator[Phase]:
        """As long as no run has shown that the closure has too many words."""
        if self._closed:
            yield self._search("closed search", self._closed, Strategy(), MOMENT)
        if self._closed:
            yield self._symbolic("closed symbolic", self._closed, factor * self._share(0.3))
        if self._closed:
            yield self._sog("closed sog", self._closed, factor * self._share(0.4))

    def _share(self, share: float) -> float:
        left = self._budget.remaining
        return share * (UNLIMITED if left is None else left)

    def _search(self, name: str, q: Question, strategy: Strategy, seconds: float) -> Phase:
        def run(budget: Budget) -> Finding | None:
            return self._answer(q, search(q.session, q.bound, q.automaton, strategy, budget))

        return Phase(f"{name} ({strategy.order.name})", seconds, run, q)

    def _bounded_search(self, strategy: Strategy, seconds: float) -> Phase:
        q = self._question

        def run(budget: Budget) -> Finding | None:
            found = search_with_growing_bound(q.session, q.bound, q.automaton, strategy, budget)
            return self._answer(q, found)

        return Phase(f"bounded search ({strategy.order.name})", seconds, run)

    def _sog(self, name: str, q: Question, seconds: float) -> Phase:
        def run(budget: Budget) -> Finding | None:
            return self._answer(q, explore(q.session, q.bound, q.automaton, self._config, budget))

        return Phase(name, seconds, run, q)

    def _mclcd(self, q: Question, seconds: float) -> Phase:
        def run(budget: Budget) -> Finding | None:
            finding = MclcdEngine().check(q.session, q.bound, self._config, budget)
            return self._answer(q, replace(finding, engine=MclcdEngine.name))

        return Phase("mclcd", seconds, run, q)

    def _symbolic(self, name: str, q: Question, seconds: float) -> Phase:
        def run(budget: Budget) -> Finding | None:
            return self._answer(q, prove(q.session, q.bound, q.automaton, self._config, budget))

        return Phase(name, seconds, run, q)

    def _settle(self, budget: Budget) -> Finding | None:
        prover = self._session.prover  # making it takes a moment that is not counted below
        share = 0.3 if is_large(self._question.net) else 0.1
        slice = Budget(self._share(share), within=budget)
        self._question = settled(self._question, prover, slice, budget)
        slice = Budget(self._share(0.1), within=budget)
        if ends_well(self._question, prover, slice, budget):
            return _settled("no word violates it that begins and ends as the net's do")
        return self._empty("the state equation leaves no word that violates it")

    def _reduce(self, budget: Budget) -> Finding | None:
        self._question = reduced(self._question, self._config, budget)
        return self._empty("no word of the reduced net violates it")

    def _close(self, budget: Budget) -> Finding | None:
        """Repetitions forgotten: a proof for more words is one for these."""
        self._closed = self._closed or closed(self._question, budget)
        empty = self._closed.automaton.is_empty()
        return _settled("repetitions forgotten, no word violates it") if empty else None

    def _answer(self, question: Question, finding: Finding) -> Finding | None:
        """The finding for the net and formula that were asked about."""
        finding = replace(finding, statistics={**finding.statistics, **question.figures})
        if finding.counterexample is None:
            return finding
        lasso = question.lift(finding.counterexample)
        if question.closed and not is_counterexample(lasso, self._bound, self._budget):
            self._closed = None
            return None
        return replace(finding, counterexample=lasso)

    def _empty(self, reason: str) -> Finding | None:
        return _settled(reason) if self._question.automaton.is_empty() else None


def _settled(reason: str) -> Finding:
    return Finding(None, {"proof": reason}, engine="state_equation")
