"""Whether someone is looking."""

from __future__ import annotations

import os
import sys

from mpisog import launcher


def wants_colour() -> bool:
    """A terminal, and not the one that ``mpirun`` puts in between: its output may go to a file."""
    return sys.stdout.isatty() and not launcher.current().parallel and "NO_COLOR" not in os.environ
