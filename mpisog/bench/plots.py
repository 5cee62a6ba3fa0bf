"""Pictures with matplotlib: the papers' scatter plots, and what else tells how tools compare."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mpisog.bench.answers import (
    FASTEST,
    Row,
    geometric_mean,
    nets_of,
    paired,
    verdict_of,
)
from mpisog.bench.suite import Plot, Suite
from mpisog.errors import UsageError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

HOLDS, VIOLATED, OPEN = "#1a7f37", "#cf222e", "#6e7781"
"""As in the papers: green for formulas that hold, red for those that do not."""
_STYLES = {"TRUE": (HOLDS, "o", "holds"), "FALSE": (VIOLATED, "x", "violated")}
_MOST_PANELS = 6


def draw(plot: Plot, rows: Sequence[Row], suite: Suite) -> Figure | None:
    """A figure, or nothing where no result belongs into it."""
    figure: Figure | None = _DRAWERS[plot.kind](plot, rows, suite)
    return figure


def _chosen(plot: Plot, rows: Sequence[Row]) -> list[Row]:
    """Of the configurations that the plot names; of all when it names none."""
    names = plot.configurations
    return [row for row in rows if not names or row.configuration in names]


def save(figure: Figure, folder: Path, name: str) -> Path:
    """PNG for everywhere, SVG for the page and for print; the SVG's path."""
    from matplotlib import rc_context

    with rc_context(
        {"svg.hashsalt": "mpisog", "svg.fonttype": "none", "font.family": "sans-serif"}
    ):
        figure.savefig(folder / f"{name}.png", dpi=160)
        figure.savefig(folder / f"{name}.svg", metadata={"Date": None})
    return folder / f"{name}.svg"


def require_matplotlib() -> None:
    """Raise when there is none."""
    try:
        import matplotlib  # noqa: F401 - only whether it is installed
    except ImportError:
        raise UsageError("plots need matplotlib", hint="pip install 'mpisog[bench]'") from None


def _figure(panels: int, width: float = 4.6, height: float = 4.2) -> tuple[Figure, list[Axes]]:
    from matplotlib.figure import Figure

    columns = min(panels, 2)
    lines = math.ceil(panels / columns)
    figure = Figure(figsize=(width * columns, height * lines), layout="constrained")
    axes = [figure.add_subplot(lines, columns, n + 1) for n in range(panels)]
    return figure, axes


def _scatter(plot: Plot, rows: Sequence[Row], suite: Suite) -> Figure | None:
    """One panel a net, as the papers have; many nets share one."""
    pairs = paired(rows, plot.x, plot.y)
    if not pairs:
        return None
    by_net: dict[str, list[tuple[Row, Row]]] = defaultdict(list)
    for pair in pairs:
        by_net[pair[0].net].append(pair)
    panels = by_net if len(by_net) <= _MOST_PANELS else {"all nets": pairs}
    figure, axes = _figure(len(panels))
    limit = suite.limits.timeout
    for axis, (net, group) in zip(axes, panels.items(), strict=True):
        _points(axis, group, limit)
        _frame(axis, group, limit)
        axis.set(title=net, xlabel=f"{plot.x} (s)", ylabel=f"{plot.y} (s)")
    return figure


def _points(axis: Axes, pairs: Sequence[tuple[Row, Row]], limit: float) -> None:
    groups: Mapping[str, list[tuple[float, float]]] = defaultdict(list)
    for left, right in pairs:
        point = (_seconds(left, limit), _seconds(right, limit))
        groups[verdict_of(left, right) or "open"].append(point)
    for verdict, points in sorted(groups.items()):
        colour, marker, label = _STYLES.get(verdict, (OPEN, "s", "undecided"))
        xs, ys = zip(*points, strict=True)
        axis.scatter(xs, ys, c=colour, marker=marker, s=22, label=f"{label} ({len(points)})",
                     linewidths=1.2, alpha=0.85, gid=f"points-{label}")  # fmt: skip


def _seconds(row: Row, limit: float) -> float:
    return max(FASTEST, row.seconds) if row.is_decided else limit


