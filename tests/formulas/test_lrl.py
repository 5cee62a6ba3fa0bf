"""LRL texts: what they mean, and what is said about those that mean nothing."""

from __future__ import annotations

import pytest

from mpisog.errors import FormulaError
from mpisog.formulas.lrl import Lrl, parse_lrl, with_spots_negation
from mpisog.formulas.properties import from_texts, read_formula_file
from mpisog.nets.model import make_net
from mpisog.spotglue.ltl import bind
from tests.helpers import toggle, u_then_o


@pytest.mark.parametrize(
    ("text", "parsed"),
    [
        ("E<> p", Lrl("E", "<>", "p")),
        (" A <> (p & q) ", Lrl("A", "<>", "(p & q)")),
        ("E[]-win", Lrl("E", "[]", "-win")),
        ("A[] !(p)", Lrl("A", "[]", "!(p)")),
        ("A[]<> p", Lrl("A", "[]<>", "p")),
        ("A [] <> p", Lrl("A", "[]<>", "p")),
        ("E(p U q)", Lrl("E", "U", "q", "p")),
        ("A((p | q) U (r))", Lrl("A", "U", "(r)", "(p | q)")),
        ("p --> q", Lrl("A", "-->", "q", "p")),
        ("(w /\\ x) ==> (g /\\ h)", Lrl("A", "-->", "(g /\\ h)", "(w /\\ x)")),
        ("p -> q --> -p <-> q", Lrl("A", "-->", "-p <-> q", "p -> q")),
        ('"a --> b >= 1" --> q', Lrl("A", "-->", "q", '"a --> b >= 1"')),
        ('E("U >= 1" U q)', Lrl("E", "U", "q", '"U >= 1"')),
        ("A --> E", Lrl("A", "-->", "E", "A")),
    ],
)
def test_forms(text, parsed):
    assert parse_lrl(text) == parsed


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("p", "the forms are"),
        ("G p", "the forms are"),
        ("E p", "the forms are"),
        ("E[]<> p", "there is no E"),
        ("A(p)", "the forms are"),
        ("A(p U q) & r", "the forms are"),
        ("A(p U q) | (p U q)", "the forms are"),
        ("A(p U q U r)", "twice"),
        ("p --> q --> r", "twice"),
        ("--> q", "missing"),
        ("p ==>", "missing"),
        ("A(U q)", "missing"),
        ("A[]<> ", "what comes after A.* is missing"),
    ],
)
def test_what_is_no_lrl(text, complaint):
    with pytest.raises(FormulaError, match=complaint):
        parse_lrl(text)


@pytest.mark.parametrize(
    ("text", "for_spot"),
    [
        ("-p", "!p"),
        ("--p", "!!p"),
        ("p & -q", "p & !q"),
        ("p /\\ -(q \\/ -r)", "p /\\ !(q \\/ !r)"),
        ("p -> -q", "p -> !q"),
        ("p <-> -q", "p <-> !q"),
        ("p xor -q", "p xor !q"),
        ('-"p - q >= 1"', '!"p - q >= 1"'),
        ('"a-b"', '"a-b"'),
    ],
)
def test_both_signs_negate(text, for_spot):
    assert with_spots_negation(text) == for_spot


def _bound(text, net):
    (prop,) = from_texts([text], "lrl")
    return bind(prop, net)


@pytest.mark.parametrize(
    ("text", "formula"),
    [
        ("E<> on", "!Fa0"),
        ("A<> on", "Fa0"),
        ("E[] -on", "!G!a0"),
        ("A[] on", "Ga0"),
        ("A[]<> on", "GFa0"),
        ("E(off U on)", "!(a0 U a1)"),
        ("A(off U on)", "a0 U a1"),
        ("off --> on", "G(a0 -> Fa1)"),
    ],
)
def test_what_is_checked_for_all_runs(text, formula):
    bound = _bound(text, toggle())
    assert (str(bound.formula), bound.text) == (formula, text)


def test_names_with_a_dash_are_names():
    net = make_net("dashed", {"a-b": 1, "a": 0}, {"t": (["a-b"], ["a"])})
    assert str(_bound("A<> -a-b", net).formula) == "F!a0"


def test_conditions_are_boolean_and_about_markings():
    with pytest.raises(FormulaError, match="temporal"):
        _bound("E<> F b", u_then_o())
    with pytest.raises(FormulaError, match="temporal"):
        _bound("a --> b U c", u_then_o())
    with pytest.raises(FormulaError, match="temporal") as error:
        _bound("A[] a & E<> b", u_then_o())
    assert error.value.hint == "the modality stands outside"
    with pytest.raises(FormulaError, match="speaks of markings") as error:
        _bound("E<> u", u_then_o())
    assert error.value.hint == 'write "fireable(u)"'
    with pytest.raises(FormulaError, match="no place or transition 'x'"):
        _bound("E<> x", u_then_o())


def test_files_have_names_and_lines(tmp_path):
    path = tmp_path / "formulas.lrl"
    path.write_text("# reachable\nend: E<> c\na --> c\n", encoding="utf-8")
    first, second = read_formula_file(path, "lrl")
    assert (first.name, first.existential) == ("end", True)
    assert (second.name, second.existential) == ("formulas.lrl-3", False)
    path.write_text("ok: E<> c\nbad: G c\n", encoding="utf-8")
    with pytest.raises(FormulaError) as error:
        read_formula_file(path, "lrl")
    assert error.value.line == 2
