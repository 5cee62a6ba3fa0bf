"""Limits on time and memory, the progress of long work, and the wish to stop.

A ``Budget`` is handed down to whatever takes long. Native code calls ``poll`` about ten times a
second; Python loops call ``check``. Once a limit is reached the budget remembers why, and whoever
asked for the work turns that into the verdict UNKNOWN.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from mpisog import _native, launcher
from mpisog.errors import LimitReached
from mpisog.machine import available_memory
from mpisog.sizes import format_bytes

Counts = tuple[tuple[str, int], ...]
"""What is counted and how much there is: ``(("markings", 120), ("firings", 700))``.

The first unit may name the phase, ``"markings (forward)"``.
"""

ShowProgress = Callable[[Counts], None]

T = TypeVar("T")

DEFAULT_MEMORY_SHARE = 0.9
ASSUMED_SECONDS = 10.0
"""What stands for the time that is left where there is no limit."""
MEMORY_LOOKS_EVERY = 0.02
"""Seconds."""

_limit: int | None = None
"""Of the whole process, in bytes; native stores know it too."""


class Budget:
    """One deadline and one memory budget, with the reason they were exceeded.

    A budget ``within`` another inherits its memory and stops when that one does, but a memory
    budget of its own takes the place of the other's; ``name`` is what a reason calls the time.
    """

    def __init__(
        self,
        seconds: float | None = None,
        memory: int | None = None,
        show: ShowProgress | None = None,
        *,
        within: Budget | None = None,
        name: str = "time limit",
        cancelled: Callable[[], bool] | None = None,
    ) -> None:
        self._within = within
        self._cancelled = cancelled
        """Asked whenever this budget is asked: the wish to stop may come from elsewhere."""
        self._name = name
        self._seconds = seconds
        self._deadline = None if seconds is None else time.monotonic() + seconds
        self._memory = memory
        if memory is None and within is not None:
            self._memory = within.memory
        self._show: ShowProgress | None = show
        if show is None and within is not None:
            self._show = within._show
        self._next_look = 0.0
        self.stopped: LimitReached | None = None
        self.units: tuple[str, ...] = ("markings", "firings")
        """What the counts given to ``poll`` are; whoever makes the native object sets it."""

    def poll(self, *counts: int) -> bool:
        """Report progress; true when the work must stop. Never raises: native code calls it."""
        try:
            self._look()
            if self._show is not None and self.stopped is None:
                self._show(tuple(zip(self.units, counts, strict=False)))
        except KeyboardInterrupt:
            self.interrupt()
        return self.stopped is not None

    def check(self) -> None:
        """Raise the limit that has been reached, if any."""
        self._look()
        if self.stopped is not None:
            raise self.stopped

    def attempt(
        self, seconds: float | None, work: Callable[[Budget], T], memory: int | None = None
    ) -> T | LimitReached:
        """Do the work with part of the time, or of the memory; the limit that ended it, if one did.

        The only place where a limit is no exception any more. When the time of this budget is over,
        or the run is to stop, that is raised all the same; memory can be given back first.
        """
        try:
            return work(Budget(seconds, memory, within=self))
        except LimitReached as limit:
            # The budget keeps the limit, the native graph keeps the budget, and the collector
            # cannot see through native objects: the frames of a traceback would keep the graph,
            # those of the native exception that it took the place of too.
            limit.__traceback__ = limit.__context__ = None
            ended = limit
        except MemoryError:
            ended = LimitReached("out of memory")
        self._look(memory=False)
        if self.stopped is not None:
            self.stopped.statistics = self.stopped.statistics or ended.statistics
            raise self.stopped
        return ended

    def interrupt(self) -> None:
        """The user wants to stop, this and whatever it is within."""
        self.stopped = Interrupted()
        if self._within is not None:
            self._within.interrupt()

    def cancel(self) -> None:
        """The result is not needed any more; what this budget is within goes on."""
        self.stopped = self.stopped or LimitReached("no longer needed")

    @property
    def memory(self) -> int | None:
        """The budget in bytes of resident memory."""
        return self._memory

    @property
    def remaining(self) -> float | None:
        """Seconds that are left, here and outside; nothing without a limit."""
        outside = None if self._within is None else self._within.remaining
        if self._deadline is None:
            return outside
        inside = max(0.0, self._deadline - time.monotonic())
        return inside if outside is None else min(inside, outside)

    def share(self, share: float) -> float:
        """Seconds: so much of the time that is left, or of some seconds where there is no limit."""
        left = self.remaining
        return share * (ASSUMED_SECONDS if left is None else left)

    def _look(self, memory: bool = True) -> None:
        if self.stopped is not None:
            return
        now = time.monotonic()
        if self._cancelled is not None and self._cancelled():
            self.cancel()
        elif self._deadline is not None and now >= self._deadline:
            self.stopped = LimitReached(f"{self._name} of {self._seconds:g} s reached")
        elif memory and self._exceeds_memory(now):
            assert self._memory is not None
            self.stopped = LimitReached(f"memory limit of {format_bytes(self._memory)} reached")
        elif self._within is not None:
            # Once is enough for a limit that both have, and one of its own replaces the other.
            self._within._look(memory=False)
            self.stopped = self._within.stopped

    def _exceeds_memory(self, now: float) -> bool:
        """Looked at now and then: reading the figure costs more than many a step."""
        if self._memory is None or now < self._next_look:
            return False
        self._next_look = now + MEMORY_LOOKS_EVERY
        return resident_bytes() > self._memory


class Interrupted(LimitReached):
    """Ctrl-C or a signal."""

    def __init__(self) -> None:
        super().__init__("interrupted")


def resident_bytes() -> int:
    """Memory this process occupies now."""
    if resident := _native.resident_bytes():
        return resident
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def reserved_bytes() -> int:
    """Address space for data: what is reserved counts, used or not."""
    with suppress(OSError):
        fields = Path("/proc/self/statm").read_text().split()
        return int(fields[5]) * os.sysconf("SC_PAGE_SIZE")
    return 0


def release_memory() -> None:
    """Give what has been freed back to the system: it counts as resident until then."""
    import ctypes

    with suppress(OSError, AttributeError):  # a C library without it
        ctypes.CDLL(None).malloc_trim(0)


def limit_memory(given: int | None) -> int | None:
    """The budget that was asked for, or the default one; native stores keep to it from now on."""
    global _limit
    _limit = default_memory() if given is None else given
    _native.set_memory_limit(_limit or 0)
    return _limit


def memory_limit_reached() -> LimitReached:
    """What native stores raise that ask for more than there is."""
    if _limit is None:
        return LimitReached("out of memory")
    return LimitReached(f"memory limit of {format_bytes(_limit)} reached")


def default_memory() -> int | None:
    """Most of what this process can still get, beside what it has.

    Ranks on one machine share what it has free, or what the batch job may use of it.
    """
    free = available_memory()
    job = launcher.current_job()
    if job is not None and job.memory_mb:
        free = min(job.memory_mb * 2**20, free or job.memory_mb * 2**20)
    if free is None:
        return None
    ranks = launcher.current().local_size or 1
    return int(free * DEFAULT_MEMORY_SHARE) // ranks + resident_bytes()
