"""Results: JSON lines that only ever grow. What is written once is never lost and never run again.

``results.jsonl`` of a folder holds, line by line, sessions (who ran what, where), selections (which
random formulas were taken), runs, and disagreements. Parts of a suite that run as other jobs write
files of their own beside it; readers take all of them.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mpisog.errors import UsageError

Record = dict[str, Any]
SCHEMA = 1


def results_file(folder: Path, part: str | None = None) -> Path:
    """The file that a session writes to."""
    return folder / ("results.jsonl" if part is None else f"results-{part}.jsonl")


@dataclass
class Results:
    """Everything that is known in a folder."""

    sessions: list[Record] = field(default_factory=list)
    selections: dict[str, Record] = field(default_factory=dict)
    """By net."""
    runs: dict[str, Record] = field(default_factory=dict)
    """By key."""
    disagreements: list[Record] = field(default_factory=list)

    def add(self, record: Record) -> None:
        """One line."""
        match record["type"]:
            case "session":
                self.sessions.append(record)
            case "selection":
                self.selections[record["net"]] = record
            case "run":
                self.runs.setdefault(record["key"], record)
            case "disagreement":
                self.disagreements.append(record)

    @property
    def disagreement_texts(self) -> list[str]:
        """One line each, without repetitions."""
        return list(dict.fromkeys(record["text"] for record in self.disagreements))


def read_results(folder: Path) -> Results:
    """All result files of a folder."""
    results = Results()
    for path in sorted(folder.glob("results*.jsonl")):
        for record in _records(path):
            results.add(record)
    return results


def _records(path: Path) -> Iterator[Record]:
    lines = path.read_bytes().split(b"\n")
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
            known = record["type"]
        except (ValueError, KeyError, TypeError):
            if number == len(lines):  # a session was killed while it wrote: no run has finished
                continue
            raise UsageError("this line is no result", path=path, line=number) from None
        if known:
            yield record


class ResultsWriter:
    """Appends lines to a file of its own; each is on the disk when ``add`` returns."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._number = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
        except OSError as error:
            raise UsageError(error.strerror or str(error), path=path) from None
        try:
            fcntl.flock(self._number, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(self._number)
            raise UsageError("another benchmark writes here now", path=path) from None
        self._drop_half_a_line()

    def add(self, record: Mapping[str, object]) -> None:
        """Write one line."""
        line = json.dumps(record, separators=(",", ":")).encode() + b"\n"
        while line:
            line = line[os.write(self._number, line) :]
        os.fsync(self._number)

    def close(self) -> None:
        """Let others write."""
        os.close(self._number)

    def _drop_half_a_line(self) -> None:
        """What a killed session has begun to write is no finished run."""
        content = self.path.read_bytes()
        whole = content.rfind(b"\n") + 1
        if whole < len(content):
            os.ftruncate(self._number, whole)
