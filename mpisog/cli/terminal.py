"""Whether someone is looking, and whether colours are welcome."""

from __future__ import annotations

import os
import shutil
import sys

from mpisog import launcher
from mpisog.report.style import Style

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
    return _someone_looks()


def style(choice: str = "auto") -> Style:
    """How to write for whoever reads standard output; what goes to a file is not wrapped."""
    width = shutil.get_terminal_size().columns if _someone_looks() else None
    return Style(wants_colour(choice), width)


def _someone_looks() -> bool:
    return sys.stdout.isatty() and not launcher.current().parallel
