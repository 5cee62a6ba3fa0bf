"""``mpisog check``: exit codes, formats, sources of properties."""

from __future__ import annotations

import json
import re

import pytest

from mpisog.nets.generators import generate
from mpisog.spotglue.emptiness import ALGORITHMS
from mpisog.trace.explain import explain
from tests.executor.test_jobs import finish, start
from tests.helpers import pump, saved, toggle, u_then_o


@pytest.fixture
def net(tmp_path):
    return saved(u_then_o(), tmp_path)


@pytest.mark.parametrize(
    ("formulas", "code"),
    [
        (["fire(u)"], 0),
        (["F dead", "a"], 0),
        (["fire(o)"], 1),
        (["F dead", "fire(o)"], 1),
    ],
)
def test_exit_code_0_and_1(cli, net, formulas, code):
    outcome = cli("check", net, *(part for text in formulas for part in ("-f", text)))
    assert outcome.code == code
    assert outcome.err == ""


def test_exit_code_2_for_an_unbounded_net(cli, tmp_path):
    path = saved(pump(), tmp_path)
    outcome = cli("check", path, "-f", "G run", "-f", "F dead", "--timeout", "4")
    assert outcome.code == 2
    reason = "the net is unbounded: tokens pile up in place 'tank'; time limit of 4 s reached"
    assert outcome.out.count(reason) == 1


@pytest.fixture
def broken_for_events(monkeypatch):
    """The explicit engine with a bug that formulas with events meet."""
    from mpisog.engines.explicit import Explicit

    run = Explicit.run

    def broken(self, problem, resources, budget):
        if problem.bound.has_events:
            raise RuntimeError("a bug on purpose")
        return run(self, problem, resources, budget)

    monkeypatch.setattr("mpisog.engines.explicit.Explicit.run", broken)


BATCH = ("-f", "F dead", "-f", "fire(u)", "-f", "G a", "--engine", "explicit", "--no-trace")


def test_exit_code_4_for_an_internal_error(cli, net, broken_for_events):
    outcome = cli("check", net, "-f", "fire(u)", "--engine", "explicit")
    assert outcome.code == 4
    assert outcome.out.startswith("UNKNOWN formula-1: fire(u)  (")
    assert outcome.err.startswith("Traceback")
    assert "a bug on purpose" in outcome.err
    assert "mpisog: internal error in formula-1, please report it" in outcome.err


def test_the_others_keep_their_verdicts_after_an_internal_error(
    cli, net, broken_for_events, tmp_path
):
    outcome = cli("check", net, *BATCH, "--log-dir", tmp_path / "logs")
    assert outcome.code == 4
    lines = [line.split(" (")[0].rstrip() for line in outcome.out.splitlines()]
    assert [line for line in lines if "formula" in line or "reason" in line][:4] == [
        "TRUE    formula-1: F dead",
        "UNKNOWN formula-2: fire(u)",
        "  reason: internal error: a bug on purpose",
        "FALSE   formula-3: G a",
    ]
    assert lines[-1] == "3 properties: 1 hold, 1 violated, 1 unknown"
    assert outcome.err.count("Traceback") == 1
    assert "a bug on purpose" in (tmp_path / "logs" / "rank-0.log").read_text()


def test_json_and_contest_lines_after_an_internal_error(cli, net, broken_for_events):
    report = json.loads(cli("check", net, *BATCH, "--json", "-").out)
    assert report["exit_code"] == 4
    assert [result["verdict"] for result in report["results"]] == ["TRUE", "UNKNOWN", "FALSE"]
    assert [bool(result["error"]) for result in report["results"]] == [False, True, False]
    outcome = cli("check", net, *BATCH, "--mcc")
    assert [line.split()[2] for line in outcome.out.splitlines()] == [
        "TRUE",
        "CANNOT_COMPUTE",
        "FALSE",
    ]
    assert outcome.code == 4


def test_the_python_interface_raises_internal_errors(broken_for_events):
    import mpisog

    with pytest.raises(RuntimeError, match="a bug on purpose"):
        mpisog.check(u_then_o(), "fire(u)", engine="explicit")


def test_a_lasso_that_does_not_replay_is_an_internal_error(cli, net, monkeypatch):
    from mpisog.engines.base import Finding
    from mpisog.trace.lasso import Lasso

    def wrong(self, problem, resources, budget):
        return Finding(Lasso(problem.net, (1, 0), ()))  # o before u

    monkeypatch.setattr("mpisog.engines.explicit.Explicit.run", wrong)
    outcome = cli("check", net, "-f", "fire(u)", "--engine", "explicit")
    assert outcome.code == 4
    assert "FALSE" not in outcome.out


