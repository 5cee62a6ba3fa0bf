"""What the doctor finds: each with a level, and what to do where something is wrong."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from mpisog.verdict import ExitCode


class Level(Enum):
    """How bad it is."""

    OK = "ok"
    WARNING = "warning"
    """It works, but not as well as it could, or not everything does."""
    FAILURE = "failure"

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at."""

    name: str
    level: Level
    detail: str
    advice: str | None = None


def ok(name: str, detail: str) -> Finding:
    """Nothing to do."""
    return Finding(name, Level.OK, detail)


def warning(name: str, detail: str, advice: str) -> Finding:
    """Something to think about."""
    return Finding(name, Level.WARNING, detail, advice)


def failure(name: str, detail: str, advice: str) -> Finding:
    """Something to repair."""
    return Finding(name, Level.FAILURE, detail, advice)


def exit_code(findings: Iterable[Finding]) -> ExitCode:
    """A failure is what the doctor checks for, as ``mpisog check`` does for a violation."""
    failed = any(finding.level is Level.FAILURE for finding in findings)
    return ExitCode.VIOLATED if failed else ExitCode.OK
