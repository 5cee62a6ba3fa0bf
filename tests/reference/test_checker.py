"""The second opinion is itself judged, on cases that can be decided by thinking."""

from __future__ import annotations

from random import Random

import pytest

from tests.reference.checker import Net, TooLarge, holds, is_counterexample, letter
from tests.reference.generate import random_formula, random_net
from tests.reference.ltl import TRUE, atoms, core, satisfies, text

U_THEN_O = Net({"a": 1, "b": 0, "c": 0}, {"u": ({"a": 1}, {"b": 1}), "o": ({"b": 1}, {"c": 1})})
TOGGLE = Net({"off": 1, "on": 0}, {"up": ({"off": 1}, {"on": 1}), "down": ({"on": 1}, {"off": 1})})
# Either x for ever, or y once and then nothing.
CHOICE = Net({"p": 1, "q": 0}, {"x": ({"p": 1}, {"p": 1}), "y": ({"p": 1}, {"q": 2})})
DEAD_AT_ONCE = Net({"p": 0}, {"t": ({"p": 1}, {})})
SOURCE_SINK = Net({"p": 2}, {"eat": ({"p": 1}, {}), "idle": ({}, {})})


def fire(t):
    return ("ap", ("fire", t))


def at_least(place, count=1):
    return ("ap", ("cmp", ((1, place),), ">=", count))


DEAD = ("ap", ("dead",))
NOT = "not"

CASES = [
    # The only word is {u-step} {o-step} then silence.
    (U_THEN_O, fire("o"), False),
    (U_THEN_O, fire("u"), True),
    (U_THEN_O, ("X", fire("o")), True),
    (U_THEN_O, ("U", fire("u"), fire("o")), True),
    (U_THEN_O, ("U", fire("o"), fire("u")), True),  # the right side holds at once
    (U_THEN_O, ("G", ("implies", fire("u"), ("X", fire("o")))), True),
    (U_THEN_O, ("X", ("X", ("G", (NOT, ("or", fire("u"), fire("o")))))), True),
    (U_THEN_O, ("F", DEAD), True),
    (U_THEN_O, ("X", DEAD), False),
    (U_THEN_O, ("X", ("X", DEAD)), True),
    (U_THEN_O, ("G", (NOT, ("and", fire("u"), fire("o")))), True),  # one event at a time
    (U_THEN_O, ("and", at_least("a"), ("X", ("and", at_least("b"), fire("o")))), True),
    (U_THEN_O, ("U", at_least("a"), fire("o")), True),  # a at instant 0, o at instant 1
    (U_THEN_O, ("U", at_least("b"), fire("o")), False),  # neither at instant 0
    (U_THEN_O, ("W", at_least("a"), at_least("b")), True),
    (U_THEN_O, ("M", at_least("a"), TRUE), True),
    (U_THEN_O, ("M", at_least("b"), at_least("a")), False),  # never both at once
    (U_THEN_O, ("R", at_least("b"), at_least("a")), False),
    (
        U_THEN_O,
        ("R", ("false",), ("or", at_least("a"), ("or", at_least("b"), at_least("c")))),
        True,
    ),
    (TOGGLE, ("G", ("F", fire("up"))), True),
    (TOGGLE, ("F", ("G", fire("up"))), False),
    (TOGGLE, ("F", DEAD), False),
    (TOGGLE, ("G", ("iff", fire("up"), at_least("off"))), True),
    (TOGGLE, ("G", ("xor", fire("up"), fire("down"))), True),
    (TOGGLE, ("G", ("implies", ("ap", ("fireable", ("up",))), ("X", fire("down")))), True),
    (CHOICE, ("F", fire("y")), False),
    (CHOICE, ("G", (NOT, fire("y"))), False),
    (CHOICE, ("W", fire("x"), fire("y")), True),
    (CHOICE, ("U", fire("x"), fire("y")), False),
    (CHOICE, ("implies", ("F", fire("y")), ("F", DEAD)), True),
    (CHOICE, ("implies", ("F", DEAD), ("F", at_least("q", 2))), True),
    (CHOICE, ("G", (NOT, at_least("q", 3))), True),
    (CHOICE, ("G", ("ap", ("fireable", ("x", "y")))), False),
    (CHOICE, ("G", ("ap", ("cmp", ((2, "p"), (1, "q")), "==", 2))), True),
    (DEAD_AT_ONCE, ("G", DEAD), True),
    (DEAD_AT_ONCE, ("F", fire("t")), False),
    (DEAD_AT_ONCE, ("G", (NOT, fire("t"))), True),
    (DEAD_AT_ONCE, ("X", ("X", ("X", DEAD))), True),
    (SOURCE_SINK, ("G", (NOT, DEAD)), True),
    (SOURCE_SINK, ("F", (NOT, at_least("p"))), False),  # idle for ever
    (SOURCE_SINK, ("implies", ("G", ("F", fire("eat"))), ("false",)), True),  # two to eat
]


