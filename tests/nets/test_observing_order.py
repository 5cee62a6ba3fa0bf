"""Which end of an order is the top depends on what is observed."""

from __future__ import annotations

from mpisog.nets.generators import generate
from mpisog.nets.model import make_net
from mpisog.nets.ordering import choose_order, observing_order

CHAIN = make_net(
    "chain",
    {"a": 1, "b": 0, "c": 0, "d": 0},
    {"ab": (["a"], ["b"]), "bc": (["b"], ["c"]), "cd": (["c"], ["d"])},
)


def test_observed_places_come_to_the_upper_half():
    assert observing_order(CHAIN, (0, 1, 2, 3), {3}) == (3, 2, 1, 0)
    assert observing_order(CHAIN, (0, 1, 2, 3), {0, 1, 3}) == (0, 1, 2, 3)


def test_without_need_the_order_stays():
    assert observing_order(CHAIN, (0, 1, 2, 3), ()) == (0, 1, 2, 3)
    assert observing_order(CHAIN, (0, 1, 2, 3), {0, 3}) == (0, 1, 2, 3)


def test_with_many_tokens_the_direction_was_chosen():
    net = generate("kanban", 5)
    order = choose_order(net)
    assert observing_order(net, order, {order[-1]}) == order
