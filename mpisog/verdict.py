"""Verdicts, exit codes and the result of one check."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, IntEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # the annotation only: results are a leaf, traces are not
    from mpisog.spotglue.ltl import BoundFormula
    from mpisog.team.statistics import RankReport
    from mpisog.trace.lasso import Lasso


class Verdict(Enum):
    """What is known about a formula on a net."""

    TRUE = "TRUE"
    FALSE = "FALSE"
    UNKNOWN = "UNKNOWN"

    def __str__(self) -> str:
        return self.value

    def __bool__(self) -> bool:
        raise TypeError("a verdict has three values: compare it, `verdict is Verdict.TRUE`")


class ExitCode(IntEnum):
    """The exit codes of every subcommand; scripts may rely on them."""

    OK = 0
    """Every property holds (or the command has done its work)."""
    VIOLATED = 1
    """At least one property is violated (or the doctor has found a failure)."""
    UNKNOWN = 2
    """None is violated, at least one could not be decided."""
    BAD_INPUT = 3
    """A file, formula or option cannot be used."""
    INTERNAL = 4
    """A bug in mpisog."""


@dataclass(frozen=True)
class Result:
    """The outcome of checking one property."""

    name: str
    formula: str
    verdict: Verdict
    engine: str
    reason: str | None = None
    trace: Lasso | None = None
    seconds: float = 0.0
    statistics: Mapping[str, int | float | str] = field(default_factory=dict)
    ranks: tuple[RankReport, ...] = ()
    """What each builder did, where there were several threads or ranks."""
    error: str | None = None
    """The traceback of an internal error; the verdict is UNKNOWN then."""
    notices: tuple[str, ...] = ()
    """What a user should know about a TRUE: that it holds for a trivial reason."""
    conjunct: str | None = None
    """The part of the formula that the counterexample violates, where that is a conjunction."""
    bound: BoundFormula | None = field(default=None, repr=False, compare=False)
    """The formula with its atoms, for explanations; of an existential one its negation."""

    def __bool__(self) -> bool:
        raise TypeError("ask for the verdict: `result.verdict is Verdict.TRUE`")

    @property
    def trace_kind(self) -> str | None:
        """``counterexample`` of a formula for all runs, ``witness`` of one for some run."""
        if self.trace is None:
            return None
        return "counterexample" if self.verdict is Verdict.FALSE else "witness"


def exit_code(verdicts: Iterable[Verdict]) -> ExitCode:
    """A violation outweighs an unknown verdict, which outweighs success."""
    seen = set(verdicts)
    if Verdict.FALSE in seen:
        return ExitCode.VIOLATED
    return ExitCode.UNKNOWN if Verdict.UNKNOWN in seen else ExitCode.OK


def results_code(results: Sequence[Result]) -> ExitCode:
    """The exit code of a batch: an internal error outweighs all verdicts."""
    if any(result.error is not None for result in results):
        return ExitCode.INTERNAL
    return exit_code(result.verdict for result in results)
