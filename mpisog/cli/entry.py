"""The console script, and how the process ends."""

from __future__ import annotations

# The built-in half of `signal`: loading the other one takes long enough for a Ctrl-C to come.
import _signal  # type: ignore[import-not-found]  # typeshed has only signal
import os
import sys
from contextlib import suppress

TYPE_CHECKING = False  # not typing's, which takes long to load
if TYPE_CHECKING:
    from types import FrameType
    from typing import NoReturn

INTERRUPTED = 2
"""``ExitCode.UNKNOWN``, which is not loaded yet."""


def run() -> NoReturn:
    """Load the program and run it."""
    for number in (_signal.SIGINT, _signal.SIGTERM, _signal.SIGUSR1):
        _signal.signal(number, _end_by_signal)
    _open_closed_streams()
    from mpisog.cli.main import run as run_command

    run_command()


def _open_closed_streams() -> None:
    """Stand in for what the caller has closed, as with ``>&-``.

    Else the next file to be opened would get the number, and what is printed would go into it.
    """
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            nowhere = os.open(os.devnull, os.O_RDWR)
            if nowhere != number:
                os.dup2(nowhere, number)
                os.close(nowhere)
            setattr(sys, name, open(number, "w" if number else "r"))  # noqa: SIM115 - until the end


def _end_by_signal(_number: int, _frame: FrameType | None) -> NoReturn:
    """Where nothing is known yet that could be said.

    Not by an exception: libraries that are being loaded do not expect one, and some abort.
    """
    with suppress(OSError):
        os.write(2, b"mpisog: interrupted\n")
    end_at_once(INTERRUPTED)


def end_at_once(code: int) -> NoReturn:
    """End the process when all is said: freeing gigabytes object by object takes seconds."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError, RuntimeError):  # the reader has gone, or it is in use
            stream.flush()
    os._exit(code)
