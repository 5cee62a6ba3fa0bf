"""What is remembered of silent cycles."""

from __future__ import annotations

import pytest

from mpisog.sog.divergence import CycleMemory, cycle_candidates, find_cycle
from mpisog.sog.visibility import effect
from mpisog.symbolic.protocol import Step, all_steps, of_markings
from mpisog.symbolic.registry import open_domain
from tests.helpers import toggle, u_then_o

OFF, ON = (1, 0), (0, 1)


@pytest.fixture(params=["mdd", "bdd", "bits", "explicit"])
def domain(request):
    return open_domain(request.param, toggle())


STEPS = tuple(all_steps(toggle()))


def test_a_cycle_inside_a_set(domain):
    both = of_markings(domain, [OFF, ON])
    assert domain.count(find_cycle(domain, both, STEPS)) == 1
    assert find_cycle(domain, domain.singleton(OFF), STEPS) is None
    assert find_cycle(domain, domain.empty(), STEPS) is None


def test_a_set_that_steps_lead_out_of_is_not_remembered(domain):
    memory = CycleMemory(domain, STEPS)
    off, both = domain.singleton(OFF), of_markings(domain, [OFF, ON])
    assert not memory.has_cycle(off, is_closed=False)
    assert memory.has_cycle(both, is_closed=True)
    assert memory.has_cycle(both, is_closed=True)
    assert not memory.has_cycle(off, is_closed=False)
    assert not memory.has_cycle(domain.singleton(ON), is_closed=False)


def test_steps_that_nothing_undoes_are_not_part_of_a_cycle():
    net = u_then_o()
    effects = [effect(transition) for transition in net.transitions]
    assert cycle_candidates(tuple(all_steps(net)), effects) == ()
    effects = [effect(transition) for transition in toggle().transitions]
    assert cycle_candidates(STEPS, effects) == (Step(0), Step(1))
