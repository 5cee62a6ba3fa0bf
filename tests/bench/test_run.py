"""A small suite from end to end: run, killed, resumed, reported, and a tool that lies."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from mpisog.bench.cases import Formula, cases
from mpisog.bench.commands import run_mpisog
from mpisog.bench.measure import Measured, Stop
from mpisog.bench.peers import PEERS
from mpisog.bench.results import ResultsWriter, read_results
from mpisog.bench.suite import Configuration, Limits, parse_suite
from mpisog.cli import last_resort
from mpisog.cli.main import main
from mpisog.errors import UsageError
from mpisog.nets.generators import generate
from mpisog.nets.load import load_net, write_net
from tests.helpers import command, environment, mpisog
from tests.report.browser import browser

SUITE = """
title = "A small suite & what it shows"
columns = ["product_states"]
[[nets]]
family = "philosophers"
sizes = [2, 3]
[formulas.random]
hold = 2
fail = 2
seed = 7
[limits]
timeout = 30
[[configurations]]
name = "sog"
options = ["--engine", "sog"]
[[configurations]]
name = "explicit"
options = ["--engine", "explicit"]
[[configurations]]
name = "absent"
peer = "ghost"
[[plots]]
kind = "scatter"
x = "sog"
y = "explicit"
[[plots]]
kind = "cactus"
[[plots]]
kind = "speedup"
x = "sog"
[[plots]]
kind = "growth"
[published."philosophers 2"]
"Paper" = { hold = 1, product_states = 1234567, seconds = 9.5 }
"""


class Ghost:
    """A tool that is not here."""

    name, programs, version_option = "ghost", ("no-such-program",), "-V"


@pytest.fixture
def suite(tmp_path, monkeypatch):
    monkeypatch.setitem(PEERS, "ghost", Ghost())
    path = tmp_path / "small.toml"
    path.write_text(SUITE)
    return path


def runs(folder: Path) -> list[dict[str, object]]:
    lines = [json.loads(line) for line in (folder / "results.jsonl").read_text().splitlines()]
    return [line for line in lines if line["type"] == "run"]


def test_run_resume_and_report(suite, tmp_path, capsys):
    out = tmp_path / "out"
    assert main(["bench", "run", str(suite), "--out", str(out), "--formulas", "2"]) == 0
    said = capsys.readouterr().out
    assert "absent: absent (no-such-program not found)\n" in said
    assert "small: 8 runs, 0 known before, no disagreement\n" in said
    first = runs(out)
    assert {(r["net"], r["configuration"]) for r in first} == {
        (f"philosophers {n}", tool) for n in (2, 3) for tool in ("sog", "explicit")
    }
    assert all(r["wall"] > 0 and r["cpu"] > 0 and r["peak_bytes"] > 2**20 for r in first)
    assert [r["results"][0]["verdict"] for r in first[:4]] == ["TRUE", "TRUE", "FALSE", "FALSE"]

    assert main(["bench", "run", str(suite), "--out", str(out)]) == 3  # results are there
    assert "--resume" in capsys.readouterr().err
    assert main(["bench", "run", str(suite), "--out", str(out), "--resume"]) == 0
    assert "small: 8 runs, 8 known before" in capsys.readouterr().out
    assert runs(out)[:8] == first
    assert len({r["key"] for r in runs(out)}) == len(runs(out)) == 16

    assert main(["bench", "report", str(out)]) == 0
    look_at(out / "report" / "index.html")


def look_at(page: Path) -> None:
    """In a browser: all pictures are drawn, tables are full, nothing is wider than the window."""
    with browser() as window:
        phone = {"width": 420, "height": 900, "deviceScaleFactor": 1, "mobile": True}
        window.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", phone)
        window.get(page.as_uri())
        sizes = window.execute_script(
            "return [...document.images].map(i => [i.complete, i.naturalWidth, i.clientWidth])"
        )
        assert len(sizes) == 4
        assert all(
            complete and real > 100 and 100 < drawn <= 420 for complete, real, drawn in sizes
        )
        assert window.execute_script("return document.documentElement.scrollWidth") <= 420
        text = window.find_element("tag name", "body").text
        assert "Disagreements: none." in text
        assert "absent (no-such-program not found)" in text
        assert "paper: Paper" in text
        assert "1,234,567" in text
        assert window.title == "small"
    for kind in ("1-scatter", "2-cactus", "3-speedup", "4-growth"):
        svg = (page.parent / f"{kind}.svg").read_text()
        assert svg.count("<path") > 5
        assert (page.parent / f"{kind}.png").read_bytes().startswith(b"\x89PNG")
    scatter = (page.parent / "1-scatter.svg").read_text()
    assert "points-holds" in scatter
    assert "points-violated" in scatter


COUNTS = """
title = "Counting"
columns = ["states"]
[[nets]]
family = "philosophers"
sizes = [3]
[[configurations]]
name = "two threads"
command = "states"
options = ["--engine", "explicit", "--threads", "2"]
"""


def test_a_configuration_that_never_answers_is_told(tmp_path, capsys):
    path = tmp_path / "typo.toml"
    path.write_text(
        'title = "T"\n[[nets]]\nfamily = "philosophers"\nsizes = [2]\nformulas = ["G !dead"]\n'
        '[[configurations]]\nname = "wrong"\noptions = ["--engine", "sogg"]\n'
        '[[configurations]]\nname = "right"\n'
    )
    assert main(["bench", "run", str(path), "--out", str(tmp_path / "out")]) == 0
    told = capsys.readouterr().err
    assert "wrong: no answer at all: mpisog: no engine is called 'sogg'" in told
    assert "right: no answer" not in told


def test_a_mistake_leaves_no_results_behind(suite, tmp_path, capsys):
    out = tmp_path / "out"
    assert main(["bench", "run", str(suite), "--out", str(out), "--nets", "none"]) == 3
    assert main(["bench", "report", str(out)]) == 3
    assert "no results here" in capsys.readouterr().err
    out.mkdir(exist_ok=True)
    (out / "results.jsonl").write_text("")
    assert main(["bench", "report", str(out)]) == 3
    assert "no run has been finished" in capsys.readouterr().err


def test_a_suite_that_counts_markings_has_no_columns_of_verdicts(tmp_path):
    suite, out = tmp_path / "counts.toml", tmp_path / "out"
    suite.write_text(COUNTS)
    assert main(["bench", "run", str(suite), "--out", str(out)]) == 0
    assert main(["bench", "report", str(out)]) == 0
    page = (out / "report" / "index.html").read_text()
    heads = re.findall(r"<th[^>]*>([^<]*)</th>", page)
    assert {"configuration", "states", "seconds"} <= set(heads)
    assert not {"hold", "violated", "formulas"} & set(heads)
    assert "<span class=whole>--threads</span> 2" in page  # no break between its dashes


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_killed_half_way_and_resumed(suite, tmp_path, number):
    """No finished run is lost, none is repeated."""
    suite.write_text(SUITE.replace('"ghost"', '"spin"'))
    out = tmp_path / "out"
    base = ("bench", "run", str(suite), "--out", str(out), "--tools", "sog,explicit")
    process = subprocess.Popen(command(*base), env=environment(), stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 120
    while not (out / "results.jsonl").exists() or len(runs_so_far(out)) < 3:
        assert time.monotonic() < deadline
        time.sleep(0.02)
    process.send_signal(number)
    code = process.wait()
    assert code == (2 if number == signal.SIGTERM else -number)
    before = runs_so_far(out)
    assert 3 <= len(before) < 16
    done = mpisog(*base, "--resume")
    assert done.returncode == 0, done.stderr
    assert f"{16 - len(before)} runs, {len(before)} known before" in done.stdout
    assert runs(out)[: len(before)] == before
    assert len({r["key"] for r in runs(out)}) == len(runs(out)) == 16


STUBBORN = """
import sys
from mpisog.bench.peers import PEERS
from mpisog.cli.main import run
code = "import signal, time; signal.signal(15, signal.SIG_IGN); print('ready', flush=True)"
class Stubborn:
    name, programs, version_option = "stubborn", ("true",), "--version"
    def commands(self, problem, folder):
        print("begun", flush=True)
        return [[sys.executable, "-c", code + "; time.sleep(100)"]]
