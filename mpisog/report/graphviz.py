"""Pictures drawn by Graphviz."""

from __future__ import annotations

import shutil
import subprocess

from mpisog.errors import UsageError

DRAWING_SECONDS = 60


def quoted(text: str) -> str:
    """A string of dot or HOA; a line break, which only dot is given, becomes two characters."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def require_graphviz() -> str:
    """The program that draws, or a ``UsageError`` that says where to get it."""
    program = shutil.which("dot")
    if program is None:
        raise UsageError(
            "pictures need Graphviz, whose program 'dot' is not on the PATH",
            hint="Debian: apt-get install graphviz; or write --dot FILE",
        )
    return program


def drawn(dot: str, what: str) -> str:
    """The SVG text; a ``UsageError`` when Graphviz is not there or cannot do it."""
    done = subprocess.run(
        [require_graphviz(), "-Tsvg"],
        input=dot,
        capture_output=True,
        text=True,
        timeout=DRAWING_SECONDS,
        check=False,
    )
    if done.returncode != 0:
        raise UsageError(f"Graphviz cannot draw the {what}: {done.stderr.strip()}")
    return done.stdout
