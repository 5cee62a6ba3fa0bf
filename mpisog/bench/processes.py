"""All processes of a run, as ``/proc`` shows them: who they are, their memory and CPU time.

A run is the leader of a session of its own. Members are the processes of that session, and all that
descend from one seen before (``mpirun`` gives its ranks groups of their own). Memory is what each
member has for itself plus the largest share of files: libraries are there once for all members.
"""

from __future__ import annotations

import os
import signal
from dataclasses import dataclass, field
from pathlib import Path

_TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Process:
    """One process at one moment."""

    pid: int
    parent: int
    session: int
    seconds: float
    """CPU time, without children."""
    born: int


@dataclass
class Family:
    """The members of a run, and the most they have used at one time."""

    leader: int
    bytes: int = 0
    peak_bytes: int = 0
    most: int = 0
    """Processes at one time."""
    _seconds: dict[tuple[int, int], float] = field(default_factory=dict)

    @property
    def cpu(self) -> float:
        """Seconds that were seen, of members that have ended too."""
        return sum(self._seconds.values())

    def look(self) -> None:
        """Take stock of all members."""
        members = self.members()
        for process in members:
            self._seconds[process.pid, process.born] = process.seconds
        own, files = 0, 0
        for process in members:
            private, mapped = _resident(process.pid)
            own, files = own + private, max(files, mapped)
        self.bytes = own + files
        self.peak_bytes = max(self.peak_bytes, self.bytes)
        self.most = max(self.most, len(members))

    def members(self) -> list[Process]:
        """Those that live now."""
        processes = _processes()
        found = {
            p.pid: p
            for p in processes
            if p.session == self.leader or (p.pid, p.born) in self._seconds
        }
        grown = True
        while grown:
            children = [p for p in processes if p.parent in found and p.pid not in found]
            found |= {p.pid: p for p in children}
            grown = bool(children)
        return list(found.values())

    def end(self, number: signal.Signals) -> int:
        """Send a signal to all members; how many there were."""
        members = self.members()
        for process in members:
            try:
                os.kill(process.pid, number)
            except ProcessLookupError:
                continue
        return len(members)


def _processes() -> list[Process]:
    """All processes of this machine that are not yet dead."""
    found = []
    for name in os.listdir("/proc"):
        if name.isdecimal():
            try:
                text = Path("/proc", name, "stat").read_text(errors="replace")
            except OSError:  # it has just ended
                continue
            process = parse_stat(text)
            if process is not None:
                found.append(process)
    return found


def parse_stat(text: str) -> Process | None:
    """A line of ``/proc/PID/stat``; nothing for a zombie. The name may hold blanks and brackets."""
    head, _, rest = text.rpartition(")")
    words = rest.split()
    if not words or words[0] in "ZX":
        return None
    return Process(
        int(head.partition(" ")[0]),
        int(words[1]),
        int(words[3]),
        (int(words[11]) + int(words[12])) / _TICKS,
        int(words[19]),
    )


def _resident(pid: int) -> tuple[int, int]:
    """Bytes of its own (shared segments count for each), and of mapped files."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text(errors="replace").splitlines()
    except OSError:
        return 0, 0
    sizes = {
        name: 1024 * int(rest.split()[0])
        for name, _, rest in (line.partition(":") for line in lines)
        if name in ("RssAnon", "RssShmem", "RssFile")
    }
    return sizes.get("RssAnon", 0) + sizes.get("RssShmem", 0), sizes.get("RssFile", 0)
