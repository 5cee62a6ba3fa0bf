"""Binding formulas, judging words, translating within limits, choosing emptiness checks."""

from __future__ import annotations

import mmap
import time

import pytest
import spot

from mpisog import _native
from mpisog.budget import Budget
from mpisog.errors import InternalError, LimitReached, UsageError
from mpisog.formulas.atoms import Comparison, Fire
from mpisog.formulas.properties import Property
from mpisog.nets.model import make_net
from mpisog.spotglue.automata import (
    in_child,
    is_stutter_invariant,
    translate,
    violations_survive_shortening,
)
from mpisog.spotglue.emptiness import ALGORITHMS, find_run, needs_single_acceptance
from mpisog.spotglue.ltl import bind, parse
from mpisog.spotglue.pins import bound_kripke, keep_answering
from mpisog.spotglue.words import violates
from tests.helpers import toggle, u_then_o

A, B, BOTH, NONE = frozenset({0}), frozenset({1}), frozenset({0, 1}), frozenset()


def test_equal_atoms_become_one():
    bound = bind(Property("f", 'on U "on >= 1" | X "1 <= on"'), toggle())
    assert bound.atoms == (Comparison(((1, 1),), ">=", 1),)
    assert bound.formula == spot.formula("a0 U a0 | X a0")


def test_elements_called_like_our_propositions_are_not_mixed_up():
    net = make_net("n", {"a1": 1, "a0": 0, "b": 0}, {"t": (["a1"], ["b"])})
    bound = bind(Property("f", "a1 U (b & !a0)"), net)
    by_place = {atom.terms[0][0]: f"a{i}" for i, atom in enumerate(bound.atoms)}
    expected = f"{by_place[0]} U ({by_place[2]} & !{by_place[1]})"
    assert bound.formula == spot.formula(expected)


def test_events_are_known():
    assert bind(Property("f", "F up"), toggle()).has_events
    assert bind(Property("f", "F up"), toggle()).atoms == (Fire(0),)
    assert not bind(Property("f", "F on"), toggle()).has_events


def test_a_constant_formula_has_no_atoms():
    assert bind(Property("f", "true"), toggle()).atoms == ()


@pytest.mark.parametrize(
    ("formula", "prefix", "cycle", "expected"),
    [
        ("F a", [], [NONE], True),
        ("F a", [NONE], [A], False),
        ("G(a -> X b)", [A], [B], False),
        ("G(a -> X b)", [A], [A], True),
        ("a U b", [A, A], [BOTH], False),
        ("a U b", [A, NONE], [B], True),
        ("G F a", [A, A], [B], True),
        ("a M b", [B], [BOTH], False),
        ("a W b", [], [A], False),
    ],
)
def test_words(formula, prefix, cycle, expected):
    net = make_net("n", {"a": 0, "b": 0}, {"t": (["a"], [])})
    bound = bind(Property("f", formula), net)
    order = [net.places[atom.terms[0][0]].id for atom in bound.atoms]
    rename = {0: "a", 1: "b"}
    letters = [
        [frozenset(order.index(rename[i]) for i in letter if rename[i] in order) for letter in part]
        for part in (prefix, cycle)
    ]
    assert violates(bound, *letters, Budget()) is expected


@pytest.mark.parametrize(
    ("formula", "expected"),
    [("F a", True), ("X a", False), ("F(a & X !a)", True), ("a & X a", False), ("X true", True)],
)
def test_stutter_invariance_is_asked_of_the_language(formula, expected):
    net = make_net("n", {"a": 0}, {"t": (["a"], [])})
    assert is_stutter_invariant(bind(Property("f", formula), net), Budget()) is expected


def test_a_child_returns_text_of_any_length():
    assert in_child(lambda: "é" * 300_000, Budget()) == "é" * 300_000


def test_a_failure_in_the_child_is_an_internal_error():
    def fail() -> str:
        raise ValueError("on purpose")

    with pytest.raises(InternalError, match="ValueError: on purpose"):
        in_child(fail, Budget())


def test_a_child_that_takes_too_long_is_ended():
    with pytest.raises(LimitReached, match=r"time limit of 0\.2 s"):
        in_child(lambda: time.sleep(600) or "", Budget(0.2))


def test_a_child_out_of_memory_is_a_limit():
    with pytest.raises(LimitReached, match="out of memory"):
        in_child(lambda: str(len(bytearray(2**33))), Budget(memory=2**30))


def test_long_formulas_translate_the_same_in_the_child():
    formula = parse("G(a -> F b) & G(c -> F d) & G(e -> F f) & (a U (b U (c U (d U e))))")
    direct = spot.translate(formula, "tgba", "small")
    assert spot.are_equivalent(translate(formula, "tgba", Budget()), direct)


def test_emptiness_names():
    assert not needs_single_acceptance("cou99")
    assert needs_single_acceptance("cvwy90")
    with pytest.raises(UsageError, match="no emptiness check is called 'cou9'"):
        needs_single_acceptance("cou9")
    assert all(isinstance(needs_single_acceptance(name), bool) for name in ALGORITHMS)


def test_shown_text_is_what_was_written():
    assert bind(Property("f", " G  fire(u)->X o "), u_then_o()).text == " G  fire(u)->X o "


@pytest.mark.parametrize(
    ("formula", "survive"),
    [
        ("!(p & X !p)", True),  # p and then not: nothing between them can go
        ("G !(p & X p)", False),  # p twice becomes p once
        ("X p", False),
        ("F G p", True),
        ("!X X p", False),
        ("F(!p & X !p)", True),  # at most one instant without p at a time
    ],
)
def test_violations_that_survive_shortening(formula, survive):
    net = make_net("p", {"p": 1}, {})
    bound = bind(Property("f", formula), net)
    assert violations_survive_shortening(bound, Budget()) is survive


def test_a_limit_reached_while_the_run_is_looked_for_changes_no_answer(monkeypatch):
    """Spot crashes when states that it has seen have other successors than before."""
    states = {0: [(1, 0, 0)], 1: [(2, 0, 1)], 2: [(1, 0, 0), (2, 0, 1)]}
    late = []

    def successors(number, _mode):
        return [] if late else states[number]

    def settle():
        keep_answering()
        late.append(True)

    monkeypatch.setattr("mpisog.spotglue.emptiness.keep_answering", settle)
    graph = _native.PulledGraph(
        ["number", "mode", "a0"], lambda: (0, 0, 0), successors, lambda: False
    )
    with bound_kripke(graph.hooks_address, 1) as kripke:
        found = find_run(kripke, translate(spot.formula("GFa0"), "tgba", Budget()), "cou99", bool)
    assert late
    assert found is not None
    assert 2 in [number for number, _ in found.run.cycle]


def test_what_the_parent_has_reserved_leaves_the_child_its_memory():
    reserved = mmap.mmap(-1, 1 << 32, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    with reserved:
        assert in_child(lambda: "x" * 2_000_000, Budget(memory=1 << 29)) == "x" * 2_000_000
