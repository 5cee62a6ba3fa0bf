"""How packets get from rank to rank: MPI is in ``mpi``, the loopback for tests is here."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Protocol


class Transport(Protocol):
    """Packets from one rank arrive in the order in which they were sent to it."""

    rank: int
    size: int

    def send(self, to: int, packet: bytes) -> None:
        """Send, without waiting until it has arrived."""

    def receive(self) -> Sequence[tuple[int, bytes]]:
        """Everything that has come, with its sender; never waits."""

    @property
    def sending(self) -> bool:
        """Whether something is still under way that needs this rank to go on."""

    def wait(self, seconds: float) -> None:
        """Until something may have come, but no longer than that."""


class Loopback:
    """The transport of one of several ranks in this process; ``mail`` is shared by all."""

    def __init__(self, rank: int, mail: list[dict[int, list[bytes]]]) -> None:
        self.rank = rank
        self.size = len(mail)
        self._mail = mail

    @classmethod
    def ring(cls, size: int) -> list[Loopback]:
        """Transports for that many ranks."""
        mail: list[dict[int, list[bytes]]] = [{} for _ in range(size)]
        return [cls(rank, mail) for rank in range(size)]

    def send(self, to: int, packet: bytes) -> None:
        """Put it into the other's box."""
        self._mail[to].setdefault(self.rank, []).append(packet)

    @property
    def sending(self) -> bool:
        """What is sent is in the other's box at once."""
        return False

    def wait(self, seconds: float) -> None:
        """Nothing comes while this process waits."""

    def receive(self) -> list[tuple[int, bytes]]:
        """Empty the box."""
        box, self._mail[self.rank] = self._mail[self.rank], {}
        return [(source, packet) for source, packets in box.items() for packet in packets]


class Backoff:
    """How long to wait before looking again: little after something happened, then longer."""

    def __init__(self, shortest: float = 20e-6, longest: float = 4e-3) -> None:
        self._shortest = self._next = shortest
        self._longest = longest

    @classmethod
    def while_builders_run_ahead(cls) -> Backoff:
        """Polling interval of rank 0 while builders run ahead."""
        return cls(2e-3, 10e-3)

    @classmethod
    def while_busy(cls) -> Backoff:
        """While there is enough to do: looking takes time from those who do it."""
        return cls(5e-3, 20e-3)

    def reset(self) -> None:
        """Something has happened."""
        self._next = self._shortest

    def seconds(self) -> float:
        """The next time to wait."""
        now = self._next
        self._next = min(self._longest, 1.5 * self._next)
        return now

    def sleep(self) -> None:
        """Wait."""
        time.sleep(self.seconds())


class Interval:
    """For what is to be done now and then only."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._next = 0.0

    def is_due(self) -> bool:
        """Whether it is time again; then not before the interval is over."""
        now = time.monotonic()
        if now < self._next:
            return False
        self._next = now + self._seconds
        return True
