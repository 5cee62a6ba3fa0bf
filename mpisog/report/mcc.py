"""The contest's output lines."""

from __future__ import annotations

from mpisog.verdict import Result, Verdict

_TECHNIQUES = {"explicit": "EXPLICIT"}


def result_line(result: Result) -> str:
    """``FORMULA <id> TRUE|FALSE|CANNOT_COMPUTE TECHNIQUES ...``."""
    verdict = "CANNOT_COMPUTE" if result.verdict is Verdict.UNKNOWN else str(result.verdict)
    technique = _TECHNIQUES.get(result.engine, result.engine.upper())
    return f"FORMULA {result.name} {verdict} TECHNIQUES {technique} SEQUENTIAL_PROCESSING"
