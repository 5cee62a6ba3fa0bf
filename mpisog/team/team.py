"""Teams that build a graph: threads of this process, or other ranks."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from itertools import count, repeat
from typing import Any, Protocol

from mpisog.budget import Budget
from mpisog.errors import InternalError, LimitReached
from mpisog.sog.expansion import WAITING
from mpisog.symbolic.protocol import Domain
from mpisog.team.builder import Builder
from mpisog.team.builder_rank import Job, make_aggregate_builder
from mpisog.team.job_spec import JobSpec
from mpisog.team.messages import (
    INITIAL,
    AskInitial,
    AskSuccessors,
    Ended,
    Failure,
    Identity,
    Progress,
    Quit,
    Start,
    Successors,
    Terminate,
)
from mpisog.team.plan import CHECKER, FIRST_BUILDER, Plan
from mpisog.team.pool import Pool
from mpisog.team.remote_graph import RemoteGraph
from mpisog.team.statistics import RankReport
from mpisog.transport.message import Message, decode, encode
from mpisog.transport.transport import Backoff, Interval, Transport

LOOK_EVERY = 0.1
"""Seconds between looks at the budget while the checker waits."""

END_WITHIN = 10.0
"""Seconds after which a builder that does not end its job is given up."""


OpenDomain = Callable[[], Domain[Any]]

Question = AskInitial | AskSuccessors

_JOBS = count(1)

log = logging.getLogger("mpisog")


class Team(Protocol):
    """Builders that take one job after the other; ``reports`` are those of the last one."""

    reports: list[RankReport]

    def open(
        self, job_spec: JobSpec, domain: OpenDomain, budget: Budget
    ) -> AbstractContextManager[RemoteGraph]:
        """A graph that the builders build; at the end of the context they stop.

        ``domain`` gives this process's sets to those who need them.
        """


class ThreadTeam:
    """Threads of this process that share the checker's sets."""

    def __init__(self, threads: int, plan: Plan) -> None:
        self._threads = threads
        self._plan = plan
        self.reports: list[RankReport] = []

    @contextmanager
    def open(self, job_spec: JobSpec, domain: OpenDomain, budget: Budget) -> Iterator[RemoteGraph]:
        """A graph that the threads build."""
        shared = domain()
        shared.budget = Budget(within=budget)
        builder = Builder(make_aggregate_builder(job_spec, shared), self._plan)
        pool = Pool(builder, self._threads, shared.budget.cancel)
        job = Job(pool, shared, self._plan.rank)
        try:
            ask = partial(_ask, job, pool, Answers(), Interval(LOOK_EVERY), budget)
            yield RemoteGraph(job_spec.observation(), lambda to, question: ask(question))
        finally:
            self.reports = [job.end()]
            shared.budget = budget


class Answers:
    """What builders have told so far; those that run ahead do so without being asked."""

    def __init__(self) -> None:
        self._told: dict[tuple[Identity, int], Successors] = {}

    def add(self, message: Message) -> None:
        """Keep it if it is an answer."""
        if isinstance(message, Successors):
            self._told[message.identity, message.mode] = message

    def take(self, question: Question) -> Successors | None:
        """The answer, if it is there; it is not needed a second time."""
        if isinstance(question, AskInitial):
            return self._told.pop((INITIAL, WAITING), None)
        return self._told.pop((question.identity, question.mode), None)


def _ask(
    job: Job, pool: Pool, answers: Answers, looking: Interval, budget: Budget, question: Question
) -> Successors:
    asked = False
    while True:
        for _, message in pool.outgoing():
            answers.add(message)
        if answer := answers.take(question):
            return answer
        if pool.failure is not None:
            raise pool.failure
        if not asked:
            asked = True
            pool.receive(CHECKER, [question])
        pool.wait(LOOK_EVERY)
        if looking.is_due():
            _show(budget, [job.report()])


