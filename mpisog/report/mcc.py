"""The contest's output lines."""

from __future__ import annotations

from mpisog.verdict import Result, Verdict


def result_line(result: Result) -> str:
    """``FORMULA <id> TRUE|FALSE|CANNOT_COMPUTE TECHNIQUES ...``."""
    verdict = "CANNOT_COMPUTE" if result.verdict is Verdict.UNKNOWN else str(result.verdict)
    technique = result.engine.upper()
    processing = "PARALLEL_PROCESSING" if result.ranks else "SEQUENTIAL_PROCESSING"
    return f"FORMULA {result.name} {verdict} TECHNIQUES {technique} {processing}"