def _frame(axis: Axes, pairs: Sequence[tuple[Row, Row]], limit: float) -> None:
    """Logarithmic axes of one range, the diagonal, and lines for the time limit."""
    values = [_seconds(row, limit) for pair in pairs for row in pair]
    low = 10 ** math.floor(math.log10(min(values)))
    high = 10 ** math.ceil(math.log10(max(*values, low * 10)) + 1e-9)
    if any(not row.is_decided for pair in pairs for row in pair):
        high = max(high, limit * 1.6)
        for line in (axis.axhline, axis.axvline):
            line(limit, color=OPEN, linestyle="--", linewidth=1, gid="time-out")
    axis.plot([low, high], [low, high], color="#8c959f", linewidth=0.8, zorder=0)
    axis.set(xscale="log", yscale="log", xlim=(low, high), ylim=(low, high), aspect="equal")
    axis.grid(True, which="major", linewidth=0.4, alpha=0.5)
    axis.legend(loc="upper left", fontsize="small", framealpha=0.8)


def _cactus(plot: Plot, rows: Sequence[Row], suite: Suite) -> Figure | None:
    """How many formulas each configuration decides, if each may take so long."""
    from matplotlib.ticker import MaxNLocator

    rows = _chosen(plot, rows)
    figure, (axis,) = _figure(1, 6.5, 4.2)
    drawn = False
    for tool in suite.configurations:
        times = sorted(
            max(FASTEST, r.seconds) for r in rows if r.configuration == tool.name and r.is_decided
        )
        if times:
            drawn = True
            axis.step(range(1, len(times) + 1), times, where="post", label=tool.name)
    if not drawn:
        return None
    axis.axhline(suite.limits.timeout, color=OPEN, linestyle="--", linewidth=1, gid="time-out")
    axis.set(yscale="log", xlabel="answers", ylabel="seconds each, at most")
    axis.xaxis.set_major_locator(MaxNLocator(integer=True))
    axis.grid(True, linewidth=0.4, alpha=0.5)
    axis.legend(fontsize="small")
    return figure


MOST_TIMES = 100.0
"""Between the longest bar and the shortest, or no change, on a linear axis."""


def _speedup(plot: Plot, rows: Sequence[Row], suite: Suite) -> Figure | None:
    """Times of the first configuration divided by those of others, a bar a net."""
    nets = nets_of(rows)
    others = plot.configurations or tuple(t.name for t in suite.configurations if t.name != plot.x)
    figure, (axis,) = _figure(1, 7.0, 1.2 + 0.32 * len(nets) * len(others))
    height = 0.8 / len(others)
    found: list[float] = []
    for number, name in enumerate(others):
        ratios = [_ratio(rows, net, plot.x, name) for net in nets]
        places = [n + number * height for n, ratio in enumerate(ratios) if ratio is not None]
        values = [ratio for ratio in ratios if ratio is not None]
        if values:
            found += values
            bars = axis.barh(places, values, height * 0.92, label=name)
            axis.bar_label(bars, fmt="%.2f", padding=3, fontsize="small")
    if not found:
        return None
    axis.axvline(1, color=OPEN, linewidth=1)
    axis.set_yticks([n + 0.4 - height / 2 for n in range(len(nets))], nets)
    axis.invert_yaxis()
    if max(found) > MOST_TIMES * min(1.0, *found):  # else the short bars could not be seen
        axis.set_xscale("log")
    axis.margins(x=0.12)
    axis.set_xlabel(f"times as fast as {plot.x} (geometric mean over formulas)")
    figure.legend(fontsize="small", loc="outside lower center", ncols=3)
    return figure


def _ratio(rows: Sequence[Row], net: str, x: str, y: str) -> float | None:
    pairs = paired([row for row in rows if row.net == net], x, y)
    return geometric_mean(
        max(a.seconds, FASTEST) / max(b.seconds, FASTEST)
        for a, b in pairs
        if a.is_decided and b.is_decided
    )


def _balance(plot: Plot, rows: Sequence[Row], suite: Suite) -> Figure | None:
    """What each builder has built, summed over all formulas of a net."""
    chosen = [r for r in rows if r.ranks and r.configuration in plot.configurations]
    labels = list(dict.fromkeys((r.net, r.configuration) for r in chosen))
    if not labels:
        return None
    figure, (axis,) = _figure(1, 7.0, 1.4 + 0.4 * len(labels))
    numbers = sorted({rank["rank"] for row in chosen for rank in row.ranks})
    left = [0.0] * len(labels)
    for number in numbers:
        shares = [_share(chosen, label, number) for label in labels]
        bars = axis.barh(range(len(labels)), shares, left=left, label=f"rank {number}")
        axis.bar_label(bars, [f"{s:.0%}" if s > 0.03 else "" for s in shares],
                       label_type="center", fontsize="small", color="white")  # fmt: skip
        left = [a + b for a, b in zip(left, shares, strict=True)]
    several = len(plot.configurations) > 1
    axis.set_yticks(
        range(len(labels)), [f"{net}, {name}" if several else net for net, name in labels]
    )
    axis.invert_yaxis()
    axis.set(xlabel="share of the aggregates built", xlim=(0, 1))
    figure.legend(fontsize="small", loc="outside lower center", ncols=4)
    return figure


