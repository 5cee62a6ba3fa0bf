"""Results as lines for people, each printed as soon as it is known; then a summary."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import shorten

from mpisog.executor.workload import WorkerLoad
from mpisog.report.style import PLAIN, Style, cut, visible
from mpisog.report.trace_lines import View
from mpisog.report.traces import story_text
from mpisog.sizes import format_bytes
from mpisog.team.statistics import RankReport
from mpisog.trace.explain import Explanation
from mpisog.verdict import Result, Verdict

_LOOKS = {Verdict.TRUE: "green", Verdict.FALSE: "red", Verdict.UNKNOWN: "yellow"}
_WORDS = {Verdict.TRUE: "hold", Verdict.FALSE: "violated", Verdict.UNKNOWN: "unknown"}
HANG = 8
"""Columns before the formula: those of the verdict."""
LONG_FORMULA = 160
"""Characters of a formula that are shown without ``-v``."""


def result_text(
    result: Result,
    *,
    style: Style = PLAIN,
    story: Explanation | None = None,
    view: View | None = None,
    verbose: bool = False,
) -> str:
    """One result: a verdict line, then the figures asked for and the counterexample."""
    lines = _headline(result, style, verbose)
    lines += [style.fit(f"  {remark}", HANG) for remark in remarks(result)]
    if verbose:
        lines += [style.fit(line, HANG) for line in _figures(result)]
    if story is not None:
        if result.trace_kind == "witness":
            lines.append("  a run that shows it:")
        lines.append(story_text(story, view or View(), verbose=verbose, style=style))
    return "\n".join(lines)


def _headline(result: Result, style: Style, verbose: bool) -> list[str]:
    """Verdict, name, formula and seconds; the formula by itself where a line has no room."""
    formula = result.formula if verbose else cut(result.formula, LONG_FORMULA)
    verdict, spent = _verdict(result.verdict, style), seconds(result.seconds)
    line = f"{verdict} {result.name}: {formula}  ({spent})"
    if style.width is None or visible(line) <= style.width:
        return [line]
    return [f"{verdict} {result.name}  ({spent})", style.fit(" " * HANG + formula, HANG)]


def remarks(result: Result) -> list[str]:
    """Why it is unknown, which part is violated, how it was proved, and what else to know."""
    reason = [f"reason: {result.reason}"] if result.reason else []
    part = [f"violated conjunct: {result.conjunct}"] if result.conjunct else []
    how = [f"how: {text}"] if (text := _how(result)) else []
    return [*reason, *part, *how, *(f"notice: {notice}" for notice in result.notices)]


def load_lines(loads: Sequence[WorkerLoad]) -> list[str]:
    """What each worker did, until there was nothing more to hand out."""
    return [_load(load) for load in loads]


def _load(load: WorkerLoad) -> str:
    longest = sorted(load.busy.items(), key=lambda item: -item[1])[:4]
    stages = ", ".join(f"{stage} {seconds(spent)}" for stage, spent in longest)
    busy = f"busy {load.busy_share:.0%}, idle {1 - load.busy_share:.0%}"
    return f"worker {load.worker}: {load.units} units, {busy}; {stages or 'no unit'}"


def summary(results: Sequence[Result], style: Style = PLAIN) -> str:
    """A table of all results with their totals."""
    heads = ("verdict", "name", "time", "steps")
    rows = [
        (str(result.verdict), result.name, seconds(result.seconds), _steps(result))
        for result in results
    ]
    others = sum(max(map(len, cells)) for cells in zip(heads, *rows, strict=True))
    room = 50 if style.width is None else max(24, style.width - others - 3 * len(heads) - 2)
    whole = [(*row, _gist(result, room)) for row, result in zip(rows, results, strict=True)]
    return "\n".join([*_table((*heads, ""), whole, style), total(results)])


def _gist(result: Result, room: int) -> str:
    """In one line what the property is, or why it is unknown; cut between words if need be."""
    text = result.reason or result.formula
    if len(text) <= room:
        return text
    return shorten(text, room, placeholder=" ...").removeprefix("...") or cut(text, room)


def total(results: Sequence[Result]) -> str:
    """How many hold, are violated, are unknown, in what time."""
    counts = [
        f"{sum(result.verdict is verdict for result in results)} {word}"
        for verdict, word in _WORDS.items()
        if any(result.verdict is verdict for result in results)
    ]
    spent = seconds(sum(result.seconds for result in results))
    return f"{len(results)} properties: {', '.join(counts)} ({spent})"


def seconds(value: float) -> str:
    """A time with three digits that matter."""
    return f"{value:.3f} s" if value < 10 else f"{value:.1f} s"


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]], style: Style) -> list[str]:
    if style.colour:
        return _rich_table(heads, rows)
    widths = [max(len(row[i]) for row in [heads, *rows]) for i in range(len(heads))]
    return [
        "  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in [heads, *rows]
    ]


def _rich_table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Nothing is wrapped: rather than that, the table is wider than the terminal."""
    from io import StringIO

    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    text = StringIO()
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for head in heads:
        table.add_column(head, no_wrap=True)
    styles = {str(verdict): f"bold {look}" for verdict, look in _LOOKS.items()}
    for verdict, *others in rows:
        table.add_row(Text(verdict, styles[verdict]), *map(Text, others))
    wide = sum(max(map(len, cells)) for cells in zip(heads, *rows, strict=True)) + 4 * len(heads)
    Console(file=text, force_terminal=True, highlight=False, width=wide).print(table)
    return text.getvalue().rstrip().splitlines()


