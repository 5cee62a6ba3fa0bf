"""Result lines, the contest's lines and the JSON report's schema."""

from __future__ import annotations

import hashlib
import itertools
import json
import platform
import re
import socket
from dataclasses import fields
from datetime import UTC, datetime, timedelta
from importlib import metadata
from pathlib import Path

import pytest

from mpisog import __version__
from mpisog.cli.main import main
from mpisog.config import RunConfig
from mpisog.report.mcc import result_line
from mpisog.report.provenance import input_digests, provenance
from mpisog.report.style import Style
from mpisog.report.text import result_text, summary
from mpisog.trace.lasso import Lasso
from mpisog.verdict import Result, Verdict
from tests.helpers import pump, saved, u_then_o

HEADER = {"schema", "command", "mpisog", "net", "provenance"}


def result(verdict, **more):
    return Result("safe", "G p", verdict, "explicit", **more)


def test_lines_for_people():
    holds = result(Verdict.TRUE, notices=("`p` is true in every marking",), seconds=0.25)
    assert result_text(holds).splitlines() == [
        "TRUE    safe: G p  (0.250 s)",
        "  how: engine explicit: nothing left to explore",
        "  notice: `p` is true in every marking",
    ]
    unknown = result(Verdict.UNKNOWN, reason="time limit of 1 s reached", seconds=12)
    assert result_text(unknown).splitlines() == [
        "UNKNOWN safe: G p  (12.0 s)",
        "  reason: time limit of 1 s reached",
    ]
    violated = result(Verdict.FALSE, trace=Lasso(u_then_o(), (0, 1), ()))
    assert result_text(violated).splitlines() == ["FALSE   safe: G p  (0.000 s)"]


def test_long_formulas_are_cut_unless_all_is_wanted():
    formula = " & ".join(f"F p{i}" for i in range(100))
    long = Result("long", formula, Verdict.UNKNOWN, "explicit")
    assert len(result_text(long)) < 200
    assert "..." in result_text(long)
    assert formula in result_text(long, verbose=True)


def test_figures_when_asked_for():
    statistics = {"phases": "formula 0.00 s; long search (random) 1.20 s", "product_states": 7}
    lasso = Lasso(u_then_o(), (0, 1), ())
    violated = result(Verdict.FALSE, seconds=1.5, statistics=statistics, trace=lasso)
    text = result_text(violated, verbose=True)
    assert text.splitlines()[1:] == [
        "  engine: explicit",
        "  stage                 seconds",
        "  formula                  0.00",
        "  long search (random)     1.20",
        "  product states: 7",
    ]


def test_the_summary_is_a_table():
    results = [
        Result("a", "G p", Verdict.TRUE, "dfs", seconds=0.5),
        Result("second", "F p", Verdict.UNKNOWN, "dfs", reason="out of memory", seconds=20),
    ]
    assert summary(results).splitlines() == [
        "verdict  name    time     steps",
        "TRUE     a       0.500 s         G p",
        "UNKNOWN  second  20.0 s          out of memory",
        "2 properties: 1 hold, 1 unknown (20.5 s)",
    ]
    coloured = summary(results, Style(colour=True))
    assert "\033[1;32mTRUE" in coloured


@pytest.mark.parametrize("columns", [10, 45, 80, 200])
@pytest.mark.parametrize("colour", [True, False])
def test_a_row_of_the_table_is_one_line_and_no_word_is_broken(columns, colour):
    formula = "G(first_place -> F second_place) & G(third_place -> F fourth_place)"
    long = Result("a-name-of-some-length", formula, Verdict.TRUE, "dfs")
    table = plain(summary([long], Style(colour, columns))).splitlines()
    (row,) = [line.split() for line in table if line.strip().startswith("TRUE")]
    assert row[:4] == ["TRUE", long.name, "0.000", "s"]
    assert set(row[4:]) <= {*formula.split(), "..."}
    assert (row[4:] == formula.split()) is (columns == 200)
    assert columns < 80 or max(map(len, table)) <= columns


def plain(text: str) -> str:
    return re.sub(r"\033\[[\d;]*m", "", text)


def test_a_formula_that_does_not_fit_stands_below_its_verdict():
    formula = "G(first_place -> F second_place) & G(third_place -> F fourth_place)"
    lasso = Lasso(u_then_o(), (0, 1), ())
    long = Result("safe", formula, Verdict.FALSE, "dfs", trace=lasso, seconds=0.25)
    assert plain(result_text(long, style=Style(colour=True, width=40))).splitlines() == [
        "FALSE   safe  (0.250 s)",
        "        G(first_place -> F second_place)",
        "        & G(third_place -> F",
        "        fourth_place)",
    ]


