"""Whether someone is looking, and whether colours are welcome."""

from __future__ import annotations

import os
import sys

from mpisog import launcher

COLOUR_CHOICES = ("auto", "always", "never")


def wants_colour(choice: str = "auto") -> bool:
    """What ``--color`` says, else ``NO_COLOR``, ``FORCE_COLOR``, else whether it is a terminal.

    Not the terminal that ``mpirun`` puts in between: its output may go to a file.
    """
    if choice != "auto":
        return choice == "always"
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return sys.stdout.isatty() and not launcher.current().parallel