class RankTeam:
    """The other ranks. They have sets of their own; this rank's are for counterexamples only."""

    def __init__(
        self,
        transport: Transport,
        meanwhile: Callable[[], None] | None = None,
        numbers: Iterator[int] = _JOBS,
    ) -> None:
        self._transport = transport
        self._numbers = numbers
        self._meanwhile = meanwhile
        """What to do instead of sleeping: runs the builders in tests."""
        self._number = 0
        """Of the job; no two jobs of a builder have the same."""
        self._backoff = Backoff()
        self._latest: dict[int, RankReport] = {}
        self._answers = Answers()
        self._looking = Interval(LOOK_EVERY)
        self.reports: list[RankReport] = []

    @property
    def _builders(self) -> range:
        return range(FIRST_BUILDER, self._transport.size)

    @contextmanager
    def open(self, job_spec: JobSpec, domain: OpenDomain, budget: Budget) -> Iterator[RemoteGraph]:
        """A graph that the builders build."""
        self._number = next(self._numbers)
        self._latest = {}
        self._answers = Answers()
        log.info("job %d starts on %d builders", self._number, len(self._builders))
        self._post(Start(job_spec))
        try:
            yield RemoteGraph(job_spec.observation(), lambda to, m: self._ask(to, m, budget))
        finally:
            self._post(Terminate())
            self.reports = self._shut_down()
            log.info("job %d ends", self._number)

    def expect_answers_ahead(self) -> None:
        """Builders run ahead: they do not wait for the next question, and looks cost them time."""
        self._backoff = Backoff.while_builders_run_ahead()

    def quit(self, exit_code: int) -> None:
        """The run is over."""
        self._post(Quit(exit_code))

    def _post(self, message: Message) -> None:
        packet = encode(self._number, [message])
        for rank in self._builders:
            self._transport.send(rank, packet)

    def _ask(self, to: int, question: Question, budget: Budget) -> Successors:
        looks = 0
        while True:
            if self._looking.is_due():  # also where all that is asked for has been told before
                self._gather(wait=False)
                _show(budget, [*self._latest.values()])
            if answer := self._answers.take(question):
                return answer
            if looks == 1:
                self._transport.send(to, encode(self._number, [question]))
            self._gather(wait=looks > 0)
            looks += 1

    def _gather(self, wait: bool) -> None:
        """Keep the answers that have come."""
        for message in self._receive(wait):
            if isinstance(message, Failure):
                raise _failure(message)
            self._answers.add(message)

    def _receive(self, wait: bool = True) -> list[Message]:
        """What has come for this job; waits a moment when there is nothing, if that is wanted."""
        packets = self._transport.receive()
        messages: list[Message] = []
        for source, packet in packets:
            number, content = decode(packet)
            if number == self._number:
                messages += content
                for message in content:
                    if isinstance(message, Progress):
                        self._latest[source] = message.report
        if packets:
            self._backoff.reset()
        elif not wait:
            pass
        elif self._meanwhile is not None:
            self._meanwhile()
        else:
            self._backoff.sleep()
        return messages

    def _shut_down(self) -> list[RankReport]:
        """Wait until every builder has ended its job, or has failed."""
        missing = len(self._builders)
        reports: list[RankReport] = []
        deadline = time.monotonic() + END_WITHIN
        while missing:
            for message in self._receive():
                if isinstance(message, Ended):
                    reports.append(message.report)
                    missing -= 1
            if time.monotonic() > deadline:
                raise InternalError(f"{missing} builders do not answer")
        return sorted(reports, key=lambda report: report.rank)


class UnitTeam(RankTeam):
    """Workers that are lent for one unit; who has lent them takes them back."""

    def __init__(self, transport: Transport, unit: int) -> None:
        super().__init__(transport, numbers=repeat(unit))

    def _shut_down(self) -> list[RankReport]:
        return []


def _failure(message: Failure) -> Exception:
    return (LimitReached if message.is_limit else InternalError)(message.reason)


def _show(budget: Budget, reports: list[RankReport]) -> None:
    """Show progress and look at the limits."""
    idle = sum(report.idle_share for report in reports) / max(1, len(reports))
    shown = {
        "aggregates": sum(report.built for report in reports),
        "asked": sum(report.asked for report in reports),
        "waiting": sum(report.waiting for report in reports),
        "messages": sum(report.messages_sent for report in reports),
        "bytes": sum(report.bytes_sent for report in reports),
        "% idle": int(100 * idle),
        "nodes": sum(report.nodes for report in reports),
        "MB in the largest rank": max((report.memory for report in reports), default=0) >> 20,
    }
    budget.units = tuple(shown)
    budget.poll(*shown.values())
    budget.check()
