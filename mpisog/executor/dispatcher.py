"""What is next for whom: hands out units of work, and turns what becomes of them into results.

There is no process and no transport here, and the clock is the caller's. All properties go through
their quick stages before any gets a long one. A worker stays with a property as long as it can,
since it remembers much of it. Towards the end, what may take longest comes first, so that all
workers have something to do until all is known. When there are more workers than open properties,
several stages of one property race. The first verdict wins.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import count
from traceback import format_exc

from mpisog.budget import Budget
from mpisog.engines.base import Finding
from mpisog.engines.batch import Batch, broken, needs_polish, result_of
from mpisog.engines.sog import Sog
from mpisog.engines.task import Task
from mpisog.engines.unit import SKIPPED, Undecided, Why
from mpisog.errors import InternalError, LimitReached
from mpisog.executor.order import Order
from mpisog.executor.property_state import PropertyState, Unit
from mpisog.spotglue.ltl import BoundFormula
from mpisog.trace.lasso import Lasso
from mpisog.trace.replay import certify
from mpisog.verdict import Result

LATE = 0.05
"""Seconds: a unit that was ended with so few left was ended by the time limit."""

SMALLEST_TEAM = 3
"""Workers: with one builder a graph takes as long as without a team."""

REPLAY_SECONDS = 2.0
"""For a counterexample that became shorter; after that the one that was found is good enough."""

ATTEMPTS = 2
"""How many workers may die of one unit before it is given up."""


class Dispatcher:
    """The units of one batch. ``finished`` when every property has its result."""

    def __init__(
        self,
        batch: Batch,
        total: Budget,
        clock: Callable[[], float],
        certify: bool = True,
        workers: int = 1,
    ) -> None:
        self._batch = batch
        self._total = total
        self._clock = clock
        self._certify = certify
        """Whether counterexamples come from other processes, and are replayed here."""
        self._states = [PropertyState(batch, number) for number in range(len(batch.properties))]
        self._units: dict[int, Unit] = {}
        self._numbers = count(1)
        self._told = 0
        self._to_cancel: list[int] = []
        self._cancelled: set[int] = set()
        self._teams: set[tuple[int, int]] = set()
        """Tasks and stages that a team has got."""
        self._order = Order(workers, limited=batch.config.timeout is not None)
        for state in self._states:
            if batch.misfits[state.number] is not None:
                self._close(state, None)
            self._order.put(state)

    @property
    def finished(self) -> bool:
        """Whether all is known."""
        return not self._order

    @property
    def decided(self) -> int:
        """How many properties have a verdict, or will have none."""
        return len(self._states) - self._order.open

    @property
    def running(self) -> int:
        """Units that workers have."""
        return len(self._units)

    def results(self) -> Iterator[Result]:
        """Those that are next in the order of the input; each is given once."""
        while self._told < len(self._states):
            state = self._states[self._told]
            if state.result is None:
                return
            if state.course.error is not None and len(self._states) == 1:
                raise state.course.error
            self._told += 1
            yield state.result

    def known(self) -> list[Result | None]:
        """Of every property what is known now."""
        return [state.known for state in self._states]

    def left(self, unit: Unit) -> float | None:
        """Seconds that its property has, or the whole run if these are fewer."""
        both = (self.property_left(unit), self._total.remaining)
        return min((seconds for seconds in both if seconds is not None), default=None)

    def property_left(self, unit: Unit) -> float | None:
        """Seconds that its property has, whatever the whole run has."""
        return self._states[unit.property].left(self._clock())

    def sharing(self, unit: Unit) -> int:
        """How many conjuncts share them."""
        return max(1, self._states[unit.property].course.open)

    def spent(self, unit: Unit) -> float:
        """Seconds that were spent on its property."""
        return self._states[unit.property].spent(self._clock())

    def verdict(self, unit: Unit) -> Result:
        """What is to be polished."""
        verdict = self._states[unit.property].verdict
        assert verdict is not None
        return verdict

    def next(self, worker: int) -> Unit | None:
        """A unit for a worker that has none; nothing: there is none now."""
        now, without = self._clock(), set[int]()
        while (state := self._order.first(worker, now, without)) is not None:
            unit = self._unit_of(state, now)
            if unit is not None:
                self._units[unit.number] = unit
                state.begin(unit, worker, now)
            self._order.put(state)
            if unit is not None:
                return unit
            without.add(state.number)
        return None

    def team(self, workers: Sequence[int]) -> Unit | None:
        """For workers for which there is no unit: a graph that one builds alone, by a team.

        The first of them leads, the others build. It is a race: what has been built stays where it
        is.
        """
        if len(workers) < SMALLEST_TEAM:
            return None
        for unit in [*self._units.values()]:
            if (lone := self._for_a_team(unit)) is None:
                continue
            self._teams.add(lone)
            name, builders = f"{unit.name}, with a team", tuple(workers[1:])
            team = replace(unit, number=next(self._numbers), name=name, builders=builders)
            self._states[unit.property].begin(team, workers[0], self._clock())
            self._units[team.number] = team
            return team
        return None

    def _for_a_team(self, unit: Unit) -> tuple[int, int] | None:
        """Its task and stage, if these have no team, may need one, and go on."""
        if unit.task is None or unit.stage is None or unit.number in self._cancelled:
            return None
        stage, lone = self._batch.stages[unit.stage], (unit.task, unit.stage)
        fits = stage.round > 0 and stage.engine == Sog() and lone not in self._teams
        return lone if fits else None

    def _unit_of(self, state: PropertyState, now: float) -> Unit | None:
        if state.result is not None:
            return None
        if state.waiting:
            return state.waiting.pop()
        if state.verdict is not None:
            return None
        if state.left(now) == 0.0:
            if not state.running:
                self._close(state, state.time_limit())
            return None
        found = state.course.next()
        if found is None:
            if not state.running:
                self._close(state, None)
            return None
        task, stage = found
        name = self._batch.stages[stage].name
        return Unit(next(self._numbers), state.number, task.number, stage, name)

    def take_cancelled(self) -> list[int]:
        """Units that are not needed any more; each is told once."""
        taken, self._to_cancel = self._to_cancel, []
        return taken

    def ended(
        self, number: int, outcome: Finding | Undecided | LimitReached, seconds: float
    ) -> None:
        """What became of a unit with a stage."""
        with self._ending(number) as (unit, state, cancelled):
            if state.is_open and cancelled and isinstance(outcome, LimitReached):
                self._drop(state, unit)
            elif state.is_open and isinstance(outcome, LimitReached):
                self._limit(state, unit, outcome, seconds)
            elif state.is_open and not isinstance(outcome, LimitReached):
                with self._failing_alone(state):
                    self._judge(state, unit, outcome, seconds)

    def _judge(
        self, state: PropertyState, unit: Unit, outcome: Finding | Undecided, seconds: float
    ) -> None:
        if isinstance(outcome, Finding):
            self._replay(outcome.counterexample, self._task(unit).bound, Budget())
        _note(state, unit, outcome, seconds)
        if state.course.finding is not None:
            self._decide(state)
            return
        if isinstance(outcome, Finding):
            self._cancel_running(state, unit.task)
        self._close_if_done(state)

    def _drop(self, state: PropertyState, unit: Unit) -> None:
        """A unit has been cancelled, and other conjuncts of its property are undecided."""
        _note(state, unit, SKIPPED, 0.0)
        self._close_if_done(state)

    @contextmanager
    def _ending(self, number: int) -> Iterator[tuple[Unit, PropertyState, bool]]:
        """The unit, its property, and whether it was cancelled."""
        unit = self._units.pop(number)
        cancelled = number in self._cancelled
        self._cancelled.discard(number)
        state = self._states[unit.property]
        state.end(number, self._clock())
        yield unit, state, cancelled
        self._order.put(state)

    def _limit(self, state: PropertyState, unit: Unit, limit: LimitReached, seconds: float) -> None:
        """A limit of the property, or of the worker's memory."""
        over = state.left(self._clock())
        late = over is not None and over <= LATE
        why = Why.TIME if late else Why.GAVE_UP
        undecided = Undecided(why, limit.reason, limit.statistics)
        _note(state, unit, undecided, seconds)
        if late:
            self._close(state, state.time_limit())
        elif state.running:
            return  # others may have the memory
        else:
            self._close(state, limit)

    def _task(self, unit: Unit) -> Task:
        return next(t for t in self._batch.tasks[unit.property] if t.number == unit.task)

    def _replay(self, lasso: Lasso | None, bound: BoundFormula, budget: Budget) -> None:
        """Who prints a counterexample has replayed it, wherever it was found."""
        if lasso is not None and self._certify:
            certify(lasso, bound, budget)

    def _decide(self, state: PropertyState) -> None:
        state.verdict = result_of(self._batch, state.number, state.course, None)
        self._cancel_running(state)
        state.waiting = []
        if needs_polish(self._batch, state.verdict):
            violated = state.course.violated
            task = violated.number if violated is not None and violated.conjunct else None
            unit = Unit(next(self._numbers), state.number, task, None, "shortening")
            state.waiting.append(unit)
        else:
            self._finish(state, state.verdict)

    def polished(self, number: int, result: Result) -> None:
        """What became of a unit without a stage; what was found stands if the replay takes long."""
        with self._ending(number) as (unit, state, _):
            if state.result is None:
                with self._failing_alone(state):
                    found = self.verdict(unit)
                    better = self._replays(result, found)
                    self._finish(state, result if better else found)

    def _replays(self, result: Result, found: Result) -> bool:
        """Whether it is known soon that it does; an error if it does not."""
        bound = found.bound
        assert bound is not None
        replayed = Budget().attempt(
            REPLAY_SECONDS, lambda part: self._replay(result.trace, bound, part)
        )
        return not isinstance(replayed, LimitReached)

    def broken(self, number: int, reason: str, traceback: str) -> None:
        """A unit has ended in a bug of ours: its property keeps the verdict it has, if any."""
        with self._ending(number) as (_, state, _):
            if state.verdict is not None:
                self._finish(state, state.verdict)
            elif state.result is None:
                self._fail(state, reason, traceback)

    @contextmanager
    def _failing_alone(self, state: PropertyState) -> Iterator[None]:
        """A bug of ours, such as a lasso that does not replay, ends its property, not the run."""
        try:
            yield
        except InternalError as error:
            self._fail(state, str(error), format_exc())

    def _fail(self, state: PropertyState, reason: str, traceback: str) -> None:
        self._finish(state, broken(self._batch, state.number, reason, traceback))
        self._cancel_running(state)

    def lost(self, number: int, reason: str, again: bool = True) -> None:
        """The worker that had the unit has died: another one gets it, but not for ever."""
        with self._ending(number) as (unit, state, cancelled):
            if state.result is None and cancelled:
                self._drop(state, unit)
            elif state.result is None:
                self._repeat(state, unit, reason, again)

    def _repeat(self, state: PropertyState, unit: Unit, reason: str, again: bool) -> None:
        if again and unit.attempt < ATTEMPTS:
            number = next(self._numbers)
            retried = replace(unit, number=number, attempt=unit.attempt + 1, builders=())
            state.waiting.append(retried)
        elif unit.stage is None and state.verdict is not None:
            self._finish(state, state.verdict)
        elif state.verdict is None:
            _note(state, unit, Undecided(Why.GAVE_UP, reason), 0.0)
            self._close_if_done(state)

    def stop(self, limit: LimitReached) -> None:
        """The whole run is to end: what is open stays unknown."""
        for state in self._states:
            if state.result is None:
                self._close(state, limit)
                self._order.put(state)

    def _close_if_done(self, state: PropertyState) -> None:
        if not state.running and not state.waiting and not state.course.open:
            self._close(state, None)

    def _close(self, state: PropertyState, limit: LimitReached | None) -> None:
        """There will be nothing more."""
        if state.verdict is None:
            result = result_of(self._batch, state.number, state.course, limit)
        else:
            result = state.verdict
        self._finish(state, result)
        self._cancel_running(state)

    def _finish(self, state: PropertyState, result: Result) -> None:
        state.result = replace(result, seconds=state.spent(self._clock()))

    def _cancel_running(self, state: PropertyState, task: int | None = None) -> None:
        """All its units, or those of one conjunct."""
        numbers = [
            number
            for number, unit in state.running.items()
            if number not in self._cancelled and task in (None, unit.task)
        ]
        self._cancelled.update(numbers)
        self._to_cancel += numbers


def _note(state: PropertyState, unit: Unit, outcome: Finding | Undecided, seconds: float) -> None:
    assert unit.task is not None
    assert unit.stage is not None
    state.course.note(unit.task, unit.stage, outcome, seconds)
