"""A worker: runs units of a batch, one at a time, for whoever hands them out."""

from __future__ import annotations

import logging
import threading
import time
import traceback
from collections.abc import Callable
from functools import partial

from mpisog.budget import Budget, Counts, release_memory, resident_bytes
from mpisog.engines.base import Finding
from mpisog.engines.batch import UNLIMITED, Batch, polish
from mpisog.engines.unit import Undecided, run_unit
from mpisog.errors import LimitReached
from mpisog.executor.job import read_batch
from mpisog.executor.messages import (
    NONE,
    Broken,
    Cancel,
    Ended,
    Figures,
    Found,
    Polish,
    Polished,
    Report,
    RunUnit,
    StartBatch,
    Trace,
)
from mpisog.team.messages import Quit
from mpisog.transport.message import Message, decode, encode
from mpisog.transport.transport import Interval, Transport
from mpisog.verdict import Result, Verdict

log = logging.getLogger("mpisog")

Expect = Callable[[float | None, int | None], None]
"""Work from now on ends by itself within so many seconds and bytes."""

COORDINATOR = 0

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
        self, task: int, stage: int, sharing: int, budget: Budget
    ) -> Finding | Undecided | LimitReached:
        """One stage for one task; a limit of the budget is given back."""
        about = self._tasks[task]
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
        """Told before and after each unit, where nobody else can end this process."""
        self._transport = transport
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
            case RunUnit() | Polish():
                self._send(self._work(message))
            case Quit(code):
                self.exit_code = code
        return True

    def _receive(self) -> None:
        for _, packet in self._transport.receive():
            for message in decode(packet)[1]:
                if isinstance(message, Cancel):
                    self._cancelled.add(message.number)
                else:
                    self._waiting.append(message)

    def _send(self, message: Message) -> None:
        self._transport.send(COORDINATOR, encode(0, [message]))

    def _work(self, unit: RunUnit | Polish) -> Message:
        started = time.monotonic()
        if self._expect is not None:
            self._expect(None if unit.left == NONE else unit.left, self._memory)
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

    def _outcome(self, unit: RunUnit | Polish, started: float) -> Message:
        worker = self._worker
        assert worker is not None
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
        outcome = worker.run(unit.task, unit.stage, unit.sharing, budget)
        seconds = time.monotonic() - started
        log.info("%s ends after %.2f s: %s", worker.about(unit), seconds, _ending(outcome))
        if isinstance(outcome, Finding):
            return Found.of(unit.number, seconds, outcome)
        return Ended.of(unit.number, seconds, outcome)

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
