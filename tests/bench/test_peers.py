"""Adapters of tools that are not here: what they write, and how they read verdicts."""

from __future__ import annotations

import re

import pytest

from mpisog.bench.measure import Measured
from mpisog.bench.peers import PEERS
from mpisog.bench.peers.base import PeerProblem, Unfit
from mpisog.bench.peers.its import gal
from mpisog.bench.peers.nusmv import smv
from mpisog.formulas.mcc_xml import read_mcc_properties
from mpisog.formulas.properties import from_texts
from mpisog.nets.load import load_net
from mpisog.nets.model import make_net
from mpisog.spotglue.ltl import bind
from tests.helpers import mpisog, pump, saved

NET = make_net(
    "odd-names",
    {"a b": 2, "c": 0},
    {"go": ({"a b": 1}, {"c": 1}), "two": ({"c": 2}, {"a b": 2})},
)


def problem(text: str, tmp_path, net=NET) -> PeerProblem:
    return PeerProblem(tmp_path / "x", net, bind(from_texts([text])[0], net))


def measured(stdout: str = "", code: int = 0, stderr: str = "") -> Measured:
    return Measured(1, 1, 1, 1, code, None, stdout, stderr)


@pytest.mark.parametrize(
    "text",
    [
        'G("{a b} + c == 2")', "F dead", "G(c -> F !c)", '"2*{a b} >= c" U "fireable(two)"',
        'X X "{a b} != 2"', '(c R "c < 2") xor F G "{a b} > 0"', '"c <= {a b}" M true', "G true",
    ],
)  # fmt: skip
def test_the_contest_file_of_verifypn_means_the_same(text, tmp_path):
    """Our own reader of such files gives the same verdict as for the formula itself."""
    commands = PEERS["verifypn"].commands(problem(text, tmp_path), tmp_path)
    assert commands == [["verifypn", "-x", "1", "plain.pnml", "query.xml"]]
    read_mcc_properties(tmp_path / "query.xml", load_net(tmp_path / "plain.pnml"))
    net = saved(NET, tmp_path)
    ours = mpisog("check", net, "-f", text)
    theirs = mpisog("check", str(tmp_path / "plain.pnml"), "-x", str(tmp_path / "query.xml"))
    assert ours.returncode == theirs.returncode in (0, 1), theirs.stderr


def test_smv(tmp_path):
    lines = smv(problem("G(c -> F dead)", tmp_path)).splitlines()
    assert "  p0 : 0..2;" in lines
    assert "  p0 = 2 & p1 = 0" in lines
    assert "  (t0 & next(p0) = p0 + -1 & next(p1) = p1 + 1)" in lines
    assert "  | (t1 & next(p0) = p0 + 2 & next(p1) = p1 + -2)" in lines
    assert "  | (!t0 & !t1 & next(p0) = p0 & next(p1) = p1)" in lines
    assert "  t1 := (p1 >= 2);" in lines
    assert lines[-1].startswith("LTLSPEC G(")
    with pytest.raises(Unfit):
        smv(problem("F tank", tmp_path, pump()))


def test_gal(tmp_path):
    lines = gal(problem("F c", tmp_path)).splitlines()
    assert lines[:3] == ["gal net {", "  int p0 = 2;", "  int p1 = 0;"]
    assert "  transition t1 [(p1 >= 2)] { p1 = p1 + -2; p0 = p0 + 2; }" in lines


def test_the_net_of_pmc_sog_is_the_same(tmp_path):
    """Our own reader of its format gives the net back; places stand for themselves."""
    (command,) = PEERS["pmc-sog"].commands(problem("G(c -> F !c)", tmp_path), tmp_path)
    assert command[1:5] == ["--n", "1", "--net", "net.net"]
    read = load_net(tmp_path / "net.net")
    assert (read.initial, read.effects) == (NET.initial, NET.effects)
    assert (tmp_path / "formula.ltl").read_text() == "G((!(p1)) | (F(!(p1))))\n"
    for text in ("X c", 'G "c >= 2"', "F dead"):
        with pytest.raises(Unfit):
            PEERS["pmc-sog"].commands(problem(text, tmp_path), tmp_path)


def test_every_tool_of_the_comparison_has_an_adapter():
    named = {"spin", "nusmv", "nuxmv", "ltsmin-mc", "ltsmin-sym", "verifypn", "its-ltl", "lola"}
    assert set(PEERS) == {*named, "pmc-sog"}


def test_atoms_stand_in_the_formulas_of_ltsmin_its_and_lola(tmp_path):
    for tool in ("ltsmin-mc", "ltsmin-sym"):
        (tmp_path / "formula.ltl").unlink(missing_ok=True)
        (command,) = PEERS[tool].commands(problem('G "c <= 2"', tmp_path), tmp_path)
        assert (tmp_path / "formula.ltl").read_text() == "[]((1 * p1 <= 2))\n"
        assert command[0] in PEERS[tool].programs
    PEERS["its-ltl"].commands(problem('G "c <= 2"', tmp_path), tmp_path)
    assert (tmp_path / "formula.ltl").read_text() == 'G("(1*p1<=2)")\n'
    (command,) = PEERS["lola"].commands(problem('G !"c == 2"', tmp_path), tmp_path)
    assert re.sub(r"\s+", "", command[1]) == "--formula=A(G(NOT((1*p1=2))))"
    lola = load_net(tmp_path / "plain.lola")
    assert (lola.initial, lola.effects) == (NET.initial, NET.effects)


@pytest.mark.parametrize(
    ("peer", "said", "verdict"),
    [
        ("nusmv", measured("-- specification  G p  is true\n"), "TRUE"),
        ("nuxmv", measured("-- specification  G p  is false\n"), "FALSE"),
        ("nusmv", measured("file net.smv: line 3: syntax error\n", 1), None),
        ("ltsmin-mc", measured(stderr="Accepting cycle FOUND at depth 3!", code=1), "FALSE"),
        ("ltsmin-mc", measured(stderr="Explored 5 states 9 transitions"), "TRUE"),
        ("ltsmin-mc", measured(stderr="out of memory", code=255), None),
        ("ltsmin-sym", measured(stderr="Formula f holds for the initial state"), "TRUE"),
        ("ltsmin-sym", measured("Formula f does not hold for the initial state\n"), "FALSE"),
        ("ltsmin-sym", measured(stderr="parsing LTL formula", code=255), None),
        ("pmc-sog", measured("\nProperty is verified...\n"), "TRUE"),
        ("pmc-sog", measured("\nProperty is violated...\n"), "FALSE"),
        ("pmc-sog", measured("Building automata for not(formula)\n", -11), None),
        ("verifypn", measured("Query is satisfied.\n"), "TRUE"),
        ("verifypn", measured("Query is NOT satisfied.\n", 1), "FALSE"),
        ("verifypn", measured("Error parsing\n", 3), None),
        ("its-ltl", measured("Formula 0 is TRUE no accepting run found.\n"), "TRUE"),
        ("its-ltl", measured("Formula 0 is FALSE accepting run found.\n"), "FALSE"),
        ("its-ltl", measured("bad alloc"), None),
        ("lola", measured(stderr="lola: result: yes\n"), "TRUE"),
        ("lola", measured(stderr="lola: result: no\n"), "FALSE"),
        ("lola", measured(stderr="lola: result: unknown\n"), None),
    ],
)
def test_verdicts_are_read(peer, said, verdict):
    assert PEERS[peer].verdict(said) == verdict
