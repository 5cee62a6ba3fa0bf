"""The report of results: one HTML page with everything in it, and the plots as files beside it."""

from __future__ import annotations

import base64
import html
import re
from collections.abc import Iterable, Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import Any

from mpisog.bench.answers import Row, geometric_mean, nets_of, rows
from mpisog.bench.plots import draw, require_matplotlib, save
from mpisog.bench.results import Results, read_results
from mpisog.bench.suite import Suite, load_suite
from mpisog.errors import UsageError
from mpisog.sizes import format_bytes

PAGE = "index.html"
_LARGE_SVG = 200_000
"""Bytes."""
_HEADINGS = {
    "product_states": "states", "product_transitions": "transitions", "hold": "hold",
    "not_treated": "",
}  # fmt: skip


_FIXED_COLUMNS = ("formulas", "hold", "seconds", "memory", "not_treated")
"""What the table of nets has in any case."""


def write_report(folder: Path, target: Path) -> Path:
    """Collect all results of a folder; the page's path."""
    require_matplotlib()
    if not any(folder.glob("results*.jsonl")):
        raise UsageError("no results here", path=folder, hint="mpisog bench run SUITE --out DIR")
    results = read_results(folder)
    if not results.runs:
        raise UsageError("no run has been finished", path=folder)
    name = results.sessions[0]["suite"] if results.sessions else folder.name
    suite = _as_run(load_suite(folder / "suite.toml", name), results)
    found = rows(results, suite)
    target.mkdir(parents=True, exist_ok=True)
    pictures = list(_pictures(suite, found, target))
    page = target / PAGE
    page.write_text(_page(suite, results, found, pictures), encoding="utf-8")
    return page


def _as_run(suite: Suite, results: Results) -> Suite:
    """With the time limit of the last session: it may have been set on the command line."""
    from dataclasses import replace

    if not results.sessions:
        return suite
    limits = replace(suite.limits, timeout=results.sessions[-1]["timeout"])
    return replace(suite, limits=limits)


def _pictures(suite: Suite, found: Sequence[Row], target: Path) -> Iterable[tuple[str, Path]]:
    for number, plot in enumerate(suite.plots, start=1):
        figure = draw(plot, found, suite)
        if figure is not None:
            caption = plot.title or _CAPTIONS[plot.kind].format(x=plot.x, y=plot.y)
            yield caption, save(figure, target, f"{number}-{plot.kind}")


_OF_VERDICTS = frozenset({"hold", "violated", "unfit", "formulas"})
_HOW = """\
Every run is a process of its own; {each}. <b>seconds</b> is the time of the check as mpisog tells
it (of a peer: of its last step, without translating and compiling); <b>wall</b> and <b>CPU</b> are
of all processes from start to end. <b>Memory</b> is the most at one time over all processes of a
run, read from /proc several times a second: what each has for itself plus the largest share of
files. Sums include undecided formulas with the time they took."""
_CAPTIONS = {
    "scatter": "{y} against {x}: a point is a formula; below the diagonal {y} is faster",
    "cactus": "Answers within a time",
    "speedup": "Speed-up over {x}",
    "balance": "How ranks share the work",
    "phases": "Time by phase",
    "growth": "Growth with the parameter; hollow: some formulas undecided",
}


def _page(
    suite: Suite, results: Results, found: Sequence[Row], pictures: Sequence[tuple[str, Path]]
) -> str:
    style = (resources.files("mpisog.bench") / "report.css").read_text(encoding="utf-8")
    parts = [
        f"<h1>{_e(suite.title)}</h1>",
        *(f"<p>{_prose(part)}</p>" for part in suite.text.strip().split("\n\n") if part),
        _disagreements(results),
        "<h2>Configurations</h2>",
        _summary(suite, results, found),
        *score_table(suite, found),
        *(picture(caption, path) for caption, path in pictures),
        "<h2>Nets</h2>",
        _net_table(suite, found),
        *(f"<p class=note>{_prose(note)}</p>" for note in suite.notes),
        _answers(suite, found),
        _provenance(suite, results),
    ]
    return (
        "<!doctype html>\n<html lang=en><head><meta charset=utf-8>"
        '<meta name=viewport content="width=device-width, initial-scale=1">'
        f"<title>{_e(suite.name)}</title><style>{style}</style></head><body><main>\n"
        + "\n".join(parts)
        + "\n</main></body></html>\n"
    )


def _disagreements(results: Results) -> str:
    texts = results.disagreement_texts
    if not texts:
        return '<p class="verdict good">Disagreements: none.</p>'
    items = "".join(f"<li>{_e(text)}</li>" for text in texts)
    return f'<div class="verdict bad">Disagreements: {len(texts)}<ul>{items}</ul></div>'