def test_results_come_in_input_order(cli, net, tmp_path):
    formulas = tmp_path / "more.ltl"
    formulas.write_text("zeta: F dead\nalpha: fire(o)\n")
    outcome = cli("check", net, "-F", formulas, "-f", "fire(u)", "-f", "fire(o)", "--no-trace")
    lines = outcome.out.splitlines()
    assert [line.split("  (")[0] for line in lines if line.startswith(("TRUE    ", "FALSE   "))][
        :4
    ] == [
        "TRUE    formula-1: fire(u)",
        "FALSE   formula-2: fire(o)",
        "TRUE    zeta: F dead",
        "FALSE   alpha: fire(o)",
    ]
    assert lines[-1].startswith("4 properties: 2 hold, 2 violated (")


XML = """<property-set xmlns="http://mcc.lip6.fr/">
<property><id>N-00</id><formula><all-paths><finally><deadlock/></finally></all-paths></formula></property>
<property><id>N-01</id><formula><all-paths><globally><is-fireable><transition>u</transition>
</is-fireable></globally></all-paths></formula></property>
</property-set>"""


def test_mcc_lines_and_nothing_else(cli, net, tmp_path):
    path = tmp_path / "LTL.xml"
    path.write_text(XML)
    outcome = cli("check", net, "-x", path, "--mcc", "--engine", "explicit")
    assert outcome.out.splitlines() == [
        "FORMULA N-00 TRUE TECHNIQUES EXPLICIT SEQUENTIAL_PROCESSING",
        "FORMULA N-01 FALSE TECHNIQUES EXPLICIT SEQUENTIAL_PROCESSING",
    ]
    assert outcome.code == 1


@pytest.mark.parametrize("option", ["--jobs", "--threads"])
def test_the_contest_is_told_of_several_workers(option, net, tmp_path):
    path = tmp_path / "LTL.xml"
    path.write_text(XML)
    _, out, _ = finish(start(net, "-x", path, "--mcc", option, 2))
    assert [line.split()[-1] for line in out.splitlines()] == ["PARALLEL_PROCESSING"] * 2


def test_mcc_cannot_compute(cli, tmp_path):
    net = saved(pump(), tmp_path)
    outcome = cli("check", net, "-f", "F X fire(fill)", "--mcc", "--engine", "explicit")
    line = "FORMULA formula-1 CANNOT_COMPUTE TECHNIQUES EXPLICIT SEQUENTIAL_PROCESSING\n"
    assert (outcome.code, outcome.out) == (2, line)


@pytest.mark.parametrize("wanted", ["N-01", "1", "01"])
def test_a_property_is_selected(cli, net, tmp_path, wanted):
    path = tmp_path / "LTL.xml"
    path.write_text(XML)
    outcome = cli("check", net, "-x", path, "--property", wanted, "--mcc")
    assert [line.split()[1] for line in outcome.out.splitlines()] == ["N-01"]


def test_a_property_without_an_xml_file(cli, net):
    outcome = cli("check", net, "-f", "a", "--property", "1")
    assert outcome.code == 3
    assert "--property selects from an XML file" in outcome.err


def test_nothing_to_check(cli, net):
    outcome = cli("check", net)
    assert outcome.code == 3
    assert "nothing to check (give -f" in outcome.err


@pytest.mark.parametrize("emptiness", ALGORITHMS)
def test_every_emptiness_check_by_name(cli, net, emptiness):
    outcome = cli("check", net, "-f", "F dead", "-f", "fire(o)", "--emptiness", emptiness, "--mcc")
    assert [line.split()[2] for line in outcome.out.splitlines()] == ["TRUE", "FALSE"]


def test_a_quoted_name_is_not_read_as_an_operator(cli, tmp_path):
    net = generate("philosophers", 2)
    outcome = cli("check", saved(net, tmp_path), "-f", "G !dead", "-f", "Fork_1 & G true")
    assert outcome.code == 1
    assert "FALSE   formula-1" in outcome.out
    assert "TRUE    formula-2" in outcome.out


def test_trace_formats(cli, net, tmp_path):
    assert cli("check", net, "-f", "G !o", "--trace-format", "tina").out.splitlines()[1:] == ["u o"]
    assert len(cli("check", net, "-f", "fire(o)", "--no-trace").out.splitlines()) == 1
    folder = tmp_path / "traces" / "deep"
    cli("check", net, "-f", "G !o", "-f", "F dead", "--trace-dir", folder)
    assert {path.name: path.read_text() for path in folder.iterdir()} == {"formula-1.scn": "u o\n"}


