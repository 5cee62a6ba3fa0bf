"""Commands on pages: ``$`` lines of console blocks, each with the output that the page shows."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.helpers import environment

BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
TIME = re.compile(r"\d+\.\d+ s(?= |$|\))", re.MULTILINE)
NOT_HERE = ("launch/", "mpirun", "srun", "sbatch", "pip ", "mpisog submit", "mpisog doctor")
"""They install, or need MPI or a batch system; other tests run them."""
SOME_NET = "net.pnml"
"""Stands for a net of the reader's."""


def can_run(command: str) -> bool:
    """Whether a command can be tried here."""
    return not command.startswith(NOT_HERE) and SOME_NET not in command


@dataclass(frozen=True)
class Example:
    """A command and what the page shows of its output; nothing: it is not shown."""

    command: str
    shown: str


def examples(page: Path) -> list[Example]:
    """All commands of a page, in order."""
    found: list[Example] = []
    for block in BLOCK.findall(page.read_text(encoding="utf-8")):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, shown = part.partition("\n")
            found.append(Example(command, shown))
    return found


def run(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """The command in a shell, with this installation's programs first."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        ["bash", "-c", command], cwd=folder, env=environment(PATH=path), text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120, check=False,
    )  # fmt: skip


def untimed(text: str) -> list[str]:
    """Lines without what differs from run to run: seconds, and spaces that align them."""
    return [re.sub(r"  +", "  ", line).rstrip() for line in TIME.sub("S", text).splitlines()]


def refreshed(page: Path, folder: Path) -> Iterator[str]:
    """The page's lines with the output of its commands as it is now."""
    inside = False
    for line in page.read_text(encoding="utf-8").splitlines():
        if line.startswith("```"):
            inside = line == "```console"
        if not inside or line.startswith("```"):
            yield line
        elif line.startswith("$ "):
            yield line
            if can_run(line[2:]):
                yield from run(line[2:], folder).stdout.splitlines()


def main() -> None:
    """``python -m tests.docs.consoles PAGE...`` writes pages anew; look at the difference."""
    import tempfile

    for name in sys.argv[1:]:
        with tempfile.TemporaryDirectory() as folder:
            lines = list(refreshed(Path(name), Path(folder)))
        Path(name).write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
