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


PLAIN_EVERY = 30.0
"""Seconds between two lines where output is not a terminal."""
LIVE_EVERY = 0.1
CHOICES = ("auto", "plain", "none")


class _Line:
    """A line on standard error: drawn again and again on a terminal, else printed now and then."""

    def __init__(self, choice: str) -> None:
        self.is_live = choice == "auto" and sys.stderr.isatty()
        self._every = LIVE_EVERY if self.is_live else PLAIN_EVERY
        if choice == "none":
            self._every = float("inf")
        self.started = self._last = time.monotonic()
        self._live: Live | None = None

    def is_due(self) -> bool:
        """Whether it is time for another one, which must be written then."""
        now = time.monotonic()
        due = now - self._last >= self._every
        if due:
            self._last = now
        return due

    def write(self, text: str) -> None:
        if not self.is_live:
            print(f"mpisog: {text}", file=sys.stderr, flush=True)
            return
        if self._live is None:
            self._live = _open_line()
        # Spot holds the GIL while it works: no refreshing thread would get its turn.
        self._live.update(text, refresh=True)

    def clear(self) -> None:
        """Take a live line away, before something is printed."""
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


def _figures(counts: Counts, seconds: float) -> list[str]:
    """``120 markings (forward)``, ``700 firings``, ``12 markings/s``."""
    figures = [f"{count:,} {unit}" for unit, count in counts]
    if counts and seconds:
        unit, count = counts[0]
        figures.append(f"{count / seconds:,.0f} {unit.partition(' (')[0]}/s")
    return figures


class Progress(_Line):
    """How one piece of work stands; nothing until it has gone on for a moment."""

    DELAY = 0.5
    """Seconds."""

    def __init__(self, choice: str, label: str) -> None:
        super().__init__(choice)
        self._label = label

    def show(self, counts: Counts) -> None:
        """Called some ten times a second, or more often."""
        elapsed = time.monotonic() - self.started
        if elapsed < self.DELAY or not self.is_due():
            return
        parts = [*_figures(counts, elapsed), format_bytes(resident_bytes()), f"{elapsed:.0f} s"]
        self.write(f"{self._label}: " + ", ".join(parts))


@contextmanager
def progress_line(choice: str, label: str) -> Iterator[Progress]:
    """What ``--progress`` says, about the work that ``label`` names."""
    progress = Progress(choice, label)
    try:
        yield progress
    finally:
        progress.clear()


class CheckProgress(_Line):
    """How a run of checks stands: how many are decided, who does what, the time that is left."""

    def show(self, status: Status) -> None:
        """Called some ten times a second, or more often."""
        if self.is_due():
            elapsed = time.monotonic() - self.started
            self.write(status_text(status, elapsed, separator="\n" if self.is_live else "; "))


def status_text(status: Status, elapsed: float, separator: str) -> str:
    """``3 of 16 decided, 12 s, 48 s left``, and what each worker does."""
    head = [f"{status.decided} of {status.properties} decided", f"{elapsed:.0f} s"]
    if status.left is not None:
        head.append(f"{status.left:.0f} s left")
    parts = [", ".join(head)]
    for worker, about, counts in status.doing:
        who = f"worker {worker}: " if worker else ""
        parts.append(who + ", ".join([about, *_figures(counts, elapsed)]))
    if any(not worker for worker, _, _ in status.doing):
        parts[0] += f", {format_bytes(resident_bytes())}"
    return separator.join(parts)


@contextmanager
def progress_of(choice: str = "auto") -> Iterator[CheckProgress]:
    """What ``--progress`` says; ``auto`` looks whether standard error is a terminal."""
    progress = CheckProgress(choice)
    try:
        yield progress
    finally:
        progress.clear()
