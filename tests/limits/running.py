"""Runs of the program that are watched from outside: time, memory, what is left behind."""

from __future__ import annotations

import os
import re
import subprocess
import threading
import time
from dataclasses import dataclass
from pathlib import Path

from tests.helpers import PATIENCE, command, environment


@dataclass(frozen=True)
class Run:
    code: int
    seconds: float
    megabytes: int
    out: str
    err: str

    @property
    def forced(self) -> bool:
        return "ended by force" in self.err


def watched(*arguments: str, program: list[str] | None = None) -> Run:
    """Run to the end; the memory is the most that the process had at one time."""
    started = time.monotonic()
    with subprocess.Popen(
        [*program, *arguments] if program else command(*arguments),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(),
    ) as process:
        peak = [0]
        looking = threading.Thread(target=_look, args=(process, peak))
        looking.start()
        try:
            out, err = process.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            raise
        looking.join()
    return Run(process.returncode, time.monotonic() - started, peak[0], out, err)


def verdicts(out: str) -> list[str]:
    """``formula-1 TRUE`` and so on, of each result that was printed."""
    found = re.finditer(r"^(TRUE|FALSE|UNKNOWN) +(\S+): ", out, re.MULTILINE)
    return [f"{match[2]} {match[1]}" for match in found]


def _look(process: subprocess.Popen[str], peak: list[int]) -> None:
    while process.poll() is None:
        peak[0] = max(peak[0], peak_megabytes(process.pid))
        time.sleep(0.01)


def peak_megabytes(pid: int) -> int:
    try:
        status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    except OSError:
        return 0
    lines = [line for line in status.splitlines() if line.startswith("VmHWM")]
    return int(lines[0].split()[1]) // 1024 if lines else 0


def processes_with(mark: str) -> list[int]:
    """Those whose environment has the mark: what a run has left behind."""
    found = []
    for folder in Path("/proc").iterdir():
        try:
            if mark.encode() in (folder / "environ").read_bytes() and folder.name != str(
                os.getpid()
            ):
                found.append(int(folder.name))
        except (OSError, ValueError):
            continue
    return found
