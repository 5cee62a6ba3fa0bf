"""Deciding on reduced nets: resources that are shared, and shortcuts over shortened words."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

import mpisog
from mpisog.budget import Budget
from mpisog.engines.resources import Resources
from mpisog.nets.model import make_net
from mpisog.verdict import Verdict
from tests.helpers import to_mpisog, toggle
from tests.reductions.pairs import counting_formula, sparse_net
from tests.reference import ltl


@pytest.fixture
def no_net_is_small(monkeypatch):
    """Shortcuts are for what a moment is not enough for: here, for everything."""
    monkeypatch.setattr("mpisog.engines.schedule.BEFORE_SHORTENING", 0.0)


def chain(tokens=1):
    """Tokens that go from ``a`` by ``b``, ``c`` and ``d`` back to ``a``."""
    row = {"t": (["a"], ["b"]), "u": (["b"], ["c"]), "v": (["c"], ["d"]), "w": (["d"], ["a"])}
    return make_net("chain", {"a": tokens, "b": 0, "c": 0, "d": 0}, row)


def used_a_shortcut(result) -> bool:
    return "agglomeration" in str(result.statistics.get("rules"))


@pytest.mark.usefixtures("no_net_is_small")
@pytest.mark.parametrize(
    ("formula", "verdict"),
    [
        ("G(a -> X !a)", Verdict.TRUE),
        ("G(!a -> X a)", Verdict.FALSE),  # holds of the shortened words
        ("F(!a & X !a)", Verdict.TRUE),  # does not hold of the shortened words
        ("X X !a", Verdict.TRUE),  # does not hold of the shortened words
        ("X X a", Verdict.FALSE),  # holds of the shortened words
    ],
)
def test_verdicts_are_those_of_the_original_net(formula, verdict):
    assert mpisog.check(chain(), formula, engine="explicit").verdict is verdict


@pytest.mark.usefixtures("no_net_is_small")
def test_a_violation_that_survives_lengthening_is_found_on_the_shortened_words():
    """One of two tokens leaves ``a``, then the other: no matter what is between."""
    result = mpisog.check(chain(2), 'G("a <= 1" -> X "a >= 2")', engine="explicit")
    assert result.verdict is Verdict.FALSE
    assert used_a_shortcut(result)
    assert set(result.trace.prefix_ids + result.trace.cycle_ids) == {"t", "u", "v", "w"}


@pytest.mark.usefixtures("no_net_is_small")
def test_that_no_shortened_word_violates_is_enough_where_violations_survive_shortening():
    """A word violates it that begins without ``a`` and goes on with it: nothing can be left out."""
    result = mpisog.check(chain(), "a | X !a", engine="explicit")
    assert result.verdict is Verdict.TRUE
    assert used_a_shortcut(result)


def test_a_small_net_takes_no_shortcut():
    assert not used_a_shortcut(mpisog.check(chain(2), 'G("a <= 1" -> X "a >= 2")'))


@pytest.mark.usefixtures("no_net_is_small")
def test_random_pairs_with_shortcuts():
    rng = Random(57)
    shortcuts: Counter[Verdict] = Counter()
    for _ in range(150):
        net = sparse_net(rng)
        model, formula = to_mpisog(net), ltl.text(counting_formula(rng, net))
        result = mpisog.check(model, formula, engine="explicit")
        expected = mpisog.check(model, formula, engine="explicit", reduce="none")
        assert result.verdict is expected.verdict, (net, formula)
        if used_a_shortcut(result):
            shortcuts[result.verdict] += 1
    assert shortcuts[Verdict.TRUE] >= 1
    assert shortcuts[Verdict.FALSE] >= 5


def test_equal_nets_share_resources():
    resources = Resources(toggle())
    assert resources.of(toggle(), Budget()) is resources.of(toggle(), Budget())
    assert resources.of(chain(), Budget()) is not resources.of(toggle(), Budget())


def test_resources_are_given_up_when_memory_is_short():
    resources = Resources(toggle())
    tight = Budget(memory=1)
    before = resources.of(toggle(), tight)
    assert resources.of(toggle(), tight) is before
    resources.of(chain(), tight)
    assert resources.of(toggle(), tight) is not before
