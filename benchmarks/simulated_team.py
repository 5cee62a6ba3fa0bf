"""A team of many ranks in one process, with a virtual clock.

Builders, tasks, messages and their bytes are the real ones, and every rank has sets of its own.
Only time is made up: what a rank computes takes the processor time that was measured here, packets
take what the machine model says, and ranks compute side by side. Each thread has a core.

What is not simulated: threads of one rank that wait for each other inside the kernel or for the
interpreter's lock while a task computes, and caches of the processor that ranks share here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from simulated_machine import (
    Events,
    Ledger,
    Machine,
    Network,
    Timer,
    kernel_figures,
    processor_time,
)

from mpisog.budget import Budget
from mpisog.symbolic.protocol import Domain
from mpisog.symbolic.registry import open_domain
from mpisog.team.builder import Builder
from mpisog.team.builder_rank import STEAL_EVERY, make_aggregate_builder
from mpisog.team.job_spec import JobSpec
from mpisog.team.messages import Start, Successors
from mpisog.team.plan import CHECKER, Plan
from mpisog.team.remote_graph import RemoteGraph
from mpisog.team.statistics import RankReport
from mpisog.team.tasks import STEAL_FRACTION, Task
from mpisog.team.team import Answers, Question
from mpisog.transport.message import Message, decode, encode
from mpisog.transport.transport import Backoff

STUCK = 60.0
"""Virtual seconds without a finished task, while the checker waits, that can only be an error."""


@dataclass(frozen=True)
class Figures:
    """What a simulated run comes to."""

    threads: int
    """Of each builder."""
    seconds: float
    """Predicted, from the beginning of the check to its end."""
    checker: float
    """Seconds in which rank 0 was busy."""
    tasks: float
    """Seconds of all tasks together."""
    protocol: float
    """Seconds in which ranks dealt with messages and tables."""
    ledger: Ledger
    operations: int
    """Computed by all kernels together."""
    most_memory: int
    """Bytes of the largest kernel at its peak."""
    messages: int
    bytes: int
    built: int
    """Entry sets, those built twice counted twice."""
    held: int


@dataclass
class Spent:
    """What one rank has done."""

    tasks: float = 0.0
    protocol: float = 0.0
    messages: int = 0
    bytes: int = 0
    finished: int = 0


class SimulatedRank:
    """A builder with its threads, and the thread that sends and receives as ``BuilderRank`` does.

    Messages, tables and what begins and ends a task share one lock, as in ``Pool``.
    """

    def __init__(
        self, plan: Plan, machine: Machine, events: Events, network: Network, timer: Timer
    ) -> None:
        self.plan = plan
        self._events = events
        self._network = network
        self._ledger_seen = (0, 0)
        self._timer = timer
        self._arrived: list[tuple[int, bytes]] = []
        self._lock_free = 0.0
        self._threads = self._free_threads = machine.threads
        self._look_number = 0
        self._can_be_woken = True
        self._asked = False
        self._backoff, self._busy = Backoff(), Backoff.while_busy()
        self._steal_at = 0.0
        self.builder: Builder[Any] | None = None
        self.domain: Domain[Any] | None = None
        self.spent = Spent()
        self.changed: Callable[[int, int], None] = lambda idle, waiting: None
        """Told of more or fewer idle threads, and tasks that wait."""
        network.boxes[plan.rank] = lambda source, packet: self._arrived.append((source, packet))
        self._look_at(0.0)

    def _measured(self, section: Callable[[], None]) -> float:
        """Does what needs the lock; the moment at which it is free again."""
        started = self._timer(self.domain)
        section()
        took = self._timer(self.domain) - started
        self.spent.protocol += took
        self._lock_free = self._events.now + took
        return self._lock_free

    def _locked(self, action: Callable[[], None]) -> None:
        """Now, or when the lock is free."""
        if self._events.now < self._lock_free:
            self._events.at(self._lock_free, lambda: self._locked(action))
        else:
            action()
            self._tell()

    def _tell(self) -> None:
        waiting = 0 if self.builder is None else self.builder.tasks.waiting
        seen, self._ledger_seen = self._ledger_seen, (self._free_threads, waiting)
        self.changed(self._free_threads - seen[0], waiting - seen[1])

    # The thread that sends and receives.

    def _look_at(self, moment: float) -> None:
        self._look_number += 1
        number = self._look_number
        self._events.at(moment, lambda: self._locked(lambda: self._look(number)))

    def _look(self, number: int) -> None:
        if number != self._look_number:
            return  # it was woken in the meantime
        packets, self._arrived = self._arrived, []
        if not packets and not self._has_messages():
            self._rest()
            return
        outgoing: list[tuple[int, int, bytes]] = []

        def step() -> None:
            for source, packet in packets:
                self._asked |= source == CHECKER
                self._receive(source, decode(packet)[1])
            outgoing.extend(self._packed())

        done = self._measured(step)
        for to, messages, packet in outgoing:
            self.spent.messages += messages
            self.spent.bytes += len(packet)
            self._network.send(self.plan.rank, to, packet, done)
        self._backoff.reset()
        self._events.at(done, self._begin_tasks)
        self._events.at(done, self._rest)

    def _has_messages(self) -> bool:
        return self.builder is not None and bool(self.builder.outbox or self.builder.ahead)

    def _packed(self) -> list[tuple[int, int, bytes]]:
        by_rank: dict[int, list[Message]] = {}
        for to, message in [] if self.builder is None else self.builder.take_messages():
            by_rank.setdefault(to, []).append(message)
        return [(to, len(sent), encode(1, sent)) for to, sent in by_rank.items()]

    def _receive(self, source: int, messages: list[Message]) -> None:
        for message in messages:
            if isinstance(message, Start):
                self._start(message.job_spec)
            elif self.builder is not None:
                self.builder.receive(source, message)

    def _start(self, job_spec: JobSpec) -> None:
        order = job_spec.order or None
        self.domain = open_domain(job_spec.backend, job_spec.net, order, Budget())
        self.builder = Builder(make_aggregate_builder(job_spec, self.domain), self.plan)

    def _rest(self) -> None:
        """Until the next look, which is sooner when there is something to send."""
        waiting = 0 if self.builder is None else self.builder.tasks.waiting
        if waiting:
            self._can_be_woken = False
            if self._asked or waiting < STEAL_FRACTION:
                self._busy.reset()
            self._asked = False
            self._look_at(self._events.now + self._busy.seconds())
            return
        self._can_be_woken = True
        if self.builder is not None and self._free_threads and self._events.now >= self._steal_at:
            self._steal_at = self._events.now + STEAL_EVERY
            self.builder.steal()
        wait = 0.0 if self._has_messages() else self._backoff.seconds()
        self._look_at(self._events.now + wait)

    # The threads that build.

    def _begin_tasks(self) -> None:
        """As many as there are threads for."""
        while self._free_threads and self.builder is not None:
            task = self.builder.tasks.take()
            if task is None:
                break
            self._free_threads -= 1
            self._compute(task)
        self._tell()

    def _compute(self, task: Task) -> None:
        started = self._timer(self.domain)
        result = task.compute()
        took = self._timer(self.domain) - started
        self.spent.tasks += took
        moment = self._events.now + took
        self._events.at(moment, lambda: self._locked(lambda: self._finish(task, result)))

    def _finish(self, task: Task, result: Any) -> None:
        self.spent.finished += 1
        done = self._measured(lambda: task.done(result))
        self._events.at(done, self._free_thread)

    def _free_thread(self) -> None:
        self._free_threads += 1
        self._begin_tasks()
        if self._can_be_woken and self.builder is not None and self.builder.outbox:
            self._can_be_woken = False
            self._look_at(self._events.now)


@dataclass
class SimulatedTeam:
    """That many builders; a ``Team`` for the engine, which is rank 0."""

    builders: int
    machine: Machine = field(default_factory=Machine)
    timer: Timer = processor_time
    reports: list[RankReport] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._ledger = Ledger()
        self._events = Events(self._ledger.passing)
        self._network = Network(self.machine, self._events)
        self._network.boxes[CHECKER] = lambda source, packet: self._arrived.append(packet)
        self._arrived: list[bytes] = []
        self._answers = Answers()
        self._backoff = Backoff.while_builders_run_ahead()
        self._busy = 0.0
        self._messages = self._bytes = 0
        self._ranks = [self._rank(number) for number in range(1, self.builders + 1)]
        self._mark = self.timer(None)

    def _rank(self, number: int) -> SimulatedRank:
        plan = Plan(number, self.builders)
        rank = SimulatedRank(plan, self.machine, self._events, self._network, self.timer)
        rank.changed = self._changed
        return rank

    def _changed(self, idle: int, waiting: int) -> None:
        self._ledger.idle += idle
        self._ledger.waiting += waiting

    @contextmanager
    def open(
        self, job_spec: JobSpec, domain: Callable[[], Domain[Any]], budget: Budget
    ) -> Iterator[RemoteGraph]:
        """A graph that the builders build; for one job."""
        for rank in self._ranks:
            self._send(rank.plan.rank, Start(job_spec))
        yield RemoteGraph(job_spec.observation(), self._ask)
        self._catch_up()

    def _catch_up(self) -> None:
        """What rank 0 has computed since the last time takes its time for the others too."""
        took = self.timer(None) - self._mark
        self._busy += took
        self._ledger.checker_busy = True
        self._events.run_until(self._events.now + took)
        self._ledger.checker_busy = False
        self._mark = self.timer(None)

    def _send(self, to: int, message: Message) -> None:
        packet = encode(1, [message])
        self._messages += 1
        self._bytes += len(packet)
        self._catch_up()
        self._network.send(CHECKER, to, packet, self._events.now)

    def _ask(self, to: int, question: Question) -> Successors:
        """As ``RankTeam`` does."""
        self._catch_up()
        limit = self._events.now + STUCK
        looks = finished = 0
        while (answer := self._answers.take(question)) is None:
            if looks == 1:
                self._send(to, question)
            self._gather(wait=looks > 0)
            looks += 1
            so_far = sum(rank.spent.finished for rank in self._ranks)
            if so_far > finished:
                finished, limit = so_far, self._events.now + STUCK
            if self._events.now > limit:
                raise RuntimeError(f"no answer to {question} after {looks} looks")
        return answer

    def _gather(self, wait: bool) -> None:
        self._catch_up()
        packets, self._arrived = self._arrived, []
        for packet in packets:
            for message in decode(packet)[1]:
                self._answers.add(message)
        if packets:
            self._backoff.reset()
            self._catch_up()
        elif wait:
            self._events.run_until(self._events.now + self._backoff.seconds())
            self._mark = self.timer(None)

    def figures(self) -> Figures:
        """After the run."""
        statistics = [kernel_figures(rank.domain) for rank in self._ranks]
        builders = [rank.builder for rank in self._ranks if rank.builder is not None]
        return Figures(
            threads=self.machine.threads,
            seconds=self._events.now,
            checker=self._busy,
            tasks=sum(rank.spent.tasks for rank in self._ranks),
            protocol=sum(rank.spent.protocol for rank in self._ranks),
            ledger=self._ledger,
            operations=sum(operations for operations, _ in statistics),
            most_memory=max(peak for _, peak in statistics),
            messages=self._messages + sum(rank.spent.messages for rank in self._ranks),
            bytes=self._bytes + sum(rank.spent.bytes for rank in self._ranks),
            built=sum(builder.built for builder in builders),
            held=sum(builder.held for builder in builders),
        )
