"""A memory budget ends an operation cleanly, and the kernel stays usable."""

from __future__ import annotations

import pytest

from mpisog.budget import Budget, resident_bytes
from mpisog.errors import LimitReached
from mpisog.nets.generators import generate
from mpisog.symbolic.mdd import MddDomain
from mpisog.symbolic.protocol import all_steps
from tests.helpers import mpisog, saved

BUDGET = 40 << 20


def test_an_operation_that_needs_more_fails_and_a_smaller_one_succeeds():
    net = generate("swimming_pool", 50)  # needs gigabytes
    steps = tuple(all_steps(net))
    domain = MddDomain(net, budget=Budget(memory=resident_bytes() + BUDGET))
    start = domain.singleton(net.initial)
    with pytest.raises(LimitReached, match="memory"):
        domain.closure(start, steps)
    assert domain.peak_bytes() < 1.5 * BUDGET
    one_step = domain.image(start, steps)
    assert domain.count(one_step) == domain.count_steps(start, steps)  # no two lead to the same
    assert domain.count(domain.image(one_step, steps)) > 0


def test_states_reports_unknown(tmp_path):
    path = saved(generate("swimming_pool", 50), tmp_path)
    done = mpisog("states", path, "--engine", "symbolic", "--memory", "120M")
    assert done.returncode == 2
    assert "memory limit" in done.stderr
    assert done.stdout == ""
