"""Ctrl-C and a batch system's signals while results are made: stop the work, keep what is known."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mpisog.budget import Budget

BATCH_SIGNALS = (signal.SIGTERM, signal.SIGUSR1)
"""The end of a job, and the warning that the shipped batch scripts ask for ahead of it."""
_SIGNALS = (signal.SIGINT, *BATCH_SIGNALS)


@contextmanager
def stopped_by_signals(budget: Budget) -> Iterator[None]:
    """The first signal stops the budget, wherever the program is; a second one ends the program.

    An exception would lose results when it comes between two of them.
    """

    def stop(_number: int, _frame: FrameType | None) -> None:
        budget.interrupt()
        _restore()

    def _restore() -> None:
        for number, handler in before.items():
            signal.signal(number, handler)

    before = {number: signal.signal(number, stop) for number in _SIGNALS}
    try:
        yield
    finally:
        _restore()
