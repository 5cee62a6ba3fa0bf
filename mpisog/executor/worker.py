"""A worker: runs units of a batch, one at a time, for who hands them out."""

from __future__ import annotations

import logging
import threading
import time
import traceback
from collections.abc import Callable
from functools import partial

from mpisog.budget import Budget, Counts, release_memory, resident_bytes
from mpisog.config import RunConfig
from mpisog.engines.base import Finding
from mpisog.engines.batch import UNLIMITED, Batch, polish
from mpisog.engines.unit import Undecided, run_unit
from mpisog.errors import LimitReached
from mpisog.executor.job import read_batch
from mpisog.executor.mail import Mail, TeamTransport
from mpisog.executor.messages import (
    NONE,
    Broken,
    Cancel,
    Ended,
    Figures,
    Found,
    JoinTeam,
    LeftTeam,
    Polish,
    Polished,
    Report,
    RunUnit,
    StartBatch,
    Trace,
)
from mpisog.team.builder_rank import BuilderRank
from mpisog.team.messages import Quit
from mpisog.team.plan import plan_of
from mpisog.team.team import Team, UnitTeam
from mpisog.transport.message import Message, encode
from mpisog.transport.transport import Interval, Transport
from mpisog.verdict import Result, Verdict

log = logging.getLogger("mpisog")

Expect = Callable[[float | None, int | None], None]
"""Work from now on ends by itself within so many seconds and bytes."""

COORDINATOR = 0

GRACE = 2.0
"""Seconds that work may go on after its time is over, or after it was cancelled."""

LOOK_EVERY = 0.02
"""Seconds between looks for a cancellation while a unit runs."""

REPORT_EVERY = 0.5
"""Seconds between reports of progress."""

WAIT = 0.25
"""Seconds for which a worker without a unit waits at a time."""


class Worker:
    """What one process needs to run units: the batch, and what its checks share here."""

    def __init__(self, batch: Batch) -> None:
        self.batch = batch
        self._tasks = {task.number: task for tasks in batch.tasks for task in tasks}
        self._resources = batch.resources()
        self._property: int | None = None

    def run(
        self, task: int, stage: int, sharing: int, budget: Budget, team: Team | None = None
    ) -> Finding | Undecided | LimitReached:
        """One stage for one task; a limit of the budget is given back. A team may build graphs."""
        about = self._tasks[task]
        self._resources.team = team or self.batch.team
        if about.property != self._property:
            self._property = about.property
            release_memory()
        work = partial(run_unit, about, self.batch.stages[stage], self._resources, sharing=sharing)
        return UNLIMITED.attempt(None, lambda _: work(budget))

    def polish(self, result: Result, seconds: float, budget: Budget) -> Result:
        """A result with a shorter counterexample, or with notices."""
        return polish(result, self._resources, seconds, budget)

    def forget(self) -> None:
        """After a bug of ours: what a unit has left behind may be broken too."""
        self._resources = self.batch.resources()

    def about(self, unit: RunUnit) -> str:
        """For a log."""
        prop = self.batch.properties[self._tasks[unit.task].property]
        return f"stage {self.batch.stages[unit.stage].name} of {prop.name}"

    def result_of(self, unit: Polish) -> Result:
        """What a message says is to be polished."""
        prop, bound = self.batch.properties[unit.property], self.batch.bounds[unit.property]
        about = bound if unit.task == NONE else self._tasks[unit.task].bound
        trace = unit.trace.lasso(self.batch.net)
        verdict = Verdict.TRUE if trace is None else Verdict.FALSE
        engine = self.batch.config.engine
        return Result(prop.name, bound.text, verdict, engine, trace=trace, bound=about)


