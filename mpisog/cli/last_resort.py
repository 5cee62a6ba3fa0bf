"""The last resort: a native thread that ends the process when a limit or a signal was ignored.

Whatever takes long asks its budget, so nothing should ever get here. When a loop does not ask, the
thread says what is known after ``GRACE`` seconds and ends the process, even if the interpreter's
lock is held. What it is to say has to be prepared beforehand.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Mapping
from dataclasses import dataclass, field

from mpisog import _native
from mpisog.verdict import ExitCode

GRACE = 2.0
"""Seconds that work may go on after a limit or a signal."""

NOTICE = (
    f"mpisog: ended by force: a limit or a signal had passed by {GRACE:g} s "
    "and the work had not stopped\n"
)
REASON = f"ended by force, {GRACE:g} s after a limit or a signal"

_STDOUT, _STDERR = 1, 2
_watchdog: _native.Watchdog | None = None


@dataclass(frozen=True)
class LastWords:
    """What to say in place of the command."""

    text: str = ""
    """For standard output; what was printed before stays."""
    files: Mapping[str, str] = field(default_factory=dict)
    """Contents by path; ``-`` is standard output."""
    code: ExitCode = ExitCode.UNKNOWN


def start() -> None:
    """Begin to budget over this process; its main thread must call, after the last fork."""
    global _watchdog
    read, write = os.pipe()
    for end in (read, write):
        os.set_blocking(end, False)
    # The interpreter's own handler writes a byte there at once, whatever the main thread does.
    signal.set_wakeup_fd(write, warn_on_full_buffer=False)
    _watchdog = _native.Watchdog(GRACE, read)
    expect(None)


def expect(
    seconds: float | None, memory: int | None = None, words: LastWords | None = None
) -> None:
    """The work from now on ends by itself within these limits; later calls replace earlier ones."""
    if _watchdog is None:
        return
    words = words or LastWords()
    outputs = [(_STDERR, "", NOTICE.encode()), (_STDOUT, "", words.text.encode())]
    for path, content in words.files.items():
        outputs.append((_STDOUT, "" if path == "-" else path, content.encode()))
    _watchdog.expect(seconds, memory or 0, outputs, int(words.code))