@pytest.mark.parametrize(
    ("verdict", "code"), [(Verdict.TRUE, 32), (Verdict.FALSE, 31), (Verdict.UNKNOWN, 33)]
)
def test_colours(verdict, code):
    text = result_text(result(verdict), style=Style(colour=True)).splitlines()[0]
    assert text == f"\033[1;{code}m{verdict!s:<7}\033[0m safe: G p  (0.000 s)"


@pytest.mark.parametrize(
    ("verdict", "word"),
    [(Verdict.TRUE, "TRUE"), (Verdict.FALSE, "FALSE"), (Verdict.UNKNOWN, "CANNOT_COMPUTE")],
)
def test_contest_lines(verdict, word):
    line = f"FORMULA safe {word} TECHNIQUES EXPLICIT"
    assert result_line(result(verdict), parallel=False) == f"{line} SEQUENTIAL_PROCESSING"
    assert result_line(result(verdict), parallel=True) == f"{line} PARALLEL_PROCESSING"


@pytest.fixture
def report(tmp_path):
    """Runs a command with ``--json FILE`` and gives the parsed report."""

    def run(command, net, *arguments):
        path = saved(net, tmp_path)
        target = tmp_path / "report.json"
        run.code = int(main([command, path, *arguments, "--json", str(target)]))
        data = json.loads(target.read_text(encoding="utf-8"))
        assert data["net"]["path"] == path
        return data

    return run


def assert_header(data, command):
    assert data["schema"] == 1
    assert data["command"] == command
    assert data["mpisog"] == __version__
    assert set(data["net"]) == {"path", "name", "places", "transitions", "arcs"}
    assert (data["net"]["name"], data["net"]["places"]) == ("u_then_o", 3)
    assert (data["net"]["transitions"], data["net"]["arcs"]) == (2, 4)


def test_a_witness_is_reported_as_one(report):
    data = report("check", u_then_o(), "-l", "E<> dead", "-l", 'E<> "a + c >= 2"')
    shown, refuted = data["results"]
    assert (shown["verdict"], shown["trace_kind"]) == ("TRUE", "witness")
    assert shown["trace"]["prefix"] == ["u", "o"]
    assert (refuted["verdict"], refuted["trace"], refuted["trace_kind"]) == ("FALSE", None, None)
    assert report.code == 1


def test_check_report(report):
    data = report("check", u_then_o(), "-f", "F dead", "-f", "fire(o)", "--engine", "explicit")
    assert set(data) == HEADER | {"exit_code", "results"}
    assert_header(data, "check")
    assert data["exit_code"] == report.code == 1
    holds, violated = data["results"]
    for entry in (holds, violated):
        assert set(entry) == {
            "name", "formula", "verdict", "reason", "error", "engine", "seconds", "statistics",
            "ranks", "trace", "trace_kind", "notices", "conjunct",
        }  # fmt: skip
        assert isinstance(entry["seconds"], float)
        assert all(isinstance(value, int | float | str) for value in entry["statistics"].values())
        assert (entry["engine"], entry["reason"]) == ("explicit", None)
    assert (holds["name"], holds["formula"], holds["verdict"]) == ("formula-1", "F dead", "TRUE")
    assert holds["trace"] is holds["trace_kind"] is None
    assert (violated["verdict"], violated["trace_kind"]) == ("FALSE", "counterexample")
    story = violated["trace"].pop("explanation")
    assert story["why"] == ["step 1 is `u`, not `o`"]
    assert story["atoms"] == ["o"]
    assert story["conjunct"] is None
    assert [step["fires"] for step in story["steps"]] == ["u", "o", None]
    assert story["steps"][0]["changes"] == {"a": [1, 0], "b": [0, 1]}
    assert story["holds"] == [{"formula": "o", "at": [1]}]
    assert violated["trace"] == {
        "prefix": ["u", "o"],
        "cycle": [],
        "ends_dead": True,
        "sealed_at": 1,
        "shortest": None,
        "initial_marking": {"a": 1},
        "cycle_marking": {"c": 1},
        "replayed": True,
    }


def test_check_report_of_an_unknown(report):
    data = report("check", pump(), "-f", "F dead")
    (entry,) = data["results"]
    assert (data["exit_code"], entry["verdict"], entry["trace"]) == (2, "UNKNOWN", None)
    assert entry["reason"] == (
        "the net is unbounded: tokens pile up in place 'tank';"
        " no counterexample found with few tokens in every place"
    )


