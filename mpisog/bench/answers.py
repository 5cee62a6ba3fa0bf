"""Results as reports look at them: one row for each net, formula and configuration."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from mpisog.bench.results import Results
from mpisog.bench.suite import Suite

FASTEST = 0.0005
"""Seconds below which times are not told apart: pictures have a logarithmic scale."""


@dataclass(frozen=True)
class Row:
    """One answer: the median of its repetitions."""

    net: str
    size: float | None
    configuration: str
    formula: str
    text: str
    verdict: str
    seconds: float
    wall: float
    cpu: float
    peak_bytes: int
    engine: str
    reason: str | None
    figures: dict[str, Any]
    ranks: tuple[dict[str, Any], ...]

    @property
    def is_decided(self) -> bool:
        """Whether there is an answer."""
        return self.verdict in ("TRUE", "FALSE") or self.verdict.isdecimal()


def rows(results: Results, suite: Suite) -> list[Row]:
    """In the order of the suite's nets as they were run.

    A check that was ended by force has not told its time: it has that of its process.
    """
    grouped: dict[tuple[str, str, str], list[Row]] = defaultdict(list)
    for record in results.runs.values():
        share = 1 / max(1, len(record["results"]))
        for answer in record["results"]:
            row = Row(
                record["net"], record["size"], record["configuration"], answer["formula"],
                answer["text"], answer["verdict"], answer["seconds"] or record["wall"] * share,
                record["wall"] * share,
                record["cpu"] * share, record["peak_bytes"], answer["engine"], answer["reason"],
                answer["figures"], tuple(answer.get("ranks", ())),
            )  # fmt: skip
            grouped[row.net, row.configuration, row.formula].append(row)
    names = [tool.name for tool in suite.configurations]
    found = [_middle(group) for group in grouped.values()]
    return [row for row in found if row.configuration in names]


def _middle(group: Sequence[Row]) -> Row:
    """The repetition whose time is the median."""
    return sorted(group, key=lambda row: row.seconds)[(len(group) - 1) // 2]


def geometric_mean(values: Iterable[float]) -> float | None:
    """Of positive numbers; none of none."""
    logs = [math.log(max(value, FASTEST)) for value in values]
    return math.exp(sum(logs) / len(logs)) if logs else None


def paired(found: Sequence[Row], x: str, y: str) -> list[tuple[Row, Row]]:
    """The rows of two configurations about the same net and formula."""
    left = {(row.net, row.formula): row for row in found if row.configuration == x}
    return [
        (left[row.net, row.formula], row)
        for row in found
        if row.configuration == y and (row.net, row.formula) in left
    ]


def verdict_of(*same: Row) -> str | None:
    """The verdict, if any of them has it."""
    return next((row.verdict for row in same if row.is_decided), None)


def nets_of(found: Sequence[Row]) -> list[str]:
    """In the order in which they were run."""
    return list(dict.fromkeys(row.net for row in found))


def middle(values: Sequence[float]) -> float:
    """The median, 0 of none."""
    return median(values) if values else 0.0