def _summary(suite: Suite, results: Results, found: Sequence[Row]) -> str:
    header = ["configuration", "options", "hold", "violated", "undecided", "unfit",
              "s in all", "geometric mean s", "wall s", "CPU s", "peak memory"]  # fmt: skip
    body = []
    for tool in suite.configurations:
        group = [row for row in found if row.configuration == tool.name]
        if group:
            body.append([tool.name, _invocation(tool), *_totals(group)])
    absent = {k: v for session in results.sessions for k, v in session["absent"].items()}
    for name, programs in absent.items():
        if not any(line[0] == name for line in body):
            body.append([name, f"absent ({', '.join(programs)} not found)", *[""] * 9])
    return _table(*_without_verdicts(suite, header, body), left=2)


def _without_verdicts(
    suite: Suite, header: list[str], body: Sequence[list[str]]
) -> tuple[list[str], list[list[str]]]:
    """Suites that count markings have no formulas, so none that hold."""
    meant = any(tool.command == "check" for tool in suite.configurations)
    kept = [n for n, head in enumerate(header) if meant or head not in _OF_VERDICTS]
    return [header[n] for n in kept], [[line[n] for n in kept] for line in body]


def _invocation(tool: Any) -> str:
    if tool.peer is not None:
        return f"peer {tool.peer}"
    launcher = f"mpirun -n {tool.ranks} " if tool.ranks > 1 else ""
    return f"{launcher}{tool.command} {' '.join(tool.options)}".strip()


def _totals(group: Sequence[Row]) -> list[str]:
    count = {v: sum(row.verdict == v for row in group) for v in ("TRUE", "FALSE", "UNFIT")}
    decided = [row for row in group if row.is_decided]
    undecided = len(group) - len(decided) - count["UNFIT"]
    mean = geometric_mean(row.seconds for row in decided)
    return [
        str(count["TRUE"]), str(count["FALSE"]), str(undecided), str(count["UNFIT"]),
        f"{sum(row.seconds for row in group):.1f}", "" if mean is None else f"{mean:.4f}",
        f"{sum(row.wall for row in group):.1f}", f"{sum(row.cpu for row in group):.1f}",
        format_bytes(max(row.peak_bytes for row in group)),
    ]  # fmt: skip


def score_table(suite: Suite, found: Sequence[Row]) -> list[str]:
    """A competition's published points beside what ours has answered here, as shares."""
    if suite.scores is None:
        return []
    published = [(name, points, suite.scores.of) for name, points in suite.scores.points.items()]
    groups = {t.name: [r for r in found if r.configuration == t.name] for t in suite.configurations}
    ours = [
        (f"{name}, here", sum(row.is_decided for row in group), len(group))
        for name, group in groups.items()
        if group
    ]
    body = [[who, f"{n:,}", f"{of:,}", f"{n / of:.1%}"] for who, n, of in [*published, *ours]]
    heading = f"<h2>{_e(suite.scores.name)}</h2>"
    return [heading, _table(["tool", "points", "of", "share"], body, left=1)]


def _net_table(suite: Suite, found: Sequence[Row]) -> str:
    """Ours and the published figures, net by net."""
    columns = list(suite.columns)
    extra = sorted({
        key
        for tools in suite.published.values()
        for figures in tools.values()
        for key in figures
        if key not in columns and key not in _FIXED_COLUMNS
    })  # fmt: skip
    header = ["net", "tool", "formulas", "hold", "undecided",
              *(_HEADINGS.get(c, c) for c in (*columns, *extra)), "seconds", "memory"]  # fmt: skip
    body: list[list[str]] = []
    for net in nets_of(found):
        for tool in suite.configurations:
            group = [r for r in found if r.net == net and r.configuration == tool.name]
            if group:
                body.append([net, tool.name, *_net_figures(group, columns, extra)])
        for name, figures in suite.published.get(net, {}).items():
            body.append([net, f"paper: {name}", *_published(figures, columns, extra)])
    for net, tools in suite.published.items():
        if net not in nets_of(found):
            for name, figures in tools.items():
                body.append([net, f"paper: {name}", *_published(figures, columns, extra)])
    return _table(*_without_verdicts(suite, header, body), left=2, grouped=True)


def _net_figures(group: Sequence[Row], columns: Sequence[str], extra: Sequence[str]) -> list[str]:
    sums = []
    for column in columns:
        values = [row.figures[column] for row in group if column in row.figures]
        sums.append(f"{sum(values):,.0f}" if values else "")
    holds = sum(row.verdict == "TRUE" for row in group)
    undecided = sum(not row.is_decided for row in group)
    return [
        str(len(group)), str(holds), str(undecided or ""), *sums, *[""] * len(extra),
        _seconds(sum(row.seconds for row in group)),
        format_bytes(max(row.peak_bytes for row in group)),
    ]  # fmt: skip


