"""The contest's output lines."""

from __future__ import annotations

from mpisog.verdict import Result, Verdict


def result_line(result: Result, *, parallel: bool) -> str:
    """``FORMULA <id> TRUE|FALSE|CANNOT_COMPUTE TECHNIQUES ...``; several workers: ``parallel``."""
    verdict = "CANNOT_COMPUTE" if result.verdict is Verdict.UNKNOWN else str(result.verdict)
    technique = result.engine.upper()
    processing = "PARALLEL_PROCESSING" if parallel else "SEQUENTIAL_PROCESSING"
    return f"FORMULA {result.name} {verdict} TECHNIQUES {technique} {processing}"
