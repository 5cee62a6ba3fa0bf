"""Results as lines for people, each printed as soon as it is known."""

from __future__ import annotations

from mpisog.dist.statistics import RankReport
from mpisog.report.traces import trace_text
from mpisog.sizes import format_bytes
from mpisog.verdict import Result, Verdict

_COLOURS = {Verdict.TRUE: "32", Verdict.FALSE: "31", Verdict.UNKNOWN: "33"}


def result_text(result: Result, *, colour: bool, trace: bool, verbose: bool) -> str:
    """One result: a verdict line, then the counterexample and the figures asked for."""
    verdict = f"{result.verdict!s:<7}"
    if colour:
        verdict = f"\033[1;{_COLOURS[result.verdict]}m{verdict}\033[0m"
    lines = [f"{verdict} {result.name}: {result.formula}"]
    if result.reason:
        lines.append(f"  reason: {result.reason}")
    if verbose:
        lines.append(f"  engine {result.engine}, {result.seconds:.3f} s{_figures(result)}")
        lines += [_rank(report) for report in result.ranks]
    if trace and result.trace is not None:
        lines.append(trace_text(result.trace))
    return "\n".join(lines)


def _figures(result: Result) -> str:
    return "".join(
        f", {name.replace('_', ' ')} {value}" for name, value in result.statistics.items()
    )


def _rank(report: RankReport) -> str:
    """What a builder did, and what its threads spent their time on."""
    phases = (("building", report.building), ("expanding", report.expanding))
    shares = [f"{name} {seconds:.2f} s" for name, seconds in (*phases, ("packing", report.packing))]
    return (
        f"  rank {report.rank} on {report.host}: built {report.built}, holds {report.held}, "
        f"{', '.join(shares)}, idle {report.idle_share:.0%} of {len(report.busy)} threads, "
        f"sent {report.messages_sent} messages ({format_bytes(report.bytes_sent)}), "
        f"{report.nodes} nodes, {format_bytes(report.memory)}"
    )
