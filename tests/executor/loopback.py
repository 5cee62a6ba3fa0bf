"""Workers in this process, run step by step in an order that a random generator chooses.

Workers are lost at random moments: with a unit they have not begun, or with an answer on its way.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from mpisog.engines.batch import Batch
from mpisog.executor.checks import Helpers
from mpisog.executor.job import read_batch, write_batch
from mpisog.executor.messages import StartBatch
from mpisog.executor.worker import RemoteWorker
from mpisog.transport.message import decode
from mpisog.transport.transport import Loopback


def starts_batch(packet: bytes) -> bool:
    """Workers here have a batch, with the stages that a test has chosen."""
    return isinstance(decode(packet)[1][0], StartBatch)


class Waiting(Loopback):
    """Rank 0's end: somebody else does something while it waits."""

    meanwhile: Callable[[], None]

    def send(self, to: int, packet: bytes) -> None:
        if not starts_batch(packet):
            super().send(to, packet)

    def wait(self, seconds: float) -> None:
        self.meanwhile()


class LoopbackWorkers:
    """Fake processes: they can be lost, and are replaced."""

    def __init__(self, batch: Batch, workers: int, rng: Random, losses: float = 0.0) -> None:
        self._mail: list[dict[int, list[bytes]]] = [{} for _ in range(workers + 1)]
        self._rng = rng
        self._losses = losses
        self._body = write_batch(batch)
        self._stages = batch.stages
        self._lost: list[tuple[int, str]] = []
        self.losses = 0
        self.transport = Waiting(0, self._mail)
        self.transport.meanwhile = self.step
        self._workers = {worker: self._new(worker) for worker in range(1, workers + 1)}

    def helpers(self) -> Helpers:
        return Helpers(workers=self.transport, processes=self)

    def step(self) -> None:
        worker = self._rng.choice([*self._workers])
        if self._rng.random() < self._losses:
            self._lose(worker)
        else:
            self._workers[worker].step()

    def lost(self) -> list[tuple[int, str]]:
        found, self._lost = self._lost, []
        return found

    def kill(self, worker: int) -> None:
        self._lose(worker)

    def over_memory(self, worker: int) -> bool:
        return False

    def _lose(self, worker: int) -> None:
        self.losses += 1
        self._mail[worker].clear()
        self._mail[0].pop(worker, None)
        self._workers[worker] = self._new(worker)
        self._lost.append((worker, "killed by SIGKILL"))

    def _new(self, worker: int) -> RemoteWorker:
        batch = read_batch(self._body)
        batch.__dict__["stages"] = self._stages  # as a test has chosen them
        return RemoteWorker(Loopback(worker, self._mail), None, batch)
