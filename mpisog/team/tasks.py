"""Work that threads do outside the lock, in the order in which it is wanted."""

from __future__ import annotations

from bisect import insort
from collections import deque
from collections.abc import Callable
from typing import Any

Position = tuple[int, ...]

STEAL_FRACTION = 16
"""A thief gets one in so many of the tasks that wait."""


class Task:
    """Something to compute, and what to do with the result, under the lock again.

    ``give`` has another rank do it instead, where that is possible; ``position`` tells then where
    it is in the row of all that can be given.
    """

    __slots__ = ("begun", "compute", "done", "give", "kind", "position", "urgent")

    def __init__(
        self,
        kind: str,
        compute: Callable[[], Any],
        done: Callable[[Any], None],
        give: Callable[[int], None] | None = None,
        position: Position = (),
    ) -> None:
        self.kind = kind
        self.give = give
        self.position = position
        self.compute = compute
        self.done = done
        self.begun = False
        self.urgent = False


class Tasks:
    """What the checker waits for comes first, then what has come last.

    Depth first, as in a search by one thread: sets that follow each other have much in common, and
    what the kernel remembers of one helps with the next. Ranks do not share what their kernels
    remember, so they keep away from each other: what can be given is in a row, with neighbours that
    have much in common, and each rank takes from its own part of the row, ``quantile``: the first
    one from the beginning, the last one from the end.
    """

    def __init__(self, quantile: float | None = None) -> None:
        self._quantile = quantile
        self._urgent: deque[Task] = deque()
        self._calm: deque[Task] = deque()
        self._row: list[Task] = []
        self.waiting = 0

    def put(self, task: Task, urgent: bool) -> None:
        """Add a task."""
        self.waiting += 1
        task.urgent = urgent
        if urgent:
            self._urgent.append(task)
        elif task.give is None or self._quantile is None:
            self._calm.append(task)
        else:
            insort(self._row, task, key=lambda task: task.position)

    def raise_priority(self, task: Task) -> None:
        """Somebody waits for a task that was put before."""
        if not task.begun and not task.urgent:
            task.urgent = True
            self._urgent.append(task)  # where it was it will be found begun

    def withdraw(self, task: Task) -> None:
        """It waits no longer: it is being done, or is not needed any more."""
        if not task.begun:
            task.begun = True
            self.waiting -= 1

    def take(self) -> Task | None:
        """The next one, or nothing."""
        for queue in (self._urgent, self._calm):
            while queue:
                task = queue.pop()
                if not task.begun:
                    self.withdraw(task)
                    return task
        return None if self._quantile is None else self._from_row(self._quantile)

    def give(self, rank: int, quantile: float) -> bool:
        """Give some away, from that rank's part of the row; false when there is none."""
        taken = [self._from_row(quantile) for _ in range(1 + len(self._row) // STEAL_FRACTION)]
        tasks = [task for task in taken if task is not None]
        for task in tasks:
            assert task.give is not None
            task.give(rank)
        return bool(tasks)

    def _from_row(self, quantile: float) -> Task | None:
        while self._row:
            task = self._row.pop(round(quantile * (len(self._row) - 1)))
            if not task.begun and not task.urgent:
                self.withdraw(task)
                return task
        return None

    def clear(self) -> None:
        """Forget what has not begun."""
        self._urgent.clear()
        self._calm.clear()
        self._row.clear()
        self.waiting = 0