def test_scenarios_of_names_that_make_no_files(cli, net, tmp_path):
    path = tmp_path / "LTL.xml"
    alike = XML.replace("N-00", "N/01").replace("N-01", "N_01")
    path.write_text(alike.replace("deadlock", "false"))
    assert cli("check", net, "-x", path, "--trace-dir", tmp_path / "two").code == 1
    assert {file.name for file in (tmp_path / "two").iterdir()} == {"N_01.scn", "N_01-2.scn"}
    path.write_text(XML.replace("N-01", "ä" * 300))
    assert cli("check", net, "-x", path, "--trace-dir", tmp_path / "long").code == 1
    assert {file.stem for file in (tmp_path / "long").iterdir()} == {"ä" * 100}


@pytest.mark.parametrize(
    ("options", "explained"),
    [
        ([], True),
        (["--json", "-"], True),
        (["--mcc", "--json", "FILE"], True),
        (["--no-trace", "--html", "FILE"], True),
        (["--no-trace", "--json", "FILE"], False),
        (["--trace-format", "tina"], False),
        (["--mcc"], False),
    ],
)
def test_what_nobody_reads_is_not_explained(cli, net, tmp_path, monkeypatch, options, explained):
    asked = []

    def counted(lasso, *arguments, **options):
        asked.append(lasso)
        return explain(lasso, *arguments, **options)

    monkeypatch.setattr("mpisog.trace.explain.explain", counted)
    files = [str(tmp_path / "out") if option == "FILE" else option for option in options]
    cli("check", net, "-f", "fire(o)", *files)
    assert bool(asked) == explained


@pytest.mark.parametrize(
    ("options", "shortened"),
    [(["--mcc"], False), (["--mcc", "--trace-dir", "DIR"], True), (["--no-trace"], True)],
)
def test_what_nobody_sees_is_not_shortened(cli, net, tmp_path, monkeypatch, options, shortened):
    """Without a trace the summary still says how many steps it has."""
    asked = []

    def counted(lasso, *arguments, **options):
        asked.append(lasso)
        return lasso

    monkeypatch.setattr("mpisog.engines.batch.shorten", counted)
    paths = [str(tmp_path / "out") if option == "DIR" else option for option in options]
    cli("check", net, "-f", "fire(o)", *paths)
    assert bool(asked) == shortened


def test_a_trace_directory_that_cannot_be(cli, net, tmp_path):
    (tmp_path / "file").write_text("")
    outcome = cli("check", net, "-f", "fire(o)", "--trace-dir", tmp_path / "file")
    assert outcome.code == 3


def test_verbose_has_engine_and_figures(cli, net):
    outcome = cli("check", net, "-f", "F dead", "-v", "--engine", "explicit", "--reduce", "none")
    assert "engine: explicit" in outcome.out
    assert "markings: 3" in outcome.out


def test_verbose_shows_what_was_reduced(cli, net):
    outcome = cli("check", net, "-f", "F c", "-v", "--engine", "sog")
    assert "reduced places: 2\n  reduced transitions: 1" in outcome.out
    assert "post-agglomeration 1" in outcome.out


def test_an_unknown_level_of_reduction(cli, net):
    outcome = cli("check", net, "-f", "F c", "--reduce", "ful")
    assert outcome.code == 3
    assert "'full'" in outcome.err


def test_verbose_says_which_engine_auto_picked(cli, net):
    outcome = cli("check", net, "-f", "F dead", "-f", "F dead | ! F dead", "-v")
    first, second = (line for line in outcome.out.splitlines() if "engine: " in line)
    assert "engine: dfs" in first
    assert re.search(r"  stage +seconds\n  formula +0\.\d\d\n  first dfs +0\.", outcome.out)
    assert "engine: state_equation" in second
    assert "proof: no word violates it" in outcome.out


@pytest.mark.parametrize("option", ["--json", "--html"])
def test_the_contests_lines_are_alone_on_stdout(cli, net, option):
    outcome = cli("check", net, "-f", "F dead", "--mcc", option, "-")
    assert (outcome.code, outcome.out) == (3, "")
    assert "only one output can go to standard output" in outcome.err


def test_json_on_stdout_is_alone(cli, net):
    outcome = cli("check", net, "-f", "fire(o)", "-f", "F dead", "--json", "-")
    assert len(json.loads(outcome.out)["results"]) == 2


def test_a_net_that_never_ends(cli, tmp_path):
    outcome = cli("check", saved(toggle(), tmp_path), "-f", "G F on", "-f", "F G on", "--mcc")
    assert [line.split()[2] for line in outcome.out.splitlines()] == ["TRUE", "FALSE"]


def test_reused_graphs_are_reported(cli, net):
    formulas = ["F(a & b)", "G a", "G(a -> F b)", "G c"]  # the third's atoms are the first's
    given = [part for text in formulas for part in ("-f", text)]
    outcome = cli("check", net, *given, "--engine", "sog", "--reduce", "none", "--reuse")
    assert outcome.err == "observation graphs reused: 2 of 4 formulas\n"
    assert "reused" not in cli("check", net, *given, "--engine", "sog").err
