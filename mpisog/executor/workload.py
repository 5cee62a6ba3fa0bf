"""What each worker did: seconds of work by stage, and the time in which it had none."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

LOCAL = 0
"""The worker that is this process itself."""


@dataclass
class WorkerLoad:
    """Of one worker."""

    worker: int
    host: str = ""
    units: int = 0
    busy: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))
    """Seconds by stage."""
    elapsed: float = 0.0
    """Seconds from the beginning until the last unit of the run was handed out, or longer: until
    this worker's last unit ended."""

    @property
    def seconds(self) -> float:
        """Of work."""
        return sum(self.busy.values())

    @property
    def busy_share(self) -> float:
        """Of the time in which there was something to hand out."""
        return min(1.0, self.seconds / self.elapsed) if self.elapsed else 0.0


class Workload:
    """Of all workers of a run; the clock is the caller's."""

    def __init__(self, started: float) -> None:
        self._started = started
        self._last_start = started
        self._loads: dict[int, WorkerLoad] = {}
        self._running: dict[int, tuple[str, float]] = {}

    def begin(self, worker: int, stage: str, now: float) -> None:
        """A worker gets a unit."""
        self._last_start = now
        self._load(worker).units += 1
        self._running[worker] = (stage, now)

    def end(self, worker: int, now: float, busy: float | None = None) -> None:
        """It has ended, or is given up; ``busy`` are the seconds of work, if not all were."""
        stage, since = self._running.pop(worker)
        self._load(worker).busy[stage] += now - since if busy is None else busy

    def stop(self, now: float) -> None:
        """The run is over: units that are not needed any more are not waited for."""
        for worker in [*self._running]:
            self.end(worker, now)

    def loads(self) -> list[WorkerLoad]:
        """Of each worker until the last unit was handed out: after that not all can be busy."""
        for load in self._loads.values():
            load.elapsed = max(load.seconds, self._last_start - self._started)
        return [self._loads[worker] for worker in sorted(self._loads)]

    def _load(self, worker: int) -> WorkerLoad:
        return self._loads.setdefault(worker, WorkerLoad(worker))
