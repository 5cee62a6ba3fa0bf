"""Plots of results that are made up: what is drawn where, and what has nothing to draw."""

from __future__ import annotations

import re

import pytest

from mpisog.bench.answers import geometric_mean, paired, rows
from mpisog.bench.plots import HOLDS, VIOLATED, draw
from mpisog.bench.report import picture, score_table
from mpisog.bench.results import Results
from mpisog.bench.suite import Plot, parse_suite

SUITE = parse_suite(
    {
        "title": "t",
        "nets": [{"family": "fms", "sizes": [2]}],
        "configurations": [{"name": "a"}, {"name": "b"}],
        "limits": {"timeout": 20},
    },
    "x",
)


def record(net: str, tool: str, formula: str, verdict: str, seconds: float, **more) -> dict:
    figures = more.pop("figures", {})
    answer = {
        "formula": formula, "text": "", "verdict": verdict, "seconds": seconds, "engine": "",
        "reason": None, "figures": figures, **more,
    }  # fmt: skip
    return {
        "type": "run", "key": f"{net} {tool} {formula} {seconds}", "net": net, "size": 2.0,
        "configuration": tool, "wall": 25.0, "cpu": 1.0, "peak_bytes": 1, "results": [answer],
    }  # fmt: skip


def table(*records: dict):
    results = Results()
    for each in records:
        results.add(each)
    return rows(results, SUITE)


PAIR = (
    record("n", "a", "f", "TRUE", 0.1),
    record("n", "b", "f", "TRUE", 2.0),
    record("n", "a", "g", "FALSE", 0.1),
    record("n", "b", "g", "UNKNOWN", 0.0),
)


def test_scatter_colours_limits_and_the_diagonal():
    figure = draw(Plot("scatter", x="a", y="b"), table(*PAIR), SUITE)
    (axis,) = figure.axes
    points = {c.get_gid(): c for c in axis.collections}
    assert points["points-holds"].get_offsets().tolist() == [[0.1, 2.0]]
    assert points["points-violated"].get_offsets().tolist() == [[0.1, 20.0]]  # the time limit
    colours = [tuple(points[f"points-{k}"].get_facecolor()[0][:3]) for k in ("holds", "violated")]
    assert colours == [_rgb(HOLDS), _rgb(VIOLATED)]
    assert [line.get_gid() for line in axis.lines].count("time-out") == 2
    assert (axis.get_xscale(), axis.get_yscale()) == ("log", "log")
    assert axis.get_xlim() == axis.get_ylim()


def _rgb(colour: str) -> tuple[float, ...]:
    return tuple(int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5))


def test_what_is_undecided_counts_in_no_ratio():
    found = table(*PAIR)
    figure = draw(Plot("speedup", x="a", configurations=("b",)), found, SUITE)
    (axis,) = figure.axes
    assert [round(bar.get_width(), 3) for bar in axis.patches] == [0.05]
    assert len(paired(found, "a", "b")) == 2


def test_speed_ups_that_differ_much_have_a_logarithmic_axis():
    """One bar of thousands would leave the others without a width."""
    scales = []
    for seconds in (0.5, 0.0005):
        found = table(
            record("n", "a", "f", "TRUE", 1.0), record("n", "b", "f", "TRUE", 0.8),
            record("m", "a", "f", "TRUE", 1.0), record("m", "b", "f", "TRUE", seconds),
        )  # fmt: skip
        figure = draw(Plot("speedup", x="a", configurations=("b",)), found, SUITE)
        scales.append(figure.axes[0].get_xscale())
    assert scales == ["linear", "log"]


def test_a_check_ended_by_force_has_the_time_of_its_process():
    (row,) = table(record("n", "b", "g", "UNKNOWN", 0.0))
    assert row.seconds == 25.0


def test_shares_of_ranks():
    ranks = [{"rank": 1, "built": 30}, {"rank": 2, "built": 10}]
    found = table(record("n", "a", "f", "TRUE", 1.0, ranks=ranks))
    (axis,) = draw(Plot("balance", configurations=("a",)), found, SUITE).axes
    assert [bar.get_width() for bar in axis.patches] == [0.75, 0.25]


def test_phases_are_stacked():
    figures = {"forward_seconds": 3.0, "clearing_seconds": 2.0}
    found = table(record("n", "a", "f", "TRUE", 5.0, figures=figures))
    parts = ("forward_seconds", "clearing_seconds")
    (axis,) = draw(Plot("phases", configurations=("a",), parts=parts), found, SUITE).axes
    assert [(bar.get_x(), bar.get_width()) for bar in axis.patches] == [(0.0, 3.0), (3.0, 2.0)]


def test_the_median_of_repetitions_counts():
    found = table(*(record("n", "a", "f", "TRUE", seconds) for seconds in (9.0, 1.0, 2.0)))
    assert [row.seconds for row in found] == [2.0]


@pytest.mark.parametrize("kind", ["scatter", "cactus", "speedup", "balance", "phases", "growth"])
def test_without_results_there_is_no_picture(kind):
    assert draw(Plot(kind, x="a", y="b", configurations=("b",)), [], SUITE) is None


def test_published_scores_stand_beside_what_is_decided_here():
    suite = parse_suite(
        {
            "title": "t",
            "nets": [{"family": "fms", "sizes": [2]}],
            "configurations": [{"name": "a"}, {"name": "b"}, {"name": "never run"}],
            "scores": {"name": "The contest", "of": 59360, "points": {"TAPAAL": 55033}},
        },
        "x",
    )
    heading, text = score_table(suite, table(*PAIR))
    assert heading == "<h2>The contest</h2>"
    cells = [re.findall(r"<td[^>]*>([^<]*)</td>", row) for row in text.split("<tr")]
    assert [row for row in cells if row] == [
        ["TAPAAL", "55,033", "59,360", "92.7%"],
        ["a, here", "2", "2", "100.0%"],
        ["b, here", "1", "2", "50.0%"],
    ]
    assert score_table(SUITE, table(*PAIR)) == []


@pytest.mark.parametrize(("size", "kind"), [(1000, "svg+xml"), (300_000, "png")])
def test_a_plot_of_thousands_of_points_does_not_swell_the_page(tmp_path, size, kind):
    (tmp_path / "1.svg").write_bytes(b"x" * size)
    (tmp_path / "1.png").write_bytes(b"\x89PNG")
    text = picture("a < b", tmp_path / "1.svg")
    assert f'src="data:image/{kind};base64,' in text
    assert "<figcaption>a &lt; b</figcaption>" in text
    assert len(text) < 2000


def test_geometric_mean():
    assert geometric_mean([1.0, 100.0]) == pytest.approx(10.0)
    assert geometric_mean([]) is None
