"""One run, measured from outside: wall and CPU time, peak memory, output, a real end."""

from __future__ import annotations

import os
import select
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from mpisog.bench.processes import Family
from mpisog.errors import UsageError

_SHORTEST, _LONGEST = 0.01, 0.2
"""Seconds between two looks: runs may take milliseconds or hours."""
_COURTESY = 3.0
"""Seconds between asking a run to end and ending it."""
_KEPT = 1_000_000
"""Bytes of each output stream that are read."""


@dataclass(frozen=True)
class Bounds:
    """What ends a run from outside: seconds, and bytes of all its processes."""

    seconds: float
    bytes: int | None = None


@dataclass(frozen=True)
class Measured:
    """What a run has used, what it has printed, and how it ended."""

    wall: float
    cpu: float
    """Seconds of all processes: the kernel's account, or what was last seen of those nobody waited
    for, whichever is more."""
    peak_bytes: int
    processes: int
    """The most at one time."""
    code: int
    ended: str | None
    """Why it was ended from outside: ``time``, ``memory`` or ``stopped``; else nothing."""
    stdout: str
    stderr: str


def in_turn(earlier: Measured, last: Measured) -> Measured:
    """Processes of one run, one after the other; it ended as the last did."""
    return replace(
        last,
        wall=earlier.wall + last.wall,
        cpu=earlier.cpu + last.cpu,
        peak_bytes=max(earlier.peak_bytes, last.peak_bytes),
        processes=max(earlier.processes, last.processes),
    )


class Stop:
    """Set by a signal: running processes are ended, nothing new begins."""

    def __init__(self) -> None:
        self._event = threading.Event()

    def set(self) -> None:
        """Ask everything to end."""
        self._event.set()

    def __bool__(self) -> bool:
        return self._event.is_set()


def measure(
    command: Sequence[str],
    bounds: Bounds,
    folder: Path,
    environment: Mapping[str, str] | None = None,
    stop: Stop | None = None,
) -> Measured:
    """Run a command in a folder; its output goes to files there, so that no pipe fills up."""
    run = _Run(command, folder, os.environ if environment is None else environment)
    ended = run.watch(bounds, Stop() if stop is None else stop)
    return run.measured(ended)


class _Run:
    """A process with its family, from start to end."""

    def __init__(
        self, command: Sequence[str], folder: Path, environment: Mapping[str, str]
    ) -> None:
        self._outputs = folder / "stdout.txt", folder / "stderr.txt"
        self._started = time.monotonic()
        try:
            with self._outputs[0].open("wb") as out, self._outputs[1].open("wb") as err:
                self._process = subprocess.Popen(
                    [*_dying_with_us(), *command],
                    stdin=subprocess.DEVNULL, stdout=out, stderr=err,
                    cwd=folder, env=dict(environment), start_new_session=True,
                )  # fmt: skip
        except OSError as error:
            raise UsageError(f"cannot start {command[0]}: {error.strerror}") from None
        self._handle = os.pidfd_open(self._process.pid)
        self._family = Family(self._process.pid)
        self._cpu = 0.0
        self._wall = 0.0

    def watch(self, bounds: Bounds, stop: Stop) -> str | None:
        """Look until the process has ended, or until there is a reason to end it."""
        pause = _SHORTEST
        while not self._has_ended():
            self._family.look()
            if (reason := self._reason(bounds, stop)) is not None:
                self._end()
                return reason
            select.select([self._handle], [], [], pause)  # wakes at once when it ends
            pause = min(_LONGEST, pause * 1.2)
        return None

    def measured(self, ended: str | None) -> Measured:
        """The account, after whatever is left of the family was ended: it would disturb others."""
        self._kill()
        os.close(self._handle)
        family, (out, err) = self._family, map(_text, self._outputs)
        return Measured(
            self._wall, max(family.cpu, self._cpu), family.peak_bytes, family.most,
            self._process.returncode, ended, out, err,
        )  # fmt: skip

    def _reason(self, bounds: Bounds, stop: Stop) -> str | None:
        if stop:
            return "stopped"
        if time.monotonic() - self._started > bounds.seconds:
            return "time"
        over = bounds.bytes is not None and self._family.bytes > bounds.bytes
        return "memory" if over else None

    def _end(self) -> None:
        """First ask, then end."""
        self._family.end(signal.SIGTERM)
        deadline = time.monotonic() + _COURTESY
        while not self._has_ended() and time.monotonic() < deadline:
            self._family.look()
            time.sleep(_SHORTEST)
        self._kill()

    def _kill(self) -> None:
        """All members, until there is none."""
        while self._family.end(signal.SIGKILL) or not self._has_ended():
            time.sleep(_SHORTEST)

    def _has_ended(self) -> bool:
        """As ``poll`` says, and keeps what the kernel says about CPU time."""
        if self._process.returncode is None:
            pid, status, usage = os.wait4(self._process.pid, os.WNOHANG)
            if pid:
                self._wall = time.monotonic() - self._started
                self._process.returncode = os.waitstatus_to_exitcode(status)
                self._cpu = usage.ru_utime + usage.ru_stime
        return self._process.returncode is not None


def _dying_with_us() -> list[str]:
    """So that runs end when the benchmark itself is killed; util-linux has the program."""
    setpriv = shutil.which("setpriv")
    return [] if setpriv is None else [setpriv, "--pdeathsig", "KILL", "--"]


def _text(path: Path) -> str:
    with path.open("rb") as stream:
        return stream.read(_KEPT).decode(errors="replace")