PEERS["stubborn"] = Stubborn()
run()
"""


def test_a_run_that_ignores_signals_does_not_keep_the_suite_from_ending_well(tmp_path):
    path = tmp_path / "stubborn.toml"
    path.write_text(
        'title = "Stubborn"\n[[nets]]\nfamily = "philosophers"\nsizes = [2]\n'
        'formulas = ["G Think_1"]\n[[configurations]]\nname = "stubborn"\npeer = "stubborn"\n'
    )
    process = subprocess.Popen(
        [sys.executable, "-c", STUBBORN, "bench", "run", str(path), "--out", str(tmp_path / "out")],
        env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdout is not None
    assert process.stdout.readline() == "begun\n"
    deadline = time.monotonic() + 60
    while not any(f.read_text() for f in tmp_path.glob("out/run-*/stdout.txt")):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    process.terminate()
    _, said = process.communicate(timeout=60)
    assert process.returncode == 2
    assert said == "stubborn: stopped after 0 runs, 0 known before; --resume goes on\n"


def runs_so_far(folder: Path) -> list[dict[str, object]]:
    return list(read_results(folder).runs.values())


def test_half_a_line_is_dropped(tmp_path):
    path = tmp_path / "results.jsonl"
    path.write_bytes(b'{"type":"run","key":"a"}\n{"type":"run","ke')
    assert list(read_results(tmp_path).runs) == ["a"]
    writer = ResultsWriter(path)
    writer.add({"type": "run", "key": "b"})
    with pytest.raises(UsageError, match="another benchmark"):
        ResultsWriter(path)
    writer.close()
    assert list(read_results(tmp_path).runs) == ["a", "b"]


def test_a_broken_line_is_told(tmp_path):
    (tmp_path / "results.jsonl").write_text('{"type":"run","key":"a"}\nrubbish\n{}\n')
    with pytest.raises(UsageError) as caught:
        read_results(tmp_path)
    assert caught.value.line == 2


class Liar:
    """Says TRUE whatever is asked."""

    name, programs, version_option = "liar", ("true",), "--version"

    def commands(self, problem, folder):
        return [["true"]]

    def verdict(self, last: Measured) -> str:
        return "TRUE"


def test_a_disagreement_stops_the_suite_and_is_shrunk(tmp_path, monkeypatch, capsys):
    monkeypatch.setitem(PEERS, "liar", Liar())
    path = tmp_path / "lies.toml"
    path.write_text(
        'title = "Lies"\n[[nets]]\nfamily = "philosophers"\nsizes = [2, 3]\n'
        "formulas = ['holds: G \"Eat_1 <= 1\"', "
        "'fails: G(Think_1 -> F Eat_1) & G \"Eat_1 <= 1\"']\n"
        '[[configurations]]\nname = "dfs"\noptions = ["--engine", "dfs"]\n'
        '[[configurations]]\nname = "liar"\npeer = "liar"\n'
    )
    out = tmp_path / "out"
    assert main(["bench", "run", str(path), "--out", str(out)]) == 1
    said = capsys.readouterr().err
    assert "DISAGREEMENT: philosophers 2, fails: G(Think_1 -> F Eat_1)" in said
    assert "-- dfs: FALSE, liar: TRUE" in said
    assert len(runs(out)) == 4  # nothing ran after it
    found = out / "disagreement"
    net, formula = load_net(found / "net.pnml"), (found / "formula.ltl").read_text().strip()
    assert len(net.transitions) <= 1
    assert len(net.places) <= 2
    assert len(formula) < 12
    check = mpisog("check", str(found / "net.pnml"), "-f", formula, "--engine", "dfs")
    assert check.returncode == 1, check.stdout
    assert main(["bench", "report", str(out)]) == 0
    assert "Disagreements: 1" in (out / "report" / "index.html").read_text()


class Silent(Liar):
    """Says nothing."""

    name = "silent"

    def verdict(self, last: Measured) -> str | None:
        return None


def test_a_batch_is_one_process_and_a_peer_gets_one_formula_at_a_time(
    tmp_path, monkeypatch, capsys
):
    monkeypatch.setitem(PEERS, "silent", Silent())
    path = tmp_path / "batch.toml"
    path.write_text(
        'title = "Batch"\nbatch = true\n[[nets]]\nfamily = "philosophers"\nsizes = [2]\n'
        '[formulas.random]\ncount = 3\n[[configurations]]\nname = "auto"\n'
        '[[configurations]]\nname = "silent"\npeer = "silent"\n'
    )
    out = tmp_path / "out"
    assert main(["bench", "run", str(path), "--out", str(out)]) == 0
    found = [
        (run["configuration"], [answer["formula"] for answer in run["results"]])
        for run in runs(out)
    ]
    names = ["random-1", "random-2", "random-3"]
    assert found == [("auto", names), *(("silent", [name]) for name in names)]
    assert main(["bench", "report", str(out)]) == 0
    page = (out / "report" / "index.html").read_text()
    assert "it checks all formulas of a net one after the other" in page
    capsys.readouterr()
    assert main(["bench", "run", str(path), "--out", str(out), "--resume"]) == 0
    assert "batch: 0 runs, 4 known before" in capsys.readouterr().out
    assert len(runs(out)) == 4


def test_what_a_process_ended_by_force_never_came_to_is_checked_by_another(tmp_path, monkeypatch):
    """The first of two processes decides one formula and is ended by force in the second."""
    forced = {"verdict": "UNKNOWN", "seconds": 0.0, "reason": last_resort.REASON}
    decided = {"verdict": "TRUE", "seconds": 1.5, "reason": None}
    asked = []

    def process(command, bounds, folder, *_):
        names = [line.split(":")[0] for line in (folder / "formulas.ltl").read_text().splitlines()]
        asked.append(names)
        ends = [decided, forced, forced, forced] if len(names) == 4 else [decided, decided]
        results = [
            {"name": name, "formula": "G p", "engine": "dfs", **end}
            for name, end in zip(names, ends, strict=True)
        ]
        report = {"command": "check", "results": results}
        (folder / "report.json").write_text(json.dumps(report))
        return Measured(24.0, 3.0, 7, 1, 2, None, "", "")

    monkeypatch.setattr("mpisog.bench.commands.measure", process)
    formulas = [Formula(name, "G p", "ltl") for name in "abcd"]
    measured, answers = run_mpisog(
        Configuration("auto"), Path("net"), formulas, Limits(), tmp_path, Stop()
    )
    assert asked == [["a", "b", "c", "d"], ["c", "d"]]
    assert [answer["verdict"] for answer in answers] == ["TRUE", "UNKNOWN", "TRUE", "TRUE"]
    assert [answer["seconds"] for answer in answers] == [1.5, 22.5, 1.5, 1.5]
    assert (measured.wall, measured.cpu, measured.peak_bytes) == (48.0, 6.0, 7)


def test_a_known_verdict_counts_as_a_party(tmp_path, capsys):
    path = tmp_path / "known.toml"
    path.write_text(
        'title = "Known"\n[[nets]]\nfamily = "philosophers"\nsizes = [2]\n'
        'formulas = ["G Think_1"]\nexpected = "T"\n[[configurations]]\nname = "auto"\n'
    )
    assert main(["bench", "run", str(path), "--out", str(tmp_path / "out")]) == 1
    assert "-- expected: TRUE, auto: FALSE" in capsys.readouterr().err


def test_nobody_sees_half_a_net(tmp_path, monkeypatch):
    """Two parts that begin at the same time: a digest of half a file would be another run."""
    spec = {
        "title": "t", "nets": [{"family": "fms", "sizes": [2]}], "configurations": [{"name": "a"}],
    }  # fmt: skip
    seen = []

    def write_slowly(net, path):
        seen.append((tmp_path / "fms-2.pnml").exists())
        write_net(net, path)
        seen.append((tmp_path / "fms-2.pnml").exists())

    monkeypatch.setattr("mpisog.bench.cases.write_net", write_slowly)
    (case,) = cases(parse_suite(spec, "x"), tmp_path)
    assert seen == [False, False]
    assert case.path == tmp_path / "fms-2.pnml"
    assert load_net(case.path) == generate("fms", 2)


def test_parts_together_are_the_whole(tmp_path):
    path = tmp_path / "parts.toml"
    path.write_text(
        'title = "Parts"\n[[nets]]\nfamily = "philosophers"\nsizes = [2, 3]\n'
        "[formulas.random]\ncount = 3\n"
        '[[configurations]]\nname = "auto"\n[[configurations]]\nname = "dfs"\n'
        'options = ["--engine", "dfs"]\n'
    )
    out = tmp_path / "out"
    for part in ("1/2", "2/2"):
        assert main(["bench", "run", str(path), "--out", str(out), "--part", part]) == 0
    parts = [len((out / f"results-{n}.jsonl").read_text().splitlines()) for n in (1, 2)]
    assert parts == [7, 7]
    assert len(read_results(out).runs) == 12
    assert main(["bench", "run", str(path), "--out", str(out), "--resume"]) == 0
    assert len((out / "results.jsonl").read_text().splitlines()) == 1  # a session without runs
