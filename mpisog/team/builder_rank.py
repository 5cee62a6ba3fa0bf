"""A builder rank: serves the checker's jobs, one after the other, until it is told to quit."""

from __future__ import annotations

import gc
import logging
import socket
import time
import traceback
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from mpisog.budget import Budget, release_memory, resident_bytes
from mpisog.errors import LimitReached
from mpisog.sog.aggregate_builder import AggregateBuilder
from mpisog.sog.stuttering import Stuttering
from mpisog.symbolic.protocol import Domain
from mpisog.symbolic.registry import open_domain
from mpisog.team.builder import Builder
from mpisog.team.job_spec import JobSpec
from mpisog.team.messages import (
    Ended,
    Failure,
    Progress,
    Quit,
    Start,
    Terminate,
)
from mpisog.team.native_pool import NativePool, can_be_native
from mpisog.team.plan import CHECKER, Plan
from mpisog.team.pool import Packet, Pool
from mpisog.team.statistics import RankReport
from mpisog.team.tasks import STEAL_FRACTION
from mpisog.transport.message import Message, decode, encode, first_tag, job_of
from mpisog.transport.transport import Backoff, Interval, Transport

log = logging.getLogger("mpisog")

TELL_EVERY = 0.5
"""Seconds between reports of progress."""

STEAL_EVERY = 2e-3
"""Seconds between two requests for work, at least."""


SETS_SHARE = 0.9
"""Sets are to be full before the process is: what is full can be given to others."""

_ALONE = {Start.tag, Terminate.tag, Quit.tag}
"""Messages that begin or end something."""


def make_aggregate_builder(job_spec: JobSpec, domain: Domain[Any]) -> AggregateBuilder[Any]:
    """What builds the aggregates of a job."""
    aggregate_builder = AggregateBuilder(domain, job_spec.observation())
    state_atoms = aggregate_builder.observation.state_atoms
    stuttering = Stuttering(job_spec.hoa, job_spec.atoms, state_atoms)
    aggregate_builder.needs_stuttering = stuttering.matters
    return aggregate_builder


def open_pool(
    domain: Domain[Any], job_spec: JobSpec, plan: Plan, threads: int
) -> Pool | NativePool:
    """A builder for a job, with its threads, in native code where there is one."""
    if can_be_native(domain.name, plan):
        return NativePool(domain, job_spec, plan, threads)
    return Pool(
        Builder(make_aggregate_builder(job_spec, domain), plan), threads, domain.budget.cancel
    )


class Job:
    """One formula at one builder, from ``Start`` to ``Ended``."""

    def __init__(self, pool: Pool | NativePool, domain: Domain[Any], rank: int) -> None:
        self.pool = pool
        self._domain = domain
        self._rank = rank
        self._started = time.monotonic()
        self.messages_sent = self.bytes_sent = self.messages_received = self.bytes_received = 0

    def take(self, source: int, packet: bytes) -> None:
        """What another rank has sent."""
        self.messages_received += self.pool.take_packet(source, packet)
        self.bytes_received += len(packet)

    def packets(self, number: int) -> list[Packet]:
        """What there is to send."""
        found = self.pool.packets(number)
        self.messages_sent += sum(packet.messages for packet in found)
        self.bytes_sent += sum(len(packet.data) for packet in found)
        return found

    def report(self) -> RankReport:
        """How it stands."""
        return replace(
            self.pool.figures(),
            rank=self._rank,
            host=socket.gethostname(),
            messages_sent=self.messages_sent,
            bytes_sent=self.bytes_sent,
            messages_received=self.messages_received,
            bytes_received=self.bytes_received,
            nodes=self._domain.table_nodes() or 0,
            memory=resident_bytes(),
            elapsed=time.monotonic() - self._started,
        )

    def end(self) -> RankReport:
        """Stop the threads at once, and tell what they did."""
        self.pool.end()
        return self.report()


