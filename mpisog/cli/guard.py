"""A parent for each rank that outlives it: a rank that is killed still ends the job properly.

The launcher would end the job with an exit code of its own. The guard says which rank was killed,
and by what, and ends with ours, upon which the launcher ends all other ranks.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from types import FrameType

from mpisog.launcher import Launch
from mpisog.machine import die_with_parent
from mpisog.verdict import ExitCode

_FORWARDED = (signal.SIGINT, signal.SIGTERM, signal.SIGUSR1, signal.SIGUSR2)


def guarded(launch: Launch, work: Callable[[], int]) -> int:
    """The exit code of work that is done in a child process. Call it before threads are started."""
    child = os.fork()
    if child == 0:
        # In a group of its own: the launcher signals groups, and the guard passes signals on.
        os.setpgid(0, 0)
        die_with_parent()
        return work()
    forwarded = _forward_signals(child)
    _, status = os.waitpid(child, 0)
    if not os.WIFSIGNALED(status):
        return os.waitstatus_to_exitcode(status)
    if os.WTERMSIG(status) in forwarded:  # before it could take care of signals itself
        return int(ExitCode.UNKNOWN)
    name = signal.Signals(os.WTERMSIG(status)).name
    hint = ": out of memory?" if name == "SIGKILL" else ""
    where = f"rank {launch.rank} on {launch.host}"
    print(f"mpisog: {where} was killed by {name}{hint}", file=sys.stderr, flush=True)
    return int(ExitCode.INTERNAL)


def _forward_signals(child: int) -> set[int]:
    """Pass signals on from now; the set of those that were."""
    forwarded: set[int] = set()

    def forward(number: int, _frame: FrameType | None) -> None:
        forwarded.add(number)
        with suppress(ProcessLookupError):  # it has just ended
            os.kill(child, number)

    for number in _FORWARDED:
        signal.signal(number, forward)
    return forwarded
