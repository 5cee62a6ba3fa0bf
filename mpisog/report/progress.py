"""A live line on a terminal: what is being worked on, markings, rate, memory."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from mpisog.budget import Counts, resident_bytes
from mpisog.sizes import format_bytes

if TYPE_CHECKING:
    from rich.live import Live


class Progress:
    """Shows nothing until work has gone on for a moment; ``label`` says what it is about."""

    PATIENCE = 0.5

    def __init__(self) -> None:
        self._live: Live | None = None
        self._started = time.monotonic()
        self.label = ""

    def start(self, label: str) -> None:
        """A new piece of work begins."""
        self.label = label
        self._started = time.monotonic()

    def show(self, counts: Counts) -> None:
        """Draw the line; called about ten times a second."""
        elapsed = time.monotonic() - self._started
        if elapsed < self.PATIENCE:
            return
        parts = [f"{count:,} {unit}" for unit, count in counts]
        if counts:
            parts.append(f"{counts[0][1] / elapsed:,.0f} {counts[0][0]}/s")
        parts += [format_bytes(resident_bytes()), f"{elapsed:.0f} s"]
        text = f"{self.label}: " + ", ".join(parts)
        if self._live is None:
            self._live = _open_line()
        # Spot holds the GIL while it works: no refreshing thread would get its turn.
        self._live.update(text, refresh=True)

    def clear(self) -> None:
        """Take the line away, before something is printed."""
        if self._live is not None:
            self._live.stop()
            self._live = None


def _open_line() -> Live:
    from rich.console import Console
    from rich.live import Live

    console = Console(stderr=True, highlight=False, markup=False)
    live = Live(console=console, auto_refresh=False, transient=True)
    live.start()
    return live


@contextmanager
def progress_line(wanted: bool = True) -> Iterator[Progress | None]:
    """A progress line when standard error is a terminal, else nothing."""
    if not (wanted and sys.stderr.isatty()):
        yield None
        return
    progress = Progress()
    try:
        yield progress
    finally:
        progress.clear()