def _published(
    figures: Mapping[str, Any], columns: Sequence[str], extra: Sequence[str]
) -> list[str]:
    if figures.get("not_treated"):
        return ["not treated", *[""] * (len(columns) + len(extra) + 4)]
    shown = [_number(figures.get(column)) for column in (*columns, *extra)]
    return [
        _number(figures.get("formulas", "")), _number(figures.get("hold")), "", *shown,
        _number(figures.get("seconds")), str(figures.get("memory", "")),
    ]  # fmt: skip


def _seconds(value: float) -> str:
    return f"{value:.2f}" if value >= 0.1 else f"{value:.4f}"


def _number(value: object) -> str:
    if isinstance(value, int):
        return f"{value:,}"
    return "" if value is None else str(value)


def _answers(suite: Suite, found: Sequence[Row]) -> str:
    """Every formula with all verdicts and seconds, folded away."""
    tools = [t.name for t in suite.configurations if any(r.configuration == t.name for r in found)]
    by_question: dict[tuple[str, str], dict[str, Row]] = {}
    for row in found:
        by_question.setdefault((row.net, row.formula), {})[row.configuration] = row
    body = []
    for (net, formula), answers in by_question.items():
        text = next(iter(answers.values())).text
        cells = [_cell(answers.get(tool)) for tool in tools]
        body.append([net, f"{formula}: {text}" if text else formula, *cells])
    table = _table(["net", "formula", *tools], body, left=2)
    return f"<details><summary>All {len(body)} formulas, with seconds</summary>{table}</details>"


def _cell(row: Row | None) -> str:
    if row is None:
        return ""
    short = {"TRUE": "T", "FALSE": "F", "UNKNOWN": "?", "UNFIT": "unfit"}
    return f"{short.get(row.verdict, row.verdict)} {row.seconds:.3f}"


_ONE = "it checks one formula"
_BATCH = """\
it checks all formulas of a net one after the other, and what they share is made once (wall and CPU
are shared out evenly among them; a peer checks one formula a run)"""


def _provenance(suite: Suite, results: Results) -> str:
    how = _HOW.format(each=_BATCH if suite.batch else _ONE)
    lines = []
    for session in results.sessions:
        machine, origin = session["machine"], session["provenance"]
        versions = {**origin["versions"], **session["peers"]}
        known = ", ".join(f"{name} {version}" for name, version in versions.items() if version)
        lines.append(
            f"<li>{_e(origin['written'])}: <code>{_e(' '.join(origin['command_line']))}</code>; "
            f"{_e(machine['processor'])}, {machine['cores']} cores, {_e(machine['memory'])}, "
            f"load {machine['load'][0]}; {_e(known)}; {session['jobs']} at a time, "
            f"{session['timeout']:g} s a formula</li>"
        )
    return f"<h2>How it was measured</h2><p>{how}</p><ul class=sessions>{''.join(lines)}</ul>"


def picture(caption: str, svg: Path) -> str:
    """A plot inside the page; one with thousands of points as PNG, which is a tenth of the size."""
    is_large = svg.stat().st_size > _LARGE_SVG
    path, kind = (svg.with_suffix(".png"), "png") if is_large else (svg, "svg+xml")
    source = f"data:image/{kind};base64,{base64.b64encode(path.read_bytes()).decode()}"
    text = _e(caption)
    return f'<figure><img src="{source}" alt="{text}"><figcaption>{text}</figcaption></figure>'


def _table(
    header: Sequence[str], body: Sequence[Sequence[str]], left: int, grouped: bool = False
) -> str:
    """The first columns are words, the rest numbers; ``grouped`` names a net once."""
    head = "".join(
        f"<th class=word>{_e(cell)}</th>" if n < left else f"<th>{_e(cell)}</th>"
        for n, cell in enumerate(header)
    )
    lines, last = [], None
    for line in body:
        cells = list(line)
        kind = ""
        if grouped:
            kind = ' class="first"' if cells[0] != last else ""
            cells[0], last = ("" if cells[0] == last else cells[0]), cells[0]
        if "paper:" in cells[1]:
            kind = kind[:-1] + ' paper"' if kind else ' class="paper"'
        data = "".join(
            f"<td class=word>{_words(cell)}</td>" if n < left else f"<td>{_e(cell)}</td>"
            for n, cell in enumerate(cells)
        )
        lines.append(f"<tr{kind}>{data}</tr>")
    return (
        f"<div class=table><table><thead><tr>{head}</tr></thead>"
        f"<tbody>{''.join(lines)}</tbody></table></div>"
    )


def _words(text: str) -> str:
    """Escaped; options are not broken at their dashes."""
    return re.sub(r"(?<!\S)-\S+", r"<span class=whole>\g<0></span>", _e(text))


def _prose(text: str) -> str:
    """Escaped, with words in backticks as code."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", _e(text))


def _e(text: object) -> str:
    return html.escape(str(text))
