"""Workers that are threads of this process, so that those of a team can work at the same time.

Workers are lost at random moments, wherever they are: from then on nobody hears of them, and they
stop as soon as they look. (An exception would come out of native code's calls.)
"""

from __future__ import annotations

import threading
from contextlib import suppress
from queue import Empty, SimpleQueue
from random import Random

from mpisog.engines.batch import Batch
from mpisog.executor.checks import Helpers
from mpisog.executor.job import read_batch, write_batch
from mpisog.executor.worker import RemoteWorker
from mpisog.team.messages import Quit
from mpisog.transport.message import encode
from tests.executor.loopback import starts_batch

Queue = SimpleQueue[tuple[int, bytes]]


class Everything(set[int]):
    """Of a worker that is lost: all its units are cancelled."""

    def __contains__(self, _: object) -> bool:
        return True


class Line:
    """The transport of one thread; ``queues`` are those of all ranks."""

    def __init__(self, rank: int, queues: list[Queue]) -> None:
        self.rank, self.size = rank, len(queues)
        self.killed = False
        self._queues = queues
        self._mine = queues[rank]
        self._early: list[tuple[int, bytes]] = []

    sending = False

    def send(self, to: int, packet: bytes) -> None:
        if not self.killed:
            self._queues[to].put((self.rank, packet))

    def receive(self) -> list[tuple[int, bytes]]:
        if self.killed:
            return [(0, encode(0, [Quit(1)]))]
        found, self._early = self._early, []
        with suppress(Empty):
            while True:
                found.append(self._mine.get_nowait())
        return found

    def wait(self, seconds: float) -> None:
        with suppress(Empty):
            self._early.append(self._mine.get(timeout=0 if self.killed else seconds))


class Restless(Line):
    """Rank 0's: somebody may be lost while it waits."""

    workers: ThreadWorkers

    def send(self, to: int, packet: bytes) -> None:
        if not starts_batch(packet):
            super().send(to, packet)

    def wait(self, seconds: float) -> None:
        self.workers.maybe_lose()
        super().wait(min(seconds, 0.01))


class ThreadWorkers:
    """Fake processes: they can be lost, and are replaced."""

    def __init__(self, batch: Batch, workers: int, rng: Random, losses: float) -> None:
        self._queues: list[Queue] = [SimpleQueue() for _ in range(workers + 1)]
        self._rng = rng
        self._losses = losses
        self._body = write_batch(batch)
        self._stages = batch.stages
        self._lost: list[tuple[int, str]] = []
        self.losses = 0
        self.transport = Restless(0, self._queues)
        self.transport.workers = self
        self._threads: list[threading.Thread] = []
        self._lines: dict[int, Line] = {}
        self._workers: dict[int, RemoteWorker] = {}
        for worker in range(1, workers + 1):
            self._start(worker)

    def helpers(self) -> Helpers:
        return Helpers(workers=self.transport, processes=self)

    def maybe_lose(self) -> None:
        if self._rng.random() < self._losses:
            self.kill(self._rng.choice([*self._lines]))

    def lost(self) -> list[tuple[int, str]]:
        found, self._lost = self._lost, []
        return found

    def kill(self, worker: int) -> None:
        self.losses += 1
        self._end(worker)
        self._queues[worker] = SimpleQueue()
        self._start(worker)
        self._lost.append((worker, "killed by SIGKILL"))

    def over_memory(self, worker: int) -> bool:
        return False

    def close(self) -> None:
        for worker in self._lines:
            self._end(worker)
        for thread in self._threads:
            thread.join()

    def _end(self, worker: int) -> None:
        self._lines[worker].killed = True
        self._workers[worker]._cancelled = Everything()

    def _start(self, worker: int) -> None:
        batch = read_batch(self._body)
        batch.__dict__["stages"] = self._stages  # as a test has chosen them
        self._lines[worker] = line = Line(worker, self._queues)
        self._workers[worker] = RemoteWorker(line, None, batch)
        thread = threading.Thread(target=self._workers[worker].serve)
        self._threads.append(thread)
        thread.start()
