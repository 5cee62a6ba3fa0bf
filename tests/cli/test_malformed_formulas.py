"""Formulas that cannot be used: each with its message, exit code 3 and nothing on stdout."""

from __future__ import annotations

import pytest

from mpisog.nets.model import NetBuilder
from tests.helpers import saved


@pytest.fixture(scope="module")
def net(tmp_path_factory):
    builder = NetBuilder("fork")
    for place in ("wait", "Fork1", "ork1", "both"):
        builder.place(place, 1)
    builder.transition("take")
    builder.transition("t2", "both")
    builder.arc("wait", "take")
    return saved(builder.build(), tmp_path_factory.mktemp("net"))


MALFORMED = {
    "": "cannot read '': empty input",
    "   ": "empty input",
    "wait &": "unexpected end of formula",
    "wait U": "unexpected end of formula",
    "(wait": "missing closing parenthesis",
    "wait)": "at ')'",
    "wait wait": "unexpected atomic proposition",
    "G(wait -> )": "unexpected closing parenthesis",
    "wait @ wait": "cannot read 'wait @ wait'",
    "wait >= 2": "comparisons stand in double quotes",
    "wait + wait <= 2": "comparisons stand in double quotes",
    "wait=1": "comparisons stand in double quotes",
    "G(wait = 0)": "comparisons stand in double quotes",
    '"wait >= 2': "cannot read",
    "Y wait": "past operators are not supported",
    "wait S take": "past operators are not supported",
    "O wait": "past operators are not supported",
    "{wait;take}!": "PSL or SERE",
    "{wait[*]}|->take": "PSL or SERE",
    "X[!] wait": "strong next",
    "F waits": "no place or transition 'waits' (did you mean 'wait'?)",
    "F fire(tak)": "no transition 'tak' (did you mean 'take'?)",
    'F "wait + x >= 2"': "no place 'x'",
    'F "fire(wait)"': "no transition 'wait'",
    'F "wait * Fork1 >= 1"': "not linear",
    'F "wait >= 1 >= 1"': "2 comparison operators",
    'F "wait >= 99999999999999999999"': "larger than 2147483647",
    'F "wait >= -"': "cannot read '-'",
    "F fire()": "needs a transition",
    "F fire(take,t2)": "takes one transition, not 2",
    "F Fork1": "'Fork1' may be the net's element or F ork1",
    "A G wait": "cannot read 'A G wait'",
    "G F d\udc9cad": r"cannot read 'G F d\udc9cad': the character '\udc9c' at position 6 is no",
    "wait\x1b[2J": r"the character '\x1b' at position 5 is not text",
    'F "wa\nit"': r'a line break inside quotes: "wa\nit"',
    'F "wa\rit"': "a line break inside quotes",
    'F "wait\u202e"': r"no place or transition 'wait\u202e'",
    "G [] # X } \u25c7 { # <= &&": "at '# X } \u25c7 { # <= &&'",
    "() X [] , <-> dead { @ ' ) W": "at ', <-> dead { @ ' ) W'",
    "X" * 5000 + " wait": "more than 1000 nested operators",
    "F[0:200]" * 6 + "wait": "nested operators",
}


@pytest.mark.parametrize("formula", MALFORMED)
def test_malformed(cli, net, formula):
    outcome = cli("check", net, "-f", formula)
    assert (outcome.code, outcome.out) == (3, "")
    assert MALFORMED[formula] in outcome.err
    assert outcome.err.startswith("mpisog: ")
    assert outcome.err.count("\n") in (1, 3)  # a syntax error shows the formula with a caret


def test_a_name_that_is_both_shows_both_spellings(cli, tmp_path):
    builder = NetBuilder("both")
    builder.place("p", 1, "go")
    builder.transition("t", "go")
    builder.arc("p", "t")
    outcome = cli("check", saved(builder.build(), tmp_path), "-f", "F go")
    assert outcome.code == 3
    assert '"go >= 1"' in outcome.err
    assert '"fire(go)"' in outcome.err


def test_one_bad_formula_stops_the_run_before_any_verdict(cli, net):
    outcome = cli("check", net, "-f", "F take", "-f", "F nothing")
    assert (outcome.code, outcome.out) == (3, "")


def test_a_formula_file_gives_the_line(cli, net, tmp_path):
    path = tmp_path / "some.ltl"
    path.write_text("# first\nF take\nbad: F (\n")
    outcome = cli("check", net, "-F", path)
    assert outcome.code == 3
    assert "some.ltl:3: " in outcome.err


def test_an_xml_file_gives_the_line(cli, net, tmp_path):
    path = tmp_path / "some.xml"
    path.write_text(
        "<property-set>\n<property>\n<id>a</id><formula><all-paths>\n<is-fireable>"
        "<transition>nope</transition></is-fireable></all-paths></formula></property></property-set>"
    )
    outcome = cli("check", net, "-x", path)
    assert outcome.code == 3
    assert "some.xml:4: the net has no transition 'nope'" in outcome.err
