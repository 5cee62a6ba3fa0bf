"""``mpisog check``: exit codes, formats, sources of properties."""

from __future__ import annotations

import json

import pytest

from mpisog.nets.generators import generate
from mpisog.spotglue.emptiness import ALGORITHMS
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
    outcome = cli("check", path, "-f", "G run", "-f", "F dead")
    assert outcome.code == 2
    assert outcome.out.count("the net is unbounded: tokens pile up in place 'tank'") == 2


def test_exit_code_4_for_an_internal_error(cli, net, monkeypatch):
    def broken(*_):
        raise RuntimeError("a bug on purpose")

    monkeypatch.setattr("mpisog.engines.explicit.ExplicitEngine.check", broken)
    outcome = cli("check", net, "-f", "fire(u)", "--engine", "explicit")
    assert (outcome.code, outcome.out) == (4, "")
    assert "a bug on purpose" in outcome.err
    assert "internal error, please report it" in outcome.err


def test_a_lasso_that_does_not_replay_is_an_internal_error(cli, net, monkeypatch):
    from mpisog.engines.base import Finding
    from mpisog.trace.lasso import Lasso

    def wrong(self, session, bound, config, watch):
        return Finding(Lasso(session.net, (1, 0), ()))  # o before u

    monkeypatch.setattr("mpisog.engines.explicit.ExplicitEngine.check", wrong)
    outcome = cli("check", net, "-f", "fire(u)", "--engine", "explicit")
    assert outcome.code == 4
    assert "FALSE" not in outcome.out


def test_results_come_in_input_order(cli, net, tmp_path):
    formulas = tmp_path / "more.ltl"
    formulas.write_text("zeta: F dead\nalpha: fire(o)\n")
    outcome = cli("check", net, "-F", formulas, "-f", "fire(u)", "-f", "fire(o)", "--no-trace")
    assert outcome.out.splitlines() == [
        "TRUE    formula-1: fire(u)",
        "FALSE   formula-2: fire(o)",
        "TRUE    zeta: F dead",
        "FALSE   alpha: fire(o)",
        "4 properties: 2 hold, 2 violated",
    ]


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
    assert cli("check", net, "-f", "fire(o)", "--trace-format", "tina").out.splitlines()[1:] == [
        "u o"
    ]
    assert cli("check", net, "-f", "fire(o)", "--no-trace").out == "FALSE   formula-1: fire(o)\n"
    folder = tmp_path / "traces" / "deep"
    cli("check", net, "-f", "fire(o)", "-f", "F dead", "--trace-dir", folder)
    assert {path.name: path.read_text() for path in folder.iterdir()} == {"formula-1.scn": "u o\n"}


def test_a_trace_directory_that_cannot_be(cli, net, tmp_path):
    (tmp_path / "file").write_text("")
    outcome = cli("check", net, "-f", "fire(o)", "--trace-dir", tmp_path / "file")
    assert outcome.code == 3


def test_verbose_has_engine_and_figures(cli, net):
    outcome = cli("check", net, "-f", "F dead", "-v", "--engine", "explicit", "--reduce", "none")
    assert "engine explicit" in outcome.out
    assert "markings 3" in outcome.out


def test_verbose_shows_what_was_reduced(cli, net):
    outcome = cli("check", net, "-f", "F c", "-v", "--engine", "sog")
    assert "reduced places 2, reduced transitions 1" in outcome.out
    assert "post-agglomeration 1" in outcome.out


def test_an_unknown_level_of_reduction(cli, net):
    outcome = cli("check", net, "-f", "F c", "--reduce", "ful")
    assert outcome.code == 3
    assert "'full'" in outcome.err


def test_verbose_says_which_engine_auto_picked(cli, net):
    outcome = cli("check", net, "-f", "F dead", "-f", "F dead | ! F dead", "-v")
    first, second = (line for line in outcome.out.splitlines() if "engine" in line)
    assert "engine search" in first
    assert "phases formula 0.00 s; search (forward)" in first
    assert "engine settling" in second
    assert "settled no word violates it" in second


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
