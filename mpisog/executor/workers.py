"""Workers as who hands out units sees them; the one that is this process."""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from mpisog.budget import Budget, Counts, Interrupted, ShowProgress
from mpisog.engines.base import Finding
from mpisog.engines.batch import Batch
from mpisog.engines.unit import Undecided
from mpisog.errors import InputError, LimitReached
from mpisog.executor.dispatcher import Dispatcher
from mpisog.executor.property_state import Unit
from mpisog.executor.worker import Worker
from mpisog.verdict import Result


@dataclass(frozen=True)
class Outcome:
    """What became of a unit."""

    unit: Unit
    worker: int
    seconds: float
    found: Finding | Undecided | LimitReached | None = None
    """Of a stage."""
    polished: Result | None = None
    error: Exception | None = None
    """A bug of ours."""
    traceback: str = ""
    died: str | None = None
    """How the worker died."""
    forced: bool = False
    """It was ended because it did not keep to its limits: the unit is not to be run again."""
    building: bool = False
    """The worker was a builder for the one that has the unit."""
    deserted: str | None = None
    """How a builder of it died; the worker lives, and the unit is to be run again."""


class Workers(Protocol):
    """Those who run units. ``give`` to one that is idle; ``outcomes`` tells what became of it."""

    def idle(self) -> Sequence[int]:
        """Who has nothing to do."""

    def give(self, worker: int, unit: Unit, dispatcher: Dispatcher) -> None:
        """A unit for one of these."""

    def cancel(self, number: int) -> None:
        """The unit is not needed any more; it has an outcome all the same."""

    def outcomes(self, wait: float) -> list[Outcome]:
        """Of units that have ended; waits so many seconds when there are none."""

    def doing(self) -> Sequence[tuple[int, Unit, Counts]]:
        """Who does what, and what it counts."""


class LocalWorker:
    """The worker that is this process: a unit is done when it is given."""

    def __init__(
        self, batch: Batch, memory: int | None, begin: Callable[[Unit], ShowProgress], total: Budget
    ) -> None:
        self._worker = Worker(batch)
        self._memory = memory
        self._begin = begin
        """Called with each unit; gives who shows its progress."""
        self._total = total
        self._outcomes: list[Outcome] = []

    def idle(self) -> Sequence[int]:
        """Between units, always."""
        return [] if self._outcomes else [0]

    def give(self, worker: int, unit: Unit, dispatcher: Dispatcher) -> None:
        """Do it now."""
        started = time.monotonic()
        show = self._begin(unit)
        # Without the total's time: when that is over, it is the reason.
        seconds = dispatcher.property_left(unit)
        budget = Budget(seconds, self._memory, show, within=self._total)
        found: Finding | Undecided | LimitReached | None = None
        polished, error, text = None, None, ""
        try:
            if unit.stage is None:
                spent, verdict = dispatcher.spent(unit), dispatcher.verdict(unit)
                polished = self._worker.polish(verdict, spent, budget)
            else:
                assert unit.task is not None
                sharing = dispatcher.sharing(unit)
                found = self._worker.run(unit.task, unit.stage, sharing, budget)
        except KeyboardInterrupt:
            self._total.interrupt()
            found = Interrupted()
        except InputError:
            raise
        except Exception as failure:
            self._worker.forget()
            error, text = failure, traceback.format_exc()
        seconds = time.monotonic() - started
        self._outcomes.append(Outcome(unit, worker, seconds, found, polished, error, text))

    def cancel(self, number: int) -> None:
        """Nothing runs that could be asked for that."""

    def outcomes(self, wait: float) -> list[Outcome]:
        """Of the unit that was given."""
        taken, self._outcomes = self._outcomes, []
        return taken

    def doing(self) -> Sequence[tuple[int, Unit, Counts]]:
        """Nothing, at any time."""
        return ()