def _verdict(verdict: Verdict, style: Style) -> str:
    return style.paint(f"{verdict!s:<7}", _LOOKS[verdict])


def _steps(result: Result) -> str:
    return "" if result.trace is None else str(len(result.trace.steps))


def _how(result: Result) -> str | None:
    """What decided a formula, where no counterexample shows it; more is seen with ``-v``."""
    if result.verdict is Verdict.UNKNOWN or result.trace_kind == "counterexample":
        return None
    proof = result.statistics.get("proof")
    if proof is not None:
        return str(proof)
    stage = str(result.statistics.get("phases", "")).split("; ")[-1].rsplit(" ", 2)[0]
    named = result.engine in stage.split() or not stage
    by = (stage or f"engine {result.engine}") if named else f"{stage}, engine {result.engine}"
    counts = [
        f"{result.statistics[name]} {name if result.statistics[name] != 1 else name[:-1]}"
        for name in ("markings", "aggregates")
        if name in result.statistics
    ]
    end = "nothing left to explore" if result.trace is None else "such a run was found"
    return f"{by}: {end}" + (f" after {counts[0]}" if counts else "")


def _figures(result: Result) -> list[str]:
    lines = [f"  engine: {result.engine}"]
    stages = str(result.statistics.get("phases", ""))
    rows = [entry.rsplit(" ", 2) for entry in stages.split("; ") if entry]
    width = max((len(row[0]) for row in rows), default=0)
    if rows:
        lines.append(f"  {'stage':<{width}}  seconds")
        lines += [f"  {name:<{width}}  {spent:>7}" for name, spent, _ in rows]
    figures = {k: v for k, v in result.statistics.items() if k != "phases"}
    lines += [f"  {name.replace('_', ' ')}: {value}" for name, value in figures.items()]
    return lines + [_rank(report) for report in result.ranks]


def _rank(report: RankReport) -> str:
    """What a builder did, and what its threads spent their time on."""
    phases = (("building", report.building), ("expanding", report.expanding))
    shares = [f"{name} {spent:.2f} s" for name, spent in (*phases, ("packing", report.packing))]
    return (
        f"  rank {report.rank} on {report.host}: built {report.built}, holds {report.held}, "
        f"{', '.join(shares)}, idle {report.idle_share:.0%} of {len(report.busy)} threads, "
        f"sent {report.messages_sent} messages ({format_bytes(report.bytes_sent)}), "
        f"{report.nodes} nodes, {format_bytes(report.memory)}{_purposes(report)}"
    )


def _purposes(report: RankReport) -> str:
    """What the memory of a builder is for, as far as that is known."""
    parts = {
        "nodes": report.node_bytes,
        "caches": report.cache_bytes,
        "tables": report.table_bytes,
        "messages": report.message_bytes,
    }
    known = [f"{name} {format_bytes(size)}" for name, size in parts.items() if size]
    return f" ({', '.join(known)})" if known else ""