def _share(rows: Sequence[Row], label: tuple[str, str], number: int) -> float:
    group = [r for r in rows if (r.net, r.configuration) == label]
    built = [rank.get("built", 0) for r in group for rank in r.ranks]
    own = [rank.get("built", 0) for r in group for rank in r.ranks if rank["rank"] == number]
    return sum(own) / sum(built) if sum(built) else 0.0


def _phases(plot: Plot, rows: Sequence[Row], suite: Suite) -> Figure | None:
    """Stacked times: forward and backward, as the MCLCD paper draws them."""
    names = plot.configurations or tuple(t.name for t in suite.configurations)
    chosen = [r for r in rows if r.configuration in names and r.is_decided]
    labels = list(dict.fromkeys((r.net, r.formula) for r in chosen))
    if not labels:
        return None
    figure, (axis,) = _figure(1, 7.5, 1.4 + 0.2 * len(labels) * len(names))
    height = 0.85 / len(names)
    found = {(r.net, r.formula, r.configuration): r for r in chosen}
    colours = ["#0969da", "#bf8700", "#8250df", "#6e7781"]
    for number, name in enumerate(names):
        left = [0.0] * len(labels)
        for part, colour in zip(plot.parts, colours, strict=False):
            values = [_figure_of(found.get((*label, name)), part) for label in labels]
            places = [n + number * height for n in range(len(labels))]
            axis.barh(places, values, height * 0.9, left=left, color=colour,
                      label=part.replace("_", " ") if number == 0 else None)  # fmt: skip
            left = [a + b for a, b in zip(left, values, strict=True)]
        for n, total in enumerate(left):
            axis.text(total, n + number * height, f" {name}", va="center", fontsize=6)
    axis.set_yticks(
        [n + 0.4 for n in range(len(labels))], [f"{net}, {name}" for net, name in labels]
    )
    axis.invert_yaxis()
    axis.margins(x=0.12)
    axis.set_xlabel("seconds")
    axis.legend(fontsize="small", loc="lower right")
    return figure


def _figure_of(row: Row | None, name: str) -> float:
    return 0.0 if row is None else float(row.figures.get(name, 0.0))


def _growth(plot: Plot, rows: Sequence[Row], suite: Suite) -> Figure | None:
    """Seconds of all formulas together, by the parameter of a family: one panel a family."""
    families: dict[str, list[Row]] = defaultdict(list)
    for row in _chosen(plot, rows):
        if row.size is not None:
            families[row.net.rsplit(" ", 1)[0]].append(row)
    families = {name: group for name, group in families.items() if len(nets_of(group)) > 1}
    if not families:
        return None
    figure, axes = _figure(len(families), 4.6, 3.4)
    for axis, (family, group) in zip(axes, families.items(), strict=True):
        _growth_lines(axis, group, suite)
        axis.set(title=family, yscale="log", xlabel="size", ylabel="seconds for all formulas")
        axis.locator_params(axis="x", integer=True)
        axis.grid(True, linewidth=0.4, alpha=0.5)
        axis.legend(fontsize="x-small")
    return figure


def _growth_lines(axis: Axes, group: Sequence[Row], suite: Suite) -> None:
    for tool in suite.configurations:
        sums: dict[float, float] = defaultdict(float)
        open_sizes = set()
        for row in group:
            if row.configuration == tool.name and row.size is not None:
                sums[row.size] += max(FASTEST, row.seconds)
                if not row.is_decided:
                    open_sizes.add(row.size)
        points = sorted(sums.items())
        if points:
            (line,) = axis.plot(
                *zip(*points, strict=True), marker="o", markersize=4, label=tool.name
            )
            hollow = [(x, y) for x, y in points if x in open_sizes]
            if hollow:
                axis.plot(*zip(*hollow, strict=True), "o", color=line.get_color(),
                          markerfacecolor="white", markersize=7)  # fmt: skip


_DRAWERS: Mapping[str, Callable[[Plot, Sequence[Row], Suite], Any]] = {
    "scatter": _scatter,
    "cactus": _cactus,
    "speedup": _speedup,
    "balance": _balance,
    "phases": _phases,
    "growth": _growth,
}
