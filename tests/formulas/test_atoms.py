"""Atoms: every row of the table that says what they mean, and the evaluation of each."""

from __future__ import annotations

import pytest

from mpisog.errors import FormulaError
from mpisog.formulas.atoms import Comparison, Dead, Fire, Fireable, describe, holds, observed_places
from mpisog.formulas.names import resolve_atom
from mpisog.nets.model import MAX_TOKENS, NetBuilder, make_net

P, Q, R = range(3)


@pytest.fixture(scope="module")
def net():
    """Places p, q, r (2, 1 and 0 tokens); t takes 2 from p, s takes 1 from r."""
    return make_net("n", {"p": 2, "q": 1, "r": 0}, {"t": (["p", "p"], ["q"]), "s": (["r"], [])})


def sums(op, bound, *terms):
    return Comparison(tuple(terms), op, bound)


@pytest.mark.parametrize(
    ("text", "atom"),
    [
        ("p", sums(">=", 1, (P, 1))),
        ("p >= 2", sums(">=", 2, (P, 1))),
        ("p>=2", sums(">=", 2, (P, 1))),
        ("p + 2*q <= r", sums("<=", 0, (P, 1), (Q, 2), (R, -1))),
        ("3 <= p + q", sums(">=", 3, (P, 1), (Q, 1))),
        ("p == 0", sums("==", 0, (P, 1))),
        ("p = 0", sums("==", 0, (P, 1))),
        ("p != q", sums("!=", 0, (P, 1), (Q, -1))),
        ("p < 2", sums("<", 2, (P, 1))),
        ("2 > p", sums("<", 2, (P, 1))),
        ("q > p", sums("<", 0, (P, 1), (Q, -1))),
        ("p*2 + 1 >= 3*2", sums(">=", 5, (P, 2))),
        ("-p <= -1", sums(">=", 1, (P, 1))),
        ("p - q >= 1", sums(">=", 1, (P, 1), (Q, -1))),
        ("p-q>=1", sums(">=", 1, (P, 1), (Q, -1))),
        ("p + p >= 4", sums(">=", 4, (P, 2))),
        ("p >= p", sums(">=", 0)),
        ("1 <= 2", sums("<=", 1)),
        ("0*p >= 0", sums(">=", 0)),
        ("{p} + {q} >= 1", sums(">=", 1, (P, 1), (Q, 1))),
        ("{p}", sums(">=", 1, (P, 1))),
        ("fireable(t)", Fireable((0,))),
        ("fireable(t,s)", Fireable((0, 1))),
        ("fireable( s , t , s )", Fireable((0, 1))),
        ("dead", Dead()),
        ("t", Fire(0)),
        ("fire(t)", Fire(0)),
        ("fire( s )", Fire(1)),
        ("fire({s})", Fire(1)),
    ],
)
def test_written_and_meant(text, atom, net):
    assert resolve_atom(text, net) == atom


@pytest.mark.parametrize(
    ("text", "marking", "fired", "true"),
    [
        ("p", (1, 0, 0), None, True),
        ("p", (0, 5, 5), None, False),
        ("p >= 2", (2, 0, 0), None, True),
        ("p >= 2", (1, 0, 0), None, False),
        ("p + 2*q <= r", (1, 1, 3), None, True),
        ("p + 2*q <= r", (1, 1, 2), None, False),
        ("3 <= p + q", (1, 2, 0), None, True),
        ("3 <= p + q", (1, 1, 9), None, False),
        ("p != q", (1, 1, 0), None, False),
        ("p < q", (0, 1, 0), None, True),
        ("p > q", (0, 1, 0), None, False),
        ("fireable(t)", (2, 0, 0), None, True),
        ("fireable(t)", (1, 0, 0), None, False),
        ("fireable(t,s)", (0, 0, 1), None, True),
        ("fireable(t,s)", (1, 9, 0), None, False),
        ("dead", (1, 9, 0), None, True),
        ("dead", (2, 0, 0), 0, False),
        ("t", (2, 0, 0), 0, True),
        ("t", (2, 0, 1), 1, False),  # enabled, but the other one fires
        ("t", (0, 0, 0), None, False),
    ],
)
def test_truth(text, marking, fired, true, net):
    assert holds(resolve_atom(text, net), net, marking, fired) is true


@pytest.mark.parametrize(
    ("text", "fragment"),
    [
        ("x", "no place or transition 'x'"),
        ("x >= 1", "no place 'x'"),
        ("t >= 1", "no place 't'"),
        ("fire(p)", "no transition 'p'"),
        ("fireable(tt)", "no transition 'tt' (did you mean 't'?)"),
        ("fire()", "fire(...) needs a transition"),
        ("fireable( , )", "fireable(...) needs a transition"),
        ("fire(t,s)", "takes one transition, not 2"),
        ("p >= 1 >= 2", "has 2 comparison operators"),
        ("p >=", "one side of 'p >=' is empty"),
        (">= 1", "one side of '>= 1' is empty"),
        ("p + >= 1", "cannot read 'p +'"),
        ("p q >= 1", "cannot read 'p q'"),
        ("2 p >= 1", "cannot read '2 p'"),
        ("* p >= 1", "cannot read '* p'"),
        ("p * q >= 1", "'p*q' in 'p * q >= 1' is not linear"),
        ("p >= 99999999999999999999999999", f"larger than {MAX_TOKENS}"),
        ("p >= 2147483648", f"larger than {MAX_TOKENS}"),
        ("70000*70000*p >= 1", f"larger than {MAX_TOKENS}"),
        ("{p >= 1", "cannot read"),
        ("p >= 1.5", "no place '1.5'"),
        ("", "no place or transition ''"),
        ("p => 1", "has 2 comparison operators"),
    ],
)
def test_refused(text, fragment, net):
    with pytest.raises(FormulaError) as caught:
        resolve_atom(text, net)
    assert fragment in str(caught.value)


def test_the_largest_number_is_allowed(net):
    assert resolve_atom("p >= 2147483647", net) == sums(">=", MAX_TOKENS, (P, 1))


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("p + r >= 2", {P, R}),
        ("p - p + q >= 2", {Q}),
        ("fireable(t)", {P}),
        ("dead", {P, R}),
        ("t", set()),
    ],
)
def test_observed_places(text, places, net):
    assert observed_places(resolve_atom(text, net), net) == places


@pytest.mark.parametrize("text", ["p >= 2", "p + 2*q <= 3", "fireable(s,t)", "dead", "fire(t)"])
def test_a_description_can_be_read_again(text, net):
    atom = resolve_atom(text, net)
    assert resolve_atom(describe(atom, net), net) == atom


def test_a_description_of_odd_names_can_be_read_again():
    builder = NetBuilder()
    for place in ("a-b", "p.1", "x y", "2"):
        builder.place(place)
    for transition in ("t-1", "u,v"):
        builder.transition(transition)
    net = builder.build()
    for text in ("{a-b} + {p.1} >= {x y}", "{2} >= 2", "fireable({t-1},{u,v})", "fire({u,v})"):
        atom = resolve_atom(text, net)
        assert resolve_atom(describe(atom, net), net) == atom
