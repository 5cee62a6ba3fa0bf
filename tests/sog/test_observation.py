"""What is silent: precise and static, forbidden transitions, wrong names."""

from __future__ import annotations

import pytest

from mpisog.errors import UsageError
from mpisog.formulas.atoms import Comparison, Fire
from mpisog.nets.generators import generate
from mpisog.nets.model import make_net
from mpisog.sog.forbidden import choose_forbidden
from mpisog.sog.observation import Observation
from mpisog.symbolic.protocol import Step

MARKED = Comparison(((0, 1),), ">=", 1)


def net():
    """``eat`` takes tokens from p one by one; ``idle`` has nothing to do with it."""
    return make_net("eat", {"p": 3, "q": 1}, {"eat": (["p"], []), "idle": (["q"], ["q"])})


def test_precise_keeps_a_step_that_changes_no_truth_value():
    steps = Observation(net(), [MARKED]).steps((True,))
    assert steps.free == (Step(0, at_least=((0, 2),)), Step(1))
    assert steps.exits == (Step(0),)


def test_static_excludes_every_transition_that_touches_an_observed_place():
    steps = Observation(net(), [MARKED], "static").steps((True,))
    assert steps.free == (Step(1),)
    assert steps.exits == (Step(0),)


def test_observed_transitions_are_neither_silent_nor_exits():
    observation = Observation(net(), [Fire(1)])
    steps = observation.steps(())
    assert observation.events == (1,)
    assert [step.transition for step in (*steps.silent, *steps.exits)] == [0]


def test_a_forbidden_transition_is_silent_but_not_used_by_the_closure():
    steps = Observation(net(), [MARKED], forbidden=frozenset({0})).steps((True,))
    assert steps.free == (Step(1),)
    assert steps.postponed == (Step(0, at_least=((0, 2),)),)
    assert set(steps.silent) == {*steps.free, *steps.postponed}


def test_an_unknown_aggregation():
    with pytest.raises(UsageError, match="did you mean 'static'"):
        Observation(net(), [], "statik")


def test_only_transitions_that_can_be_silent_are_forbidden():
    fms = generate("fms", 2)
    observation = Observation(fms, [Fire(0), Comparison(((0, 1),), ">=", 1)], "static")
    chosen = choose_forbidden(observation, 3)
    assert len(chosen) == 3
    assert all(observation.may_stay(t) and t != 0 for t in chosen)
    assert choose_forbidden(observation, 3) == chosen
    everything = choose_forbidden(observation, 1000)
    assert len(everything) < len(fms.transitions)
