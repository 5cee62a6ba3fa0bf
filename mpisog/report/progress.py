"""Progress for people: a live line on a terminal, a plain line now and then elsewhere."""

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

    from mpisog.executor.checks import Status


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


CHOICES = ("auto", "plain", "none")
PLAIN_EVERY = 30.0
"""Seconds between two lines where nobody looks at a terminal."""


@contextmanager
def progress_line(choice: str = "auto") -> Iterator[Progress | None]:
    """A progress line when standard error is a terminal, else nothing."""
    if choice != "auto" or not sys.stderr.isatty():
        yield None
        return
    progress = Progress()
    try:
        yield progress
    finally:
        progress.clear()


class CheckProgress:
    """How a run of checks stands: how many are decided, who does what, the time that is left."""

    def __init__(self, live: bool, every: float) -> None:
        self._is_live = live
        self._every = every
        self._started = self._last = time.monotonic()
        self._live: Live | None = None

    def show(self, status: Status) -> None:
        """Called some ten times a second, or more often."""
        now = time.monotonic()
        if now - self._last < self._every:
            return
        self._last = now
        text = status_text(status, now - self._started, separator="\n" if self._is_live else "; ")
        if not self._is_live:
            print(f"mpisog: {text}", file=sys.stderr, flush=True)
            return
        if self._live is None:
            self._live = _open_line()
        self._live.update(text, refresh=True)

    def clear(self) -> None:
        """Take a live line away, before something is printed."""
        if self._live is not None:
            self._live.stop()
            self._live = None


def status_text(status: Status, elapsed: float, separator: str) -> str:
    """``3 of 16 decided, 12 s, 48 s left``, and what each worker does."""
    head = [f"{status.decided} of {status.properties} decided", f"{elapsed:.0f} s"]
    if status.left is not None:
        head.append(f"{status.left:.0f} s left")
    parts = [", ".join(head)]
    for worker, about, counts in status.doing:
        who = f"worker {worker}: " if worker else ""
        figures = "".join(f", {count:,} {unit}" for unit, count in counts)
        rate = f", {counts[0][1] / elapsed:,.0f} {counts[0][0]}/s" if counts and elapsed else ""
        parts.append(f"{who}{about}{figures}{rate}")
    if any(not worker for worker, _, _ in status.doing):
        parts[0] += f", {format_bytes(resident_bytes())}"
    return separator.join(parts)


@contextmanager
def progress_of(choice: str = "auto") -> Iterator[CheckProgress]:
    """What ``--progress`` says; ``auto`` looks whether standard error is a terminal."""
    live = choice == "auto" and sys.stderr.isatty()
    every = 0.1 if live else PLAIN_EVERY
    progress = CheckProgress(live, float("inf") if choice == "none" else every)
    try:
        yield progress
    finally:
        progress.clear()
