"""How a run goes on when nobody minds."""

from __future__ import annotations

import pytest

from mpisog.budget import Budget
from mpisog.errors import LimitReached
from mpisog.nets.model import make_net
from mpisog.trace.ending import some_ending
from tests.helpers import pump, toggle, u_then_o


def test_an_ending_in_a_dead_marking():
    assert some_ending(u_then_o(), (1, 0, 0), Budget()) == ((0, 1), ())
    assert some_ending(u_then_o(), (0, 0, 1), Budget()) == ((), ())


def test_an_ending_in_a_cycle():
    assert some_ending(toggle(), (1, 0), Budget()) == ((), (0, 1))
    net = make_net(
        "stem",
        {"a": 1, "b": 0, "c": 0},
        {"ab": (["a"], ["b"]), "bc": (["b"], ["c"]), "cb": (["c"], ["b"])},
    )
    assert some_ending(net, (1, 0, 0), Budget()) == ((0,), (1, 2))


def test_the_watch_ends_a_run_that_never_comes_back():
    with pytest.raises(LimitReached):
        some_ending(pump(), (1, 0), Budget(0.05))
