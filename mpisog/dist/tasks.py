"""Work that threads do outside the lock, in the order in which it is wanted."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any


class Task:
    """Something to compute, and what to do with the result, under the lock again.

    ``give`` does it by another rank instead, where that is possible.
    """

    __slots__ = ("begun", "compute", "done", "give", "kind", "urgent")

    def __init__(
        self,
        kind: str,
        compute: Callable[[], Any],
        done: Callable[[Any], None],
        give: Callable[[int], None] | None = None,
    ) -> None:
        self.kind = kind
        self.give = give
        self.compute = compute
        self.done = done
        self.begun = False
        self.urgent = False


class Tasks:
    """What the checker waits for comes first, then what has come last.

    Depth first, as in a search by one thread: sets that follow each other have much in common, and
    what the kernel remembers of one helps with the next.
    """

    def __init__(self) -> None:
        self._urgent: deque[Task] = deque()
        self._calm: deque[Task] = deque()
        self.waiting = 0

    def put(self, task: Task, urgent: bool) -> None:
        """Add a task."""
        self.waiting += 1
        task.urgent = urgent
        (self._urgent if urgent else self._calm).append(task)

    def hurry(self, task: Task) -> None:
        """Somebody waits for a task that was put before."""
        if not task.begun and not task.urgent:
            task.urgent = True
            self._urgent.append(task)  # where it was it will be found begun

    def cancel(self, task: Task) -> None:
        """Nobody needs it any more."""
        if not task.begun:
            task.begun = True
            self.waiting -= 1

    def take(self) -> Task | None:
        """The next one, or nothing."""
        for queue in (self._urgent, self._calm):
            while queue:
                task = queue.pop()
                if not task.begun:
                    task.begun = True
                    self.waiting -= 1
                    return task
        return None

    def give_oldest(self, rank: int) -> bool:
        """Give one away that another rank can do; false when there is none.

        What was found long ago is far from the work here.
        """
        for task in self._calm:
            if task.give is not None and not task.begun and not task.urgent:
                self.cancel(task)
                task.give(rank)
                return True
        return False

    def clear(self) -> None:
        """Forget what has not begun."""
        self._urgent.clear()
        self._calm.clear()
        self.waiting = 0
