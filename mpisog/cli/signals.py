"""Ctrl-C and a batch system's signals while results are made: stop the work, keep what is known."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mpisog.budget import Budget

BATCH_SIGNALS = (signal.SIGTERM, signal.SIGUSR1)
"""The end of a job, and the warning that the shipped batch scripts ask for ahead of it."""
_SIGNALS = (signal.SIGINT, *BATCH_SIGNALS)

ONE_WISH = 1.0
"""Seconds in which signals are one: a batch system sends its warning to the guard of a rank, which
hands it on, and to the rank."""


@contextmanager
def stopped_by_signals(budget: Budget) -> Iterator[None]:
    """The first signal stops the budget, wherever the program is; a later one ends the program.

    An exception would lose results when it comes between two of them.
    """
    first: float | None = None

    def stop(number: int, _frame: FrameType | None) -> None:
        nonlocal first
        if first is None:
            first = time.monotonic()
            budget.interrupt()
        elif time.monotonic() - first > ONE_WISH:
            _restore()
            signal.raise_signal(number)

    def _restore() -> None:
        for number, handler in before.items():
            signal.signal(number, handler)

    before = {number: signal.signal(number, stop) for number in _SIGNALS}
    try:
        yield
    finally:
        _restore()
