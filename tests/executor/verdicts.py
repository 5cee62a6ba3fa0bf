"""What the executor says, against the reference checker."""

from __future__ import annotations

from collections.abc import Sequence

from mpisog import CheckResult, Verdict
from tests.reference import ltl
from tests.reference.checker import Net, holds, is_counterexample
from tests.reference.generate import MOST_MARKINGS


def require_right(
    net: Net, formulas: Sequence[ltl.Formula], results: Sequence[CheckResult], case: str, lost: bool
) -> None:
    """Verdicts are right and counterexamples are some; UNKNOWN only where workers are lost."""
    for formula, result in zip(formulas, results, strict=True):
        told = f"{case}: {net}\n{ltl.text(formula)}\n{result}"
        if result.verdict is Verdict.UNKNOWN:  # whatever tried to decide it died
            assert lost, told
            continue
        assert (result.verdict is Verdict.TRUE) == holds(net, formula, MOST_MARKINGS), told
        if result.trace is not None:
            trace = result.trace
            assert is_counterexample(net, formula, trace.prefix_ids, trace.cycle_ids), told
