"""The replayer: right lassos pass, each kind of wrong one is an internal error."""

from __future__ import annotations

import pytest

from mpisog.budget import Budget
from mpisog.errors import InternalError
from mpisog.formulas.properties import Property
from mpisog.nets.model import make_net
from mpisog.spotglue.ltl import bind
from mpisog.trace.lasso import Lasso
from mpisog.trace.replay import certify
from tests.helpers import toggle, u_then_o

U, O = 0, 1  # noqa: E741 - the names of the papers' example
UP, DOWN = 0, 1


def replay(net, formula, prefix, cycle):
    certify(Lasso(net, prefix, cycle), bind(Property("f", formula), net), Budget())


@pytest.mark.parametrize(
    ("net", "formula", "prefix", "cycle"),
    [
        (u_then_o(), "fire(o)", (U, O), ()),
        (u_then_o(), "F(fire(u) & b)", (U, O), ()),
        (u_then_o(), "X X fire(o)", (U, O), ()),
        (u_then_o(), "G !dead", (U, O), ()),
        (u_then_o(), "G(c -> fire(o))", (U, O), ()),  # the dead marking has no event
        (toggle(), "F G on", (), (UP, DOWN)),
        (toggle(), "F G on", (UP,), (DOWN, UP)),
        (toggle(), "G(on -> X on)", (UP, DOWN), (UP, DOWN, UP, DOWN)),
        (toggle(), "!fire(up)", (), (UP, DOWN)),
        (make_net("d", {"p": 0}, {"t": (["p"], [])}), "F p", (), ()),
    ],
)
def test_a_right_lasso_passes(net, formula, prefix, cycle):
    replay(net, formula, prefix, cycle)


@pytest.mark.parametrize(
    ("net", "formula", "prefix", "cycle", "message"),
    [
        (u_then_o(), "fire(o)", (O, U), (), r"step 0 .* \(o\) is not enabled"),
        (u_then_o(), "fire(o)", (U, O, U), (), r"step 2 .* \(u\) is not enabled"),
        (u_then_o(), "fire(o)", (U,), (U,), "is not enabled"),
        (u_then_o(), "fire(o)", (U,), (), "ends in a marking that is not dead"),
        (u_then_o(), "fire(o)", (), (), "ends in a marking that is not dead"),
        (toggle(), "F G on", (), (UP,), "does not close"),
        (toggle(), "F G on", (), (UP, DOWN, UP), "does not close"),
        (u_then_o(), "fire(u)", (U, O), (), "does not violate"),
        (u_then_o(), "F dead", (U, O), (), "does not violate"),
        (toggle(), "G F on", (), (UP, DOWN), "does not violate"),
        (toggle(), "X on", (UP,), (DOWN, UP), "does not violate"),
    ],
)
def test_a_wrong_lasso_is_an_internal_error(net, formula, prefix, cycle, message):
    with pytest.raises(InternalError, match=message):
        replay(net, formula, prefix, cycle)


def test_weights_count():
    net = make_net("w", {"p": 3, "q": 0}, {"t": (["p", "p"], ["q"])})
    replay(net, "G(p -> F !p)", (0,), ())  # one token stays
    with pytest.raises(InternalError, match="not enabled"):
        replay(net, "G(p -> F !p)", (0, 0), ())


def test_markings_of_a_lasso():
    lasso = Lasso(toggle(), (UP,), (DOWN, UP))
    assert list(lasso.markings()) == [(1, 0), (0, 1), (1, 0), (0, 1)]
    assert (lasso.prefix_ids, lasso.cycle_ids, lasso.ends_dead) == (["up"], ["down", "up"], False)