SETTINGS = {field.name for field in fields(RunConfig)}


def test_provenance_of_a_check(report, tmp_path):
    formulas = tmp_path / "formulas.txt"
    formulas.write_text("F dead\n")
    lrl = tmp_path / "formulas.lrl"
    lrl.write_text("A<> dead\n")
    data = report(
        "check", u_then_o(), "-F", str(formulas), "-L", str(lrl), "--forbid", "2"
    )["provenance"]  # fmt: skip
    assert set(data) == {
        "written", "command_line", "versions", "platform", "hosts", "ranks", "threads", "job",
        "settings", "seed", "inputs",
    }  # fmt: skip
    net = str(tmp_path / "u_then_o.pnml")
    assert data["command_line"][:5] == ["mpisog", "check", net, "-F", str(formulas)]
    assert data["inputs"] == [
        {"path": path, "sha256": hashlib.sha256(Path(path).read_bytes()).hexdigest()}
        for path in (net, str(formulas), str(lrl))
    ]
    assert (data["ranks"], data["threads"], data["job"]) == (1, 1, None)
    assert data["hosts"] == [socket.gethostname()]
    assert set(data["settings"]) == SETTINGS
    assert data["settings"]["forbid"] == 2
    versions = data["versions"]
    assert set(versions) == {"mpisog", "python", "spot", "compiler", "mpi"}
    assert versions["python"] == platform.python_version()
    assert versions["spot"] in metadata.version("spottl")
    assert versions["mpisog"] == metadata.version("mpisog")
    assert versions["compiler"].split()[0] in {"GCC", "Clang"}
    written = datetime.fromisoformat(data["written"])
    assert abs(datetime.now(UTC) - written) < timedelta(hours=1)


def test_provenance_of_ranks_and_jobs(monkeypatch):
    monkeypatch.setenv("OMPI_COMM_WORLD_SIZE", "3")
    monkeypatch.setenv("SLURM_JOB_ID", "77")
    monkeypatch.setenv("SLURM_JOB_NODELIST", "n[1-2]")
    monkeypatch.setenv("PYTHONHASHSEED", "5")
    data = provenance(["mpisog", "info"], [])
    assert (data["ranks"], data["seed"], data["settings"]) == (3, "5", None)
    assert (data["job"]["scheduler"], data["job"]["id"]) == ("slurm", "77")
    assert data["job"]["nodes"] == "n[1-2]"


def test_digests_are_of_what_was_read():
    assert input_digests(["-", "/none"]) == [
        {"path": "-", "sha256": None},
        {"path": "/none", "sha256": None},
    ]


def test_the_order_of_the_places_is_told(report, tmp_path):
    arguments = ("-f", "F dead", "--engine", "sog", "--backend", "mdd", "--reduce", "none")
    (entry,) = report("check", u_then_o(), *arguments)["results"]
    assert entry["statistics"]["backend"] == "mdd"
    orders = itertools.permutations("abc")
    digests = {
        hashlib.sha256("".join(f"{p}\n" for p in o).encode()).hexdigest()[:12] for o in orders
    }
    assert entry["statistics"]["order"] in digests


FIGURES = {"states": 3, "edges": 2, "dead": 1, "max_tokens_in_marking": 1, "max_tokens_in_place": 1}


def test_states_report(report):
    data = report("states", u_then_o())
    assert set(data) >= HEADER | set(FIGURES) | {"seconds", "complete", "reason"}
    assert_header(data, "states")
    found = {name: data[name] for name in FIGURES}
    assert found == FIGURES
    assert all(type(value) is int for value in found.values())
    assert (data["complete"], data["reason"]) == (True, None)


def test_states_report_of_an_unbounded_net(report):
    data = report("states", pump())
    assert set(data) >= HEADER | set(FIGURES) | {"seconds", "complete", "reason"}
    assert all(data[name] is None for name in FIGURES)
    assert data["complete"] is False
    assert "unbounded" in data["reason"]


def test_info_report(report):
    data = report("info", u_then_o(), "-f", "F fire(o)")
    assert set(data) == HEADER | {"facts", "formulas"}
    assert_header(data, "info")
    (formula,) = data["formulas"]
    assert formula == {
        "formula": "F fire(o)",
        "atoms": ["fire(o)"],
        "observed_places": [],
        "observed_transitions": ["o"],
        "stutter_invariant": True,
    }
