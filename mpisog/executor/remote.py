"""Workers behind a transport: processes of this machine, or ranks of MPI."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from mpisog.budget import Counts
from mpisog.engines.batch import Batch
from mpisog.errors import InternalError, MessageError
from mpisog.executor.dispatcher import Dispatcher
from mpisog.executor.messages import (
    NONE,
    Broken,
    Cancel,
    Ended,
    Found,
    JoinTeam,
    LeftTeam,
    Polish,
    Polished,
    Report,
    RunUnit,
    Trace,
)
from mpisog.executor.property_state import Unit
from mpisog.executor.worker import GRACE
from mpisog.executor.workers import Outcome
from mpisog.trace.lasso import Lasso
from mpisog.transport.message import Message, decode, encode
from mpisog.transport.transport import Transport
from mpisog.verdict import Result

log = logging.getLogger("mpisog")

Answer = Found | Ended | Polished | Broken | LeftTeam


class Lifecycle(Protocol):
    """What can be done about workers that are processes of this machine."""

    def lost(self) -> list[tuple[int, str]]:
        """Those that have died, and how; each is told once. They are started again."""

    def kill(self, worker: int) -> None:
        """End one that does not listen."""

    def over_memory(self, worker: int) -> bool:
        """Whether it has more memory than it may have."""


@dataclass
class _Given:
    """A unit that a worker has."""

    unit: Unit
    result: Result | None
    deadline: float | None
    over_memory_since: float | None = None
    why: str | None = None
    """Why the worker has been killed."""
    builds: bool = False
    """It builds for another worker, which has the unit."""
    deserted: str | None = None
    """How a builder died."""
    counts: Counts = ()


class RemoteWorkers:
    """Workers of ranks 1 and up. Those that are processes here can be killed and replaced."""

    def __init__(
        self,
        batch: Batch,
        transport: Transport,
        processes: Lifecycle | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._batch = batch
        self._transport = transport
        self._processes = processes
        self._clock = clock
        self._given: dict[int, _Given] = {}

    def idle(self) -> Sequence[int]:
        """Those without a unit."""
        return [worker for worker in range(1, self._transport.size) if worker not in self._given]

    def give(self, worker: int, unit: Unit, dispatcher: Dispatcher) -> None:
        """Send it."""
        left = dispatcher.left(unit)
        result = None if unit.stage is not None else dispatcher.verdict(unit)
        deadline = None if left is None else self._clock() + left + GRACE
        self._given[worker] = _Given(unit, result, deadline)
        seconds = NONE if left is None else left
        for builder in unit.builders:
            later = None if deadline is None else deadline + GRACE
            self._given[builder] = _Given(unit, None, later, builds=True)
            self._post(builder, JoinTeam(unit.number, (worker, *unit.builders), seconds))
        self._post(worker, _message(unit, result, dispatcher, seconds))
        log.info("worker %d begins %s of property %d", worker, unit.name, unit.property + 1)

    def cancel(self, number: int) -> None:
        """Say so; a process that does not listen is ended."""
        for worker, given in self._given.items():
            if given.unit.number == number:
                self._cancel(worker, given)

    def _cancel(self, worker: int, given: _Given) -> None:
        given.deadline = self._clock() + GRACE
        self._post(worker, Cancel(given.unit.number))

    def _release_builders(self, unit: Unit) -> None:
        """The unit has ended."""
        for builder in unit.builders:
            given = self._given.get(builder)
            if given is not None and given.unit is unit:
                self._cancel(builder, given)

    def _desert(self, unit: Unit, how: str) -> None:
        """A builder has died, and what it held is lost."""
        for worker, given in self._given.items():
            if given.unit is unit and not given.builds:
                given.deserted = how
                self._cancel(worker, given)

    def outcomes(self, wait: float) -> list[Outcome]:
        """What has come, and who has died."""
        packets, deadline = self._transport.receive(), self._clock() + wait
        while not packets and (left := deadline - self._clock()) > 0:
            self._transport.wait(left)  # also until something has come that is passed on
            packets = self._transport.receive()
        messages = [(worker, m) for worker, packet in packets for m in decode(packet)[1]]
        found = [self._take(worker, message) for worker, message in messages]
        return [outcome for outcome in (*found, *self._deaths()) if outcome is not None]

    def doing(self) -> Sequence[tuple[int, Unit, Counts]]:
        """Who has what."""
        return [(worker, given.unit, given.counts) for worker, given in self._given.items()]

    def _post(self, worker: int, message: Message) -> None:
        self._transport.send(worker, encode(0, [message]))

    def _take(self, worker: int, message: Message) -> Outcome | None:
        if not isinstance(message, Answer | Report):
            raise MessageError(f"rank 0 cannot take {type(message).__name__}")
        given = self._given.get(worker)
        if given is None or given.unit.number != message.number:
            return None  # of a worker that was given up
        if isinstance(message, Report):
            given.counts = tuple((n, int(count or 0)) for n, count in message.counts.items.items())
            return None
        del self._given[worker]
        if not given.builds:
            self._release_builders(given.unit)
        return self._outcome(worker, given, message)

    def _outcome(self, worker: int, given: _Given, message: Answer) -> Outcome:
        unit, net = given.unit, self._batch.net
        match message:
            case Found(_, seconds):
                return Outcome(unit, worker, seconds, message.finding(net))
            case LeftTeam(_, seconds):
                return Outcome(unit, worker, seconds, building=True)
            case Ended(_, seconds) if given.deserted is not None:
                return Outcome(unit, worker, seconds, deserted=given.deserted)
            case Ended(_, seconds):
                return Outcome(unit, worker, seconds, message.outcome())
            case Polished(_, seconds, trace, notices):
                assert given.result is not None
                result = _polished(given.result, trace.lasso(net), notices)
                return Outcome(unit, worker, seconds, polished=result)
            case Broken(_, seconds, reason, text):
                if given.builds:
                    self._desert(unit, reason)
                error, builds = InternalError(reason), given.builds
                return Outcome(unit, worker, seconds, error=error, traceback=text, building=builds)

    def _deaths(self) -> list[Outcome]:
        """Of processes that have died, and of those that are ended because they do not listen."""
        if self._processes is None:
            return []
        for worker, given in self._given.items():
            if given.why is None and (why := self._why_to_end(worker, given)) is not None:
                given.why = why
                self._processes.kill(worker)
        found: list[Outcome] = []
        for worker, how in self._processes.lost():
            taken = self._given.pop(worker, None)
            if taken is not None:
                found.append(self._death(worker, taken, how))
        return found

    def _death(self, worker: int, given: _Given, how: str) -> Outcome:
        died, forced, unit = given.why or how, given.why is not None, given.unit
        if given.builds:
            self._desert(unit, died)
        else:
            self._release_builders(unit)
        return Outcome(unit, worker, 0.0, died=died, forced=forced, building=given.builds)

    def _why_to_end(self, worker: int, given: _Given) -> str | None:
        assert self._processes is not None
        now = self._clock()
        if given.deadline is not None and now > given.deadline:
            return f"ended by force, {GRACE:g} s after its time was over"
        if not self._processes.over_memory(worker):
            given.over_memory_since = None
        elif given.over_memory_since is None:
            given.over_memory_since = now
        elif now - given.over_memory_since > GRACE:
            return "ended by force: it had more than its share of the memory"
        return None


def _message(unit: Unit, result: Result | None, dispatcher: Dispatcher, left: float) -> Message:
    task = NONE if unit.task is None else unit.task
    if unit.stage is not None:
        sharing = dispatcher.sharing(unit)
        return RunUnit(unit.number, task, unit.stage, sharing, left, unit.builders)
    assert result is not None
    spent = dispatcher.spent(unit)
    return Polish(unit.number, unit.property, task, Trace.of(result.trace), spent, left)


def _polished(result: Result, lasso: Lasso | None, notices: tuple[str, ...]) -> Result:
    if lasso is None or result.trace is None or lasso == result.trace:
        return replace(result, notices=notices)
    statistics = {**result.statistics, "steps_found": len(result.trace.steps)}
    return replace(result, trace=lasso, statistics=statistics)