@pytest.mark.parametrize(("net", "formula", "expected"), CASES, ids=lambda v: None)
def test_verdicts_that_can_be_seen(net, formula, expected):
    assert holds(net, formula) is expected


@pytest.mark.parametrize(
    ("prefix", "cycle", "expected"),
    [
        ([], ["x"], True),  # x for ever: y never
        (["x", "x"], ["x"], True),
        (["y"], [], False),  # a run, but it does satisfy F y
        (["y"], ["x"], False),  # x is not enabled any more
        (["x"], [], False),  # not maximal
        ([], ["y"], False),  # does not close
    ],
)
def test_counterexamples_are_judged(prefix, cycle, expected):
    assert is_counterexample(CHOICE, ("F", fire("y")), prefix, cycle) is expected


A, B = ("ap", "a"), ("ap", "b")


@pytest.mark.parametrize(
    ("prefix", "cycle", "formula", "expected"),
    [
        ("a", "b", ("U", A, B), True),
        ("a", "-", ("U", A, B), False),
        ("", "a", ("U", A, B), False),
        ("", "a", ("W", A, B), True),
        ("a", "-", ("W", A, B), False),
        ("a", "c", ("R", B, A), True),  # c is both: B releases A there
        ("a", "b", ("R", B, A), False),
        ("", "a", ("R", B, A), True),
        ("", "a", ("M", B, A), False),
        ("", "ac", ("M", B, A), True),
        ("-", "ab", ("X", A), True),
        ("", "ab", ("X", A), False),
        ("", "ab", ("X", ("X", A)), True),  # round the loop
        ("--", "-b", ("G", ("F", B)), True),
        ("bb", "-a", ("F", ("G", (NOT, B))), True),
        ("", "-b", ("G", ("implies", B, ("F", A))), False),
        ("", "-b-a", ("G", ("implies", B, ("F", A))), True),
        ("-", "ab-", ("U", (NOT, B), A), True),
        ("-", "-a", ("iff", A, ("X", A)), True),
        ("a", "-", ("xor", A, ("X", A)), True),
    ],
)
def test_words_are_judged(prefix, cycle, formula, expected):
    letters = {"a": {"a"}, "b": {"b"}, "c": {"a", "b"}, "-": set()}
    words = [[frozenset(letters[c]) for c in part] for part in (prefix, cycle)]
    assert satisfies(*words, formula) is expected
    assert satisfies(*words, core(formula)) is expected


def test_markings_are_counted_and_capped():
    assert len(SOURCE_SINK.markings(10)) == 3
    with pytest.raises(TooLarge):
        Net({"p": 0}, {"t": ({}, {"p": 1})}).markings(50)


def test_text_is_for_spot():
    formula = ("U", ("ap", ("cmp", ((2, "p"), (1, "q")), "<=", 3)), ("not", fire("t")))
    assert text(formula) == '("2*p + 1*q <= 3") U (!("fire(t)"))'


def _short_lassos(net, length):
    """Every maximal run of at most that many steps: (prefix, cycle) of transition names."""
    todo = [((), [dict(net.initial)])]
    while todo:
        steps, markings = todo.pop()
        last = markings[-1]
        for start in range(len(markings) - 1):
            if markings[start] == last:
                yield steps[:start], steps[start:]
        if not net.enabled(last):
            yield steps, ()
        if len(steps) < length:
            todo += [((*steps, t), [*markings, net.fire(t, last)]) for t in net.enabled(last)]


def test_the_tableau_agrees_with_brute_force_on_short_runs():
    """Where a short run violates the formula, it does not hold."""
    violated = 0
    for seed in range(150):
        rng = Random(seed)
        net = random_net(rng)
        formula = random_formula(rng, net)
        lassos = list(_short_lassos(net, 4))
        found = [lasso for lasso in lassos if is_counterexample(net, formula, *lasso)]
        if found:
            violated += 1
            assert not holds(net, formula), (net, text(formula), found[0])
    assert violated > 40


def test_dead_markings_repeat_without_an_event():
    formula = ("and", fire("t"), DEAD)
    assert letter(atoms(formula), DEAD_AT_ONCE, {"p": 0}, None) == {("dead",)}