class BuilderRank:
    """What a builder rank knows between packets; ``step`` takes what has come and sends."""

    def __init__(
        self, transport: Transport, plan: Plan, threads: int, memory: int | None = None
    ) -> None:
        self._transport = transport
        self._plan = plan
        self._threads = threads
        self._memory = memory
        self._number = 0
        self._job: Job | None = None
        self._domain: Domain[Any] | None = None
        self._job_spec: JobSpec | None = None
        self._early: list[tuple[int, int, bytes]] = []
        """Packets of a job whose start has not come yet: other builders may be faster."""
        self._failed = False
        self._asked = False
        self._busy = Backoff.while_busy()
        self._telling = Interval(TELL_EVERY)
        self._stealing = Interval(STEAL_EVERY)
        self.exit_code: int | None = None
        self.busy = 0.0
        """Seconds in which its threads built."""

    def serve(self) -> int:
        """Until the checker says how the run ends."""
        self.build(until=lambda: self.exit_code is not None)
        assert self.exit_code is not None
        return self.exit_code

    def build(self, until: Callable[[], bool]) -> None:
        """Serve jobs, and give up the last one if it is not over then."""
        try:
            self._build(until)
        finally:
            if self._job is not None:
                self._end_job()

    def _build(self, until: Callable[[], bool]) -> None:
        backoff = Backoff()
        while not until():
            if self.step():
                backoff.reset()
            if self._job is None:
                backoff.sleep()
            elif self._job.pool.waiting and not self._transport.sending:
                self._wait_busily(self._job.pool.waiting)
            else:
                if self._stealing.is_due():
                    self._job.pool.look_for_work()
                self._job.pool.wait(backoff.seconds())

    def _wait_busily(self, waiting: int) -> None:
        """Longer and longer while the checker asks for nothing and there is something to give."""
        if self._asked or waiting < STEAL_FRACTION:
            self._busy.reset()
        self._asked = False
        self._busy.sleep()

    def step(self) -> bool:
        """Take all packets that have come, send all messages; false when there were none."""
        packets = self._transport.receive()
        for source, packet in packets:
            self._asked |= source == CHECKER
            number, first = job_of(packet), first_tag(packet)
            if number > self._number and first != Start.tag:
                self._early.append((source, number, packet))
            elif first in _ALONE:
                self._obey(number, decode(packet)[1])
            elif self._job is not None and number == self._number:
                self._job.take(source, packet)
        return self._send() or bool(packets)

    def work(self) -> bool:
        """Do one task in this thread, for a rank that has no others."""
        return self._job is not None and self._job.pool.work()

    def _obey(self, number: int, messages: Sequence[Message]) -> None:
        """What begins or ends something is alone in its packet."""
        match messages:
            case [Start(job_spec)]:
                self._start(number, job_spec)
            case [Terminate()]:
                self._terminate()
            case [Quit(code)]:
                self.exit_code = code

    def _start(self, number: int, job_spec: JobSpec) -> None:
        self._number, self._failed = number, False
        gc.disable()  # graphs have hardly any cycle before they are given up as a whole
        try:
            domain = self._domain_of(job_spec)
            pool = open_pool(domain, job_spec, self._plan, self._threads)
            self._job = Job(pool, domain, self._plan.rank)
            log.info("job %d starts with backend %s", number, job_spec.backend)
        except BaseException as failure:
            self._fail(failure)
        early, self._early = self._early, []
        for source, of_job, packet in early:
            if of_job == number and self._job is not None:
                self._job.take(source, packet)

    def _domain_of(self, job_spec: JobSpec) -> Domain[Any]:
        """A new one, or that of the last job when it has the same net."""
        budget = Budget(memory=self._memory)
        sets = None if self._memory is None else int(SETS_SHARE * self._memory)
        last, known = self._job_spec, self._domain
        if last is not None and known is not None and _same_sets(last, job_spec):
            known.budget = budget
            return known
        self._domain = known = None
        release_memory()
        self._domain = open_domain(
            job_spec.backend, job_spec.net, job_spec.order or None, Budget(memory=sets)
        )
        self._domain.budget = budget
        self._job_spec = job_spec
        return self._domain

    def _terminate(self) -> None:
        self._post(CHECKER, [Ended(self._end_job())])

    def _end_job(self) -> RankReport:
        job, self._job = self._job, None  # there is none when it failed to start
        report = RankReport(self._plan.rank, socket.gethostname()) if job is None else job.end()
        gc.enable()
        log.info("job %d ends; %s", self._number, report.sentence())
        self.busy += sum(report.busy)
        return report

    def _send(self) -> bool:
        job = self._job
        if job is None:
            return False
        if not self._failed and (failure := job.pool.failure) is not None:
            self._fail(failure)
        packets = job.packets(self._number)
        for packet in packets:
            self._transport.send(packet.to, packet.data)
        self._tell(job)
        return bool(packets)

    def _tell(self, job: Job) -> None:
        if self._telling.is_due():
            report = job.report()
            log.info("job %d goes on; %s", self._number, report.sentence())
            self._post(CHECKER, [Progress(report)])

    def _fail(self, failure: BaseException) -> None:
        self._failed = True
        log.error("job %d fails", self._number, exc_info=failure)
        here = f"rank {self._plan.rank} on {socket.gethostname()}"
        if isinstance(failure, LimitReached | MemoryError):
            reason = failure.reason if isinstance(failure, LimitReached) else "out of memory"
            self._post(CHECKER, [Failure(True, f"{here}: {reason}")])
        else:
            text = "".join(traceback.format_exception(failure))
            self._post(CHECKER, [Failure(False, f"{here} failed:\n{text}")])

    def _post(self, to: int, messages: list[Message]) -> None:
        self._transport.send(to, encode(self._number, messages))


def _same_sets(a: JobSpec, b: JobSpec) -> bool:
    return (a.backend, a.order, a.net) == (b.backend, b.order, b.net)
