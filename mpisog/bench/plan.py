"""What a suite has to run: every configuration on every net and formula, each with a key."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch

from mpisog.bench.cases import NO_FORMULA, Case, Formula
from mpisog.bench.suite import Configuration, Suite
from mpisog.errors import UsageError


@dataclass(frozen=True)
class Run:
    """One process, or one job of ranks, to measure."""

    configuration: Configuration
    case: Case
    formulas: tuple[Formula, ...]
    repetition: int
    key: str
    """Equal for equal configuration, net, formulas and limits: such a run is not repeated."""


@dataclass(frozen=True)
class Part:
    """Every ``count``-th piece of a suite, from ``index`` on; pieces are 0, 1, ..."""

    index: int
    count: int

    def has(self, piece: int) -> bool:
        """Whether a piece belongs to this part."""
        return piece % self.count == self.index


_ARRAY_VARIABLES = ("SLURM_ARRAY_TASK_ID", "OAR_ARRAY_INDEX")


def parse_part(text: str, environment: Mapping[str, str] = os.environ) -> Part:
    """``2/8``: the second of eight; ``job/8``: the one that the batch system's array says."""
    first, _, second = text.partition("/")
    if first == "job":
        first = next((environment[name] for name in _ARRAY_VARIABLES if name in environment), "")
    if not (first.isdecimal() and second.isdecimal() and 1 <= int(first) <= int(second)):
        raise UsageError(
            f"'{text}' is no part of a suite", hint="such as 2/8, or job/8 in an array of jobs"
        )
    return Part(int(first) - 1, int(second))


def plan(
    suite: Suite, case: Case, formulas: Sequence[Formula], tools: Sequence[Configuration]
) -> Iterator[list[Run]]:
    """The runs of a net in groups that are about the same formulas.

    Within a group all configurations take turns, so that what disturbs the machine disturbs all.
    Other tools check one formula a run.
    """
    for command, is_peer in dict.fromkeys((t.command, t.peer is not None) for t in tools):
        group = [
            t
            for t in tools
            if (t.command, t.peer is not None) == (command, is_peer) and _is_for(t, case)
        ]
        for batch in _batches(command, formulas, together=suite.batch and not is_peer):
            runs = [
                Run(tool, case, batch, n, run_key(suite, tool, case, batch, n))
                for n in range(suite.limits.repeat)
                for tool in group
            ]
            if runs:
                yield runs


def _is_for(tool: Configuration, case: Case) -> bool:
    return any(fnmatch(case.net, pattern) for pattern in tool.nets)


def _batches(
    command: str, formulas: Sequence[Formula], *, together: bool
) -> Iterator[tuple[Formula, ...]]:
    if command != "check":
        yield (NO_FORMULA,)
    elif not together:
        for formula in formulas:
            yield (formula,)
    else:
        for source in dict.fromkeys((f.logic, f.source) for f in formulas):
            yield tuple(f for f in formulas if (f.logic, f.source) == source)


def run_key(
    suite: Suite,
    tool: Configuration,
    case: Case,
    formulas: Sequence[Formula],
    repetition: int,
) -> str:
    """What a run is, as a hash."""
    what = [
        tool.command, tool.options, tool.ranks, tool.peer, case.digest,
        [(f.logic, f.text) for f in formulas], suite.limits.timeout, suite.limits.memory,
        repetition,
    ]  # fmt: skip
    return hashlib.sha256(json.dumps(what).encode()).hexdigest()[:16]
