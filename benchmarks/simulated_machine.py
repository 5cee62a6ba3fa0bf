"""A virtual clock: timers, the machine model, events in time, packets between ranks."""

from __future__ import annotations

import heapq
import time
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from typing import Any

from mpisog.symbolic.mdd import MddDomain
from mpisog.symbolic.protocol import Domain

Timer = Callable[[Domain[Any] | None], float]
"""Seconds of work so far of who has these sets; the difference of two calls counts."""


def processor_time(_domain: Domain[Any] | None) -> float:
    """As measured here, whatever it was spent on: for a machine that does nothing else."""
    return time.thread_time()


class CountedTime:
    """So much for an operation of the kernel, and so much for a section of Python around it.

    The same on every machine and at any load. The default is what the operations and tasks of
    robots 7 took on a quiet one.
    """

    def __init__(self, operation: float = 0.4e-6, section: float = 30e-6) -> None:
        self._operation = operation
        self._section = section
        self._calls = count()

    def __call__(self, domain: Domain[Any] | None) -> float:
        """Called at the beginning and at the end of a section."""
        return self._operation * kernel_figures(domain)[0] + self._section * next(self._calls)


def kernel_figures(domain: Domain[Any] | None) -> tuple[int, int]:
    """Operations computed and most bytes; nothing where sets are no diagrams."""
    if not isinstance(domain, MddDomain):
        return 0, 0
    _, _, peak, _, operations = domain.kernel.statistics()
    return operations, peak


@dataclass(frozen=True)
class Machine:
    """What a rank has, and how packets travel; the default is a cluster with 10 Gbit Ethernet."""

    threads: int = 1
    latency: float = 20e-6
    bandwidth: float = 1.25e9
    """Bytes a second that a rank can send, and receive."""


class Events:
    """What is going to happen, by virtual time; at the same time in the order of coming."""

    def __init__(self, passing: Callable[[float], None]) -> None:
        self.now = 0.0
        self._passing = passing
        """Told how much time passes."""
        self._queue: list[tuple[float, int, Callable[[], None]]] = []
        self._numbers = count()

    def at(self, moment: float, action: Callable[[], None]) -> None:
        """Have something happen then."""
        heapq.heappush(self._queue, (moment, next(self._numbers), action))

    def run_until(self, moment: float) -> None:
        """Let all happen that happens until then."""
        while self._queue and self._queue[0][0] <= moment:
            due, _, action = heapq.heappop(self._queue)
            self._pass_to(due)
            action()
        self._pass_to(moment)

    def _pass_to(self, moment: float) -> None:
        if moment > self.now:
            self._passing(moment - self.now)
            self.now = moment


@dataclass
class Ledger:
    """Where the time of all threads goes that build nothing, and the figures behind it."""

    idle: int = 0
    """Threads without a task now."""
    waiting: int = 0
    """Tasks that no thread has begun, of all ranks."""
    checker_busy: bool = False
    apart: float = 0.0
    """Seconds of threads without a task while there was one elsewhere."""
    for_checker: float = 0.0
    """Seconds of threads while there was no task at all and the checker was busy."""
    starved: float = 0.0
    """The same while it was not: nothing was known that could be built."""

    @property
    def idle_seconds(self) -> float:
        """Of all threads, together."""
        return self.apart + self.for_checker + self.starved

    def passing(self, seconds: float) -> None:
        """So much time goes by as things are."""
        apart = min(self.idle, self.waiting)
        self.apart += apart * seconds
        if self.checker_busy:
            self.for_checker += (self.idle - apart) * seconds
        else:
            self.starved += (self.idle - apart) * seconds


class Network:
    """Packets between ranks: one after the other out of a rank, and into one."""

    def __init__(self, machine: Machine, events: Events) -> None:
        self._machine = machine
        self._events = events
        self._out_free: defaultdict[int, float] = defaultdict(float)
        self._in_free: defaultdict[int, float] = defaultdict(float)
        self.boxes: dict[int, Callable[[int, bytes], None]] = {}
        """Where the packets of a rank arrive."""

    def send(self, source: int, to: int, packet: bytes, moment: float) -> None:
        """On its way from that moment on."""
        takes = len(packet) / self._machine.bandwidth
        out = max(moment, self._out_free[source]) + takes
        self._out_free[source] = out
        arrives = max(out + self._machine.latency, self._in_free[to] + takes)
        self._in_free[to] = arrives
        self._events.at(arrives, lambda: self.boxes[to](source, packet))
