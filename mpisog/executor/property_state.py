"""What is known of a property while units of work run for it."""

from __future__ import annotations

from dataclasses import dataclass

from mpisog.engines.batch import Batch
from mpisog.engines.course import PropertyCourse
from mpisog.errors import LimitReached
from mpisog.verdict import Result


@dataclass(frozen=True)
class Unit:
    """A stage for a task of a property; without a stage, what is done after the verdict."""

    number: int
    property: int
    task: int | None
    stage: int | None
    name: str
    """Of the stage, for people."""
    attempt: int = 1
    builders: tuple[int, ...] = ()
    """Workers that build the graph for the one that has the unit."""


class PropertyState:
    """What is known of one property, and the time that was spent on it."""

    def __init__(self, batch: Batch, number: int) -> None:
        self.number = number
        self.course = PropertyCourse(batch.tasks[number], batch.stages)
        self.running: dict[int, Unit] = {}
        self.waiting: list[Unit] = []
        """To be run again, or after the verdict."""
        self.worker: int | None = None
        """Who has worked on it last."""
        self.verdict: Result | None = None
        """Decided, but perhaps to be polished."""
        self.result: Result | None = None
        """All that there will be."""
        self._limit = batch.config.timeout
        self._spent = 0.0
        self._since = 0.0

    @property
    def is_open(self) -> bool:
        """Whether there is no verdict, and may be one."""
        return self.verdict is None and self.result is None

    @property
    def known(self) -> Result | None:
        """The result, or the verdict without what comes after it."""
        return self.verdict if self.result is None else self.result

    def spent(self, now: float) -> float:
        """Seconds in which something was done for it."""
        return self._spent + (now - self._since if self.running else 0.0)

    def left(self, now: float) -> float | None:
        """Seconds that are left; nothing without a limit."""
        return None if self._limit is None else max(0.0, self._limit - self.spent(now))

    def begin(self, unit: Unit, worker: int, now: float) -> None:
        """Somebody works on it."""
        if not self.running:
            self._since = now
        self.running[unit.number] = unit
        self.worker = worker

    def end(self, number: int, now: float) -> None:
        """Somebody has stopped working on it."""
        del self.running[number]
        if not self.running:
            self._spent += now - self._since

    def time_limit(self) -> LimitReached:
        """What it says when its time is over."""
        return LimitReached(f"time limit of {self._limit:g} s reached")