class RemoteWorker:
    """A worker in a process of its own; ``step`` takes what has come and does it."""

    def __init__(
        self,
        transport: Transport,
        memory: int | None,
        batch: Batch | None = None,
        expect: Expect | None = None,
    ) -> None:
        self._expect = expect
        """Told before and after each unit, where no other process can end this one."""
        self._transport = transport
        self._mail = Mail(transport)
        self._memory = memory
        self._worker = None if batch is None else Worker(batch)
        self._waiting: list[Message] = []
        self._cancelled: set[int] = set()
        self._reporting = Interval(REPORT_EVERY)
        self._looking = Interval(LOOK_EVERY)
        self.exit_code: int | None = None

    def serve(self) -> int:
        """Until it is told how the run ends."""
        while self.exit_code is None:
            if not self.step():
                self._transport.wait(WAIT)
        return self.exit_code

    def step(self) -> bool:
        """Do the next thing; false when there is none."""
        self._receive()
        if not self._waiting:
            return False
        message = self._waiting.pop(0)
        match message:
            case StartBatch(body):
                self._worker = Worker(read_batch(body))
            case RunUnit() | Polish() | JoinTeam():
                self._send(self._work(message))
            case Quit(code):
                self.exit_code = code
        return True

    def _receive(self) -> None:
        for message in self._mail.orders():
            if isinstance(message, Cancel):
                self._cancelled.add(message.number)
            else:
                self._waiting.append(message)

    def _send(self, message: Message) -> None:
        self._transport.send(COORDINATOR, encode(0, [message]))

    def _work(self, unit: RunUnit | Polish | JoinTeam) -> Message:
        started = time.monotonic()
        if self._expect is not None:
            # Builders are told to stop when the unit has ended, which may be late itself.
            more = GRACE if isinstance(unit, JoinTeam) else 0.0
            self._expect(None if unit.left == NONE else unit.left + more, self._memory)
        try:
            return self._outcome(unit, started)
        except Exception as error:
            assert self._worker is not None
            self._worker.forget()
            text = "".join(traceback.format_exception(error))
            return Broken(unit.number, time.monotonic() - started, str(error), text)
        finally:
            if self._expect is not None:
                self._expect(None, None)

    def _outcome(self, unit: RunUnit | Polish | JoinTeam, started: float) -> Message:
        worker = self._worker
        assert worker is not None
        if isinstance(unit, JoinTeam):
            return self._build(worker.batch.config, unit)
        left = None if unit.left == NONE else unit.left
        budget = Budget(
            left,
            self._memory,
            partial(self._report, unit.number),
            cancelled=self._is_cancelled(unit.number),
        )
        if isinstance(unit, Polish):
            return self._polish(worker, unit, budget, started)
        log.info("%s begins", worker.about(unit))
        team = self._team(unit) if unit.builders else None
        outcome = worker.run(unit.task, unit.stage, unit.sharing, budget, team)
        seconds = time.monotonic() - started
        log.info("%s ends after %.2f s: %s", worker.about(unit), seconds, _ending(outcome))
        if isinstance(outcome, Finding):
            return Found.of(unit.number, seconds, outcome)
        return Ended.of(unit.number, seconds, outcome)

    def _team(self, unit: RunUnit) -> UnitTeam:
        members = (self._transport.rank, *unit.builders)
        return UnitTeam(TeamTransport(self._mail, members, unit.number), unit.number)

    def _build(self, config: RunConfig, order: JoinTeam) -> LeftTeam:
        """For the leader of a team, until rank 0 says that its unit has ended."""
        transport = TeamTransport(self._mail, order.members, order.number)
        builder = BuilderRank(transport, plan_of(config, transport), config.threads, self._memory)
        log.info("builds for worker %d", order.members[0])
        builder.build(until=self._is_cancelled(order.number))
        log.info("built for %.2f s", builder.busy)
        return LeftTeam(order.number, builder.busy)

    def _polish(self, worker: Worker, unit: Polish, budget: Budget, started: float) -> Polished:
        polished = worker.polish(worker.result_of(unit), unit.seconds, budget)
        seconds = time.monotonic() - started
        trace = Trace.of(polished.trace)
        return Polished(unit.number, seconds, trace, polished.notices)

    def _is_cancelled(self, number: int) -> Callable[[], bool]:
        """Asked by the budget, again and again: this is how a worker that computes hears."""
        main = threading.current_thread()

        def cancelled() -> bool:
            # Threads that build ask too, but only one thread of a process may receive.
            if threading.current_thread() is main and self._looking.is_due():
                self._receive()
            return number in self._cancelled

        return cancelled

    def _report(self, number: int, counts: Counts) -> None:
        if self._reporting.is_due():
            self._send(Report(number, Figures(dict(counts)), resident_bytes()))


def _ending(outcome: Finding | Undecided | LimitReached) -> str:
    """For a log."""
    if isinstance(outcome, Finding):
        return "it holds" if outcome.counterexample is None else "there is a counterexample"
    return f"undecided, {outcome.reason}"
