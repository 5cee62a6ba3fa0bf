"""A builder with its threads, under one lock."""

from __future__ import annotations

import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from mpisog.team.builder import Builder
from mpisog.team.statistics import RankReport
from mpisog.team.tasks import Task
from mpisog.transport.message import Message, decode, encode


class Packet(NamedTuple):
    """What one rank is to get."""

    to: int
    data: bytes
    messages: int


class Pool:
    """Threads that do a builder's tasks; with none, ``work`` does one in the caller's.

    Who sends the messages calls ``wait`` and ``outgoing``. The first exception of a thread is kept
    in ``failure``, and no more work is done after it.
    """

    def __init__(
        self, builder: Builder[Any], threads: int, cancel: Callable[[], None] = lambda: None
    ) -> None:
        self.builder = builder
        self._cancel = cancel
        self.failure: BaseException | None = None
        self.seconds: defaultdict[str, float] = defaultdict(float)
        self.busy = [0.0] * max(1, threads)
        self._ended = False
        self._working = 0
        lock = threading.Lock()
        self._work = threading.Condition(lock)
        self._news = threading.Condition(lock)
        self._threads = [
            threading.Thread(target=self._run, args=(i,), name=f"builder-{i}", daemon=True)
            for i in range(threads)
        ]
        for thread in self._threads:
            thread.start()

    def receive(self, source: int, messages: Iterable[Message]) -> None:
        """Give the builder messages of one sender."""
        with self._work:
            for message in messages:
                self.builder.receive(source, message)
            self._tell()

    def take_packet(self, source: int, packet: bytes) -> int:
        """The same with a packet; how many messages there were."""
        _, messages = decode(packet)
        self.receive(source, messages)
        return len(messages)

    def packets(self, job: int) -> list[Packet]:
        """What there is to send, one packet for each rank."""
        by_rank: dict[int, list[Message]] = {}
        for to, message in self.outgoing():
            by_rank.setdefault(to, []).append(message)
        return [Packet(to, encode(job, all_), len(all_)) for to, all_ in by_rank.items()]

    @property
    def waiting(self) -> int:
        """Tasks that no thread has begun."""
        return self.builder.tasks.waiting

    def figures(self) -> RankReport:
        """What the threads have done."""
        builder, seconds = self.builder, self.seconds
        return RankReport(
            built=builder.built,
            held=builder.held,
            edges=builder.edges,
            asked=builder.asked,
            waiting=self.waiting,
            building=seconds["building"],
            expanding=seconds["expanding"],
            packing=seconds["packing"],
            busy=tuple(self.busy),
        )

    def wait(self, seconds: float) -> None:
        """Until there is something to send or to know, but no longer than that.

        What was not asked for wakes no thread: it is sent when there is nothing else to wait for.
        """
        with self._news:
            if not self.builder.outbox and not self.builder.ahead and self.failure is None:
                self._news.wait(seconds)

    def outgoing(self) -> list[tuple[int, Message]]:
        """Take what there is to send."""
        with self._work:
            return self.builder.take_messages()

    def work(self) -> bool:
        """Do one task here; when there is none, look for work elsewhere."""
        with self._work:
            task = self._take()
            if task is not None:
                self._do(task, 0)
        if task is None:
            self.look_for_work()
        return task is not None

    def look_for_work(self) -> None:
        """Ask another rank for some, if a thread has none."""
        with self._work:
            has_some = self.builder.tasks.waiting or self._working == len(self.busy)
            if not has_some and not self._ended and self.failure is None:
                self.builder.steal()

    def end(self) -> None:
        """No more tasks, and those that are being done end soon."""
        with self._work:
            self._ended = True
            self.builder.tasks.clear()
            self._work.notify_all()
        self._cancel()
        for thread in self._threads:
            thread.join()

    def _run(self, number: int) -> None:
        with self._work:
            while not self._ended:
                task = self._take()
                if task is None:
                    self._work.wait()
                else:
                    self._do(task, number)

    def _take(self) -> Task | None:
        stopped = self._ended or self.failure is not None
        task = None if stopped else self.builder.tasks.take()
        self._working += task is not None
        return task

    def _do(self, task: Task, number: int) -> None:
        """Called with the lock, which others may have while the task computes."""
        started = time.perf_counter()
        result, failure = None, None
        self._work.release()
        try:
            result = task.compute()
        except BaseException as error:
            failure = error
        finally:
            self._work.acquire()
        self._working -= 1
        took = time.perf_counter() - started
        self.busy[number] += took
        self.seconds[task.kind] += took
        if not self._ended:
            self._finish(task, result, failure)

    def _finish(self, task: Task, result: Any, failure: BaseException | None) -> None:
        try:
            if failure is not None:
                raise failure
            task.done(result)
        except BaseException as error:
            self.failure = self.failure or error
        self._tell(taken=1)  # who has finished a task takes the next one

    def _tell(self, taken: int = 0) -> None:
        """Wake those for whom there is something now."""
        if self.builder.tasks.waiting > taken:
            self._work.notify(self.builder.tasks.waiting - taken)
        if self.builder.outbox or self.failure is not None:
            self._news.notify()
