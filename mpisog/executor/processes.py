"""Worker processes of this machine: forked, so that all they need is there at once.

A worker that dies is replaced by a new one. All die with this process.
"""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress
from pathlib import Path

from mpisog.budget import limit_memory
from mpisog.engines.batch import Batch
from mpisog.executor.worker import RemoteWorker
from mpisog.machine import die_with_parent
from mpisog.transport.sockets import Hub, Spoke

_PAGE = os.sysconf("SC_PAGE_SIZE")
_IGNORED = (signal.SIGINT, signal.SIGTERM, signal.SIGUSR1)
"""What signals mean is up to who hands out units."""


class WorkerProcesses:
    """Processes 1 to ``size - 1`` of a hub, each with its share of the memory."""

    def __init__(self, batch: Batch, hub: Hub, memory: int | None) -> None:
        self._batch = batch
        self._hub = hub
        self._memory = memory
        self._pids: dict[int, int] = {}
        for worker in range(1, hub.size):
            self._start(worker)

    def lost(self) -> list[tuple[int, str]]:
        """Those that have died, and how; new ones take their place."""
        found = [(worker, self._buried(worker)) for worker in self._hub.lost()]
        for worker, _ in found:
            self._start(worker)
        return found

    def kill(self, worker: int) -> None:
        """End it now."""
        with suppress(ProcessLookupError):
            os.kill(self._pids[worker], signal.SIGKILL)

    def over_memory(self, worker: int) -> bool:
        """Whether it has more than its share."""
        return self._memory is not None and _resident(self._pids[worker]) > self._memory

    def close(self) -> None:
        """End all of them."""
        for worker in [*self._pids]:
            self.kill(worker)
            self._buried(worker)

    def _buried(self, worker: int) -> str:
        """How it died."""
        # Its socket is closed first as it dies; one that lives on without it is of no use.
        _, status = os.waitpid(self._pids.pop(worker), 0)
        if os.WIFSIGNALED(status):
            return f"killed by {signal.Signals(os.WTERMSIG(status)).name}"
        return f"ended with code {os.waitstatus_to_exitcode(status)}"

    def _start(self, worker: int) -> None:
        theirs = self._hub.connect(worker)
        sys.stdout.flush()
        sys.stderr.flush()
        pid = os.fork()
        if pid:
            theirs.close()
            self._pids[worker] = pid
            return
        code = 1
        try:  # pragma: no cover - runs in the child
            self._hub.close()
            code = self._work(Spoke(worker, self._hub.size, theirs))
        finally:
            os._exit(code)

    def _work(self, transport: Spoke) -> int:  # pragma: no cover - runs in the child
        die_with_parent()
        signal.set_wakeup_fd(-1)
        for number in _IGNORED:
            signal.signal(number, signal.SIG_IGN)
        limit_memory(self._memory)
        try:
            return RemoteWorker(transport, self._memory, self._batch).serve()
        except EOFError:  # who hands out units has gone
            return 0


def _resident(pid: int) -> int:
    with suppress(OSError, IndexError, ValueError):  # it has just ended
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * _PAGE
    return 0
