"""``auto``: a schedule of engines under the time that there is.

Most formulas of the contest are decided by a moment of depth-first search in one order or another.
What is left is simplified with what the state equation settles, and then goes to the engines that
fit, each with its share of the time; one that gives up leaves the rest to the next.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import count

from mpisog.config import RunConfig
from mpisog.engines.base import Finding
from mpisog.engines.search import Order, Strategy, search
from mpisog.engines.session import Session
from mpisog.engines.sog import SogEngine
from mpisog.errors import LimitReached, Unbounded
from mpisog.limits import Watch, release_memory
from mpisog.spotglue.automata import Automaton, counterexample_automaton, without_letters
from mpisog.spotglue.ltl import BoundFormula, with_constants

FIRST_SEARCH = 0.15
"""Seconds for each of the first searches."""
SETTLING_SHARE = 0.1
"""Of the time that is left."""
UNLIMITED_ROUND = 5.0
"""Seconds that stand for what is left when there is no limit; every round has four times more."""

FIRST_ORDERS = (
    Strategy(look_ahead=True),
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

    def unfit(self, bound: BoundFormula, watch: Watch) -> str | None:
        """There is an engine for every formula."""
        return None

    def check(
        self, session: Session, bound: BoundFormula, config: RunConfig, watch: Watch
    ) -> Finding:
        """Go through the schedule until something decides."""
        schedule = _Schedule(session, bound, config, watch)
        log: list[str] = []
        last: LimitReached | None = None
        for phase in schedule.phases():
            part = Watch(phase.seconds, watch.memory, within=watch)
            started = time.monotonic()
            try:
                finding = phase.run(part)
            except Unbounded:
                raise
            except LimitReached as limit:
                limit.__traceback__ = None  # its frames hold the native graph, see checking.py
                part.stopped = None
                finding, last = None, limit
                if "memory" in limit.reason:
                    session.forget()
                release_memory()
                watch.check()
            log.append(f"{phase.name} {time.monotonic() - started:.2f} s")
            if finding is not None:
                statistics = {"decided_by": phase.name, "phases": "; ".join(log)}
                return replace(finding, statistics={**statistics, **finding.statistics})
        raise last or LimitReached("no engine could decide")


@dataclass(frozen=True)
class _Question:
    """A formula and its automaton: one thing, as the automaton's atoms are the formula's."""

    bound: BoundFormula
    automaton: Automaton


class _Schedule:
    """The phases for one formula; the question becomes simpler on the way."""

    def __init__(
        self, session: Session, bound: BoundFormula, config: RunConfig, watch: Watch
    ) -> None:
        self._session = session
        self._config = config
        self._watch = watch
        self._question = _ask(bound, watch)

    def phases(self) -> Iterator[Phase]:
        yield Phase("formula", None, lambda _: self._settled("no word violates it"))
        for strategy in FIRST_ORDERS:
            yield self._search(strategy, FIRST_SEARCH)
        yield Phase("settling", self._share(SETTLING_SHARE), self._settle)
        yield from self._long_phases()

    def _long_phases(self) -> Iterator[Phase]:
        fits = SogEngine().unfit(self._question.bound, self._watch) is None
        for seed in count(2):
            if fits:
                yield Phase("sog", self._share(0.4), self._sog)
            yield self._search(Strategy(), self._share(0.6))
            yield self._search(Strategy(Order.random, seed, True), self._share(1))

    def _share(self, share: float) -> float:
        left = self._watch.remaining
        return share * (UNLIMITED_ROUND if left is None else left)

    def _search(self, strategy: Strategy, seconds: float) -> Phase:
        def run(watch: Watch) -> Finding:
            question = self._question
            finding = search(self._session, question.bound, question.automaton, strategy, watch)
            return replace(finding, engine="search")

        return Phase(f"search {strategy.order.name}", seconds, run)

    def _settle(self, watch: Watch) -> Finding | None:
        settler, bound = self._session.settler, self._question.bound
        if truths := settler.truths(bound.atoms, watch):
            self._question = _ask(with_constants(bound, truths), self._watch)
        atoms = self._question.bound.atoms
        automaton = without_letters(
            self._question.automaton,
            lambda cube: settler.never([(atoms[i], truth) for i, truth in cube], watch),
        )
        self._question = replace(self._question, automaton=automaton)
        return self._settled("the state equation leaves no word that violates it")

    def _settled(self, reason: str) -> Finding | None:
        empty = self._question.automaton.is_empty()
        return Finding(None, {"settled": reason}, engine="settling") if empty else None

    def _sog(self, watch: Watch) -> Finding:
        finding = SogEngine().check(self._session, self._question.bound, self._config, watch)
        return replace(finding, engine="sog")


def _ask(bound: BoundFormula, watch: Watch) -> _Question:
    automaton = counterexample_automaton(bound, watch, delayed=False, single_acceptance=False)
    return _Question(bound, automaton)
