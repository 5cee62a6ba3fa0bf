"""The stage of ``auto`` that unfolds."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

import mpisog
from mpisog.budget import Budget
from mpisog.engines.problem import Problem
from mpisog.engines.resources import Resources
from mpisog.engines.transformations import simplify
from mpisog.engines.unfolding import Unfolding
from mpisog.formulas.properties import Property
from mpisog.nets.generators import generate
from mpisog.nets.model import make_net
from mpisog.spotglue.ltl import bind
from mpisog.unfolding.visibility import may_pay
from tests.helpers import to_mpisog
from tests.reference import ltl
from tests.reference.checker import holds, is_counterexample
from tests.unfolding.pairs import MOST_MARKINGS, formula_without_next, safe_net

SAMPLE = 120


def test_concurrency_that_is_not_observed_is_unfolded():
    """Without rules, which would leave nothing of it."""
    result = mpisog.check(generate("loops", 300), "G(loop1_a | loop1_b)", reduce="none")
    assert (str(result.verdict), result.engine) == ("TRUE", "unfolding")


def test_a_net_that_is_not_safe_goes_on_to_other_engines():
    """Too many markings for the searches; a token more where it is not looked for."""
    loops = {f"loop{i}": ([f"a{i}"], [f"b{i}"]) for i in range(40)}
    loops |= {f"back{i}": ([f"b{i}"], [f"a{i}"]) for i in range(40)}
    places = {f"{letter}{i}": int(letter == "a") for i in range(40) for letter in "ab"}
    net = make_net(
        "n",
        {**places, "p": 1, "q": 1, "r": 0},
        {**loops, "t": (["p"], ["r"]), "u": (["q"], ["r"]), "v": (["r"], ["p"])},
    )
    result = mpisog.check(net, "G(a0 | b0)", reduce="none")
    assert str(result.verdict) == "TRUE"
    assert result.engine != "unfolding"
    assert str(result.statistics["phases"]).count("unfolding") == 1


@pytest.mark.parametrize(
    ("text", "pays"), [("G loop1_a", True), ('G "loop1_a + loop2_a + loop3_a >= 1"', False)]
)
def test_few_transitions_must_be_visible(text, pays):
    net = generate("loops", 8)
    assert may_pay(net, bind(Property("f", text), net)) is pays


def test_weights_and_tokens_do_not_pay():
    two = make_net("n", {"a": 2, "b": 0}, {"t": (["a"], ["b"])})
    weight = make_net("n", {"a": 1, "b": 0}, {"t": (["a"], ["b", "b"])})
    for net in (two, weight):
        assert not may_pay(net, bind(Property("f", "G F dead"), net))


def test_simpler_problems_have_the_same_answer():
    """Automata without letters that never occur, over formulas without atoms that never change."""
    seen: Counter[bool] = Counter()
    for number in range(SAMPLE):
        rng = Random(f"settled {number}")
        net = safe_net(rng)
        formula = formula_without_next(rng, net)
        bound = bind(Property("f", ltl.text(formula)), to_mpisog(net))
        problem, resources = Problem(to_mpisog(net), bound), Resources(to_mpisog(net))
        less = simplify(problem, resources, Budget())
        lasso = Unfolding().run(less, resources, Budget()).counterexample
        expected = holds(net, formula, MOST_MARKINGS)
        case = f"{net}\n{ltl.text(formula)}"
        assert (lasso is None) == expected, case
        if lasso is not None:
            assert is_counterexample(net, formula, lasso.prefix_ids, lasso.cycle_ids), case
        before, after = (p.automaton(Budget()).num_edges() for p in (problem, less))
        seen[expected] += after < before
    assert min(seen[True], seen[False]) >= SAMPLE / 20
