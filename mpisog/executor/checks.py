"""From properties to results: units of work on workers, within limits, certified."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from mpisog.budget import Budget, Counts, limit_memory, resident_bytes
from mpisog.config import RunConfig
from mpisog.engines.batch import Batch, prepare
from mpisog.errors import InternalError
from mpisog.executor.dispatcher import Dispatcher
from mpisog.executor.job import write_batch
from mpisog.executor.messages import StartBatch
from mpisog.executor.processes import WorkerProcesses
from mpisog.executor.property_state import Unit
from mpisog.executor.remote import Lifecycle, RemoteWorkers
from mpisog.executor.workers import LocalWorker, Outcome, Workers
from mpisog.executor.workload import WorkerLoad, Workload
from mpisog.formulas.properties import Property
from mpisog.nets.model import PetriNet
from mpisog.team.team import Team
from mpisog.transport.message import encode
from mpisog.transport.sockets import Hub
from mpisog.transport.transport import Transport
from mpisog.verdict import Result

WAIT = 0.1
"""Seconds between two looks at the limits while workers work."""

log = logging.getLogger("mpisog")


@dataclass(frozen=True)
class Status:
    """How a run stands, for people."""

    decided: int
    properties: int
    doing: Sequence[tuple[int, str, Counts]]
    """Worker, property and stage, what it counts."""
    left: float | None
    """Seconds of the whole run, where these are limited."""


def _ignore(*_: object) -> None:
    """Nobody listens."""


@dataclass(frozen=True)
class Observer:
    """Who wants to know how a run goes on."""

    show: Callable[[Status], None] = _ignore
    expect: Callable[[float | None, Sequence[Result | None]], None] = _ignore
    """The work from now on ends by itself within these seconds; what is known of each property."""
    warn: Callable[[str], None] = _ignore


@dataclass(frozen=True)
class Helpers:
    """Other ranks, where there are any: a team that builds graphs, or workers that take units."""

    team: Team | None = None
    workers: Transport | None = None
    processes: Lifecycle | None = None
    """What can be done about workers that die."""


def check_all(
    net: PetriNet,
    properties: Sequence[Property],
    config: RunConfig,
    total: Budget | None = None,
    helpers: Helpers | None = None,
    observer: Observer | None = None,
    keep_going: bool = False,
) -> Run:
    """Results in the order of the properties; input errors come before the first.

    After an interrupt or the total time limit, what is left is UNKNOWN at once. ``total`` is the
    budget over the whole run, for callers that want to stop it themselves. With ``keep_going``, an
    internal error is the ``error`` of a result.
    """
    helpers = helpers or Helpers()
    batch = prepare(net, properties, config, helpers.team)
    total = total or total_budget(config)
    return Run(batch, total, helpers, observer or Observer(), keep_going)


def total_budget(config: RunConfig) -> Budget:
    """A budget over a whole run; its time begins now."""
    return Budget(config.total_timeout, name="total time limit")


@dataclass
class Run:
    """Checks that begin when the first result is asked for."""

    batch: Batch
    total: Budget
    helpers: Helpers
    observer: Observer
    keep_going: bool
    _results: Iterator[Result] | None = None
    _has_warned: bool = False
    _dispatcher: Dispatcher | None = None
    _workload: Workload = field(default_factory=lambda: Workload(time.monotonic()))

    def __iter__(self) -> Run:
        return self

    def __next__(self) -> Result:
        self._results = self._results or self._check()
        return next(self._results)

    @property
    def loads(self) -> list[WorkerLoad]:
        """What each worker has done so far; the one of this process is not counted."""
        return [load for load in self._workload.loads() if load.worker]

    @property
    def known(self) -> list[Result | None]:
        """Of every property what is known now."""
        if self._dispatcher is None:
            return [None] * len(self.batch.properties)
        return self._dispatcher.known()

    def _check(self) -> Iterator[Result]:
        remote = self.helpers.workers is not None or self.batch.config.jobs > 1
        dispatcher = Dispatcher(self.batch, self.total, time.monotonic, remote, self._size)
        self._dispatcher = dispatcher
        self._workload = Workload(time.monotonic())
        with self._workers(dispatcher) as workers:
            yield from dispatcher.results()
            while not dispatcher.finished:
                with self._until_interrupted():
                    if remote:
                        self.observer.expect(self.total.remaining, dispatcher.known())
                    self._hand_out(dispatcher, workers)
                self._take_outcomes(dispatcher, workers, remote)
                yield from dispatcher.results()
            self._workload.stop(time.monotonic())

    @property
    def _size(self) -> int:
        """How many workers there are."""
        ranks = self.helpers.workers
        return self.batch.config.jobs if ranks is None else ranks.size - 1

    @contextmanager
    def _until_interrupted(self) -> Iterator[None]:
        try:
            yield
        except KeyboardInterrupt:
            self.total.interrupt()

    def _take_outcomes(self, dispatcher: Dispatcher, workers: Workers, remote: bool) -> None:
        """Turn what has ended into results, and tell who need not go on."""
        outcomes: list[Outcome] = []
        with self._until_interrupted():
            outcomes = workers.outcomes(WAIT if dispatcher.running else 0)
            self.total.poll()
        if remote and self.total.stopped is not None:  # it is the reason of what ends with it
            dispatcher.stop(self.total.stopped)
        for outcome in outcomes:
            busy = outcome.seconds if outcome.building else None
            self._workload.end(outcome.worker, time.monotonic(), busy)
            self._note(dispatcher, outcome)
        if self.total.stopped is not None:
            dispatcher.stop(self.total.stopped)
        for number in dispatcher.take_cancelled():
            workers.cancel(number)
        self._show(dispatcher, workers)

    def _hand_out(self, dispatcher: Dispatcher, workers: Workers) -> None:
        idle = [*workers.idle()]
        while idle:
            unit = dispatcher.next(idle[0]) or dispatcher.team(idle)
            if unit is None:
                if not dispatcher.running and not dispatcher.finished:
                    raise InternalError("there is nothing left to do and no result")
                return
            worker = idle.pop(0)
            self._workload.begin(worker, unit.name, time.monotonic())
            for builder in unit.builders:
                idle.remove(builder)
                self._workload.begin(builder, f"building: {unit.name}", time.monotonic())
            workers.give(worker, unit, dispatcher)

    def _note(self, dispatcher: Dispatcher, outcome: Outcome) -> None:
        number = outcome.unit.number
        if outcome.died is not None:
            self._mourn(outcome)
        if outcome.error is not None and not self.keep_going:
            raise outcome.error
        if outcome.building:
            return
        if outcome.died is not None:
            dispatcher.lost(number, outcome.died, again=not outcome.forced)
        elif outcome.deserted is not None:
            dispatcher.lost(number, outcome.deserted)
        elif outcome.error is not None:
            dispatcher.broken(number, str(outcome.error), outcome.traceback)
        elif outcome.polished is not None:
            dispatcher.polished(number, outcome.polished)
        else:
            assert outcome.found is not None
            dispatcher.ended(number, outcome.found, outcome.seconds)

    def _mourn(self, outcome: Outcome) -> None:
        log.info("worker %d is lost: %s", outcome.worker, outcome.died)
        if not outcome.forced and not self._has_warned:
            self._has_warned = True
            lost = f"worker {outcome.worker} was lost ({outcome.died})"
            self.observer.warn(f"{lost}; another one does its work")

    def _show(self, dispatcher: Dispatcher, workers: Workers) -> None:
        doing = [(worker, self._about(unit), counts) for worker, unit, counts in workers.doing()]
        self.observer.show(self._status(dispatcher, doing))

    def _status(self, dispatcher: Dispatcher, doing: Sequence[tuple[int, str, Counts]]) -> Status:
        count = len(self.batch.properties)
        return Status(dispatcher.decided, count, doing, self.total.remaining)

    def _about(self, unit: Unit) -> str:
        return f"{self.batch.properties[unit.property].name}, {unit.name}"

    @contextmanager
    def _workers(self, dispatcher: Dispatcher) -> Iterator[Workers]:
        config = self.batch.config
        memory = limit_memory(config.memory)
        ranks = self.helpers.workers
        if ranks is not None:
            packet = encode(0, [StartBatch(write_batch(self.batch))])
            for rank in range(1, ranks.size):
                ranks.send(rank, packet)
            yield RemoteWorkers(self.batch, ranks, self.helpers.processes)
        elif config.jobs > 1:
            hub = Hub(config.jobs + 1)
            processes = WorkerProcesses(self.batch, hub, _fair_share(memory, config.jobs))
            try:
                yield RemoteWorkers(self.batch, hub, processes)
            finally:
                processes.close()
        else:
            yield self._local(dispatcher, memory)

    def _local(self, dispatcher: Dispatcher, memory: int | None) -> LocalWorker:
        """Work here: progress is shown by the unit, since nothing else can while it runs."""

        def begin(unit: Unit) -> Callable[[Counts], None]:
            self.observer.expect(dispatcher.left(unit), dispatcher.known())
            about = self._about(unit)
            return lambda counts: self.observer.show(self._status(dispatcher, [(0, about, counts)]))

        return LocalWorker(self.batch, memory, begin, self.total)


def _fair_share(memory: int | None, jobs: int) -> int | None:
    """Of each worker; what this process has is there in all of them."""
    if memory is None:
        return None
    here = resident_bytes()
    return max(memory - here, 0) // jobs + here
