"""Operations on nets with many transitions, or transitions with many arcs, ask their budget."""

from __future__ import annotations

import pytest

from mpisog.budget import Budget
from mpisog.nets.model import make_net
from mpisog.symbolic.protocol import all_steps
from mpisog.symbolic.registry import open_domain
from tests.symbolic.conftest import installed

SIZE = 50


class Counting(Budget):
    """Knows how often it was asked."""

    asked = 0

    def check(self) -> None:
        self.asked += 1
        super().check()


@pytest.mark.parametrize(
    ("backend", "shape"),
    [("bdd", "many arcs"), ("bdd", "many transitions"), ("explicit", "many transitions")],
)
def test_one_image_asks_often(backend: str, shape: str) -> None:
    sources, targets = ([f"{side}{i}" for i in range(SIZE)] for side in "pq")
    transitions = (
        {"t": (sources, targets)}
        if shape == "many arcs"
        else {f"t{i}": ([sources[i]], [targets[i]]) for i in range(SIZE)}
    )
    net = make_net(shape, dict.fromkeys(sources, 1) | dict.fromkeys(targets, 0), transitions)
    budget = Counting()
    domain = open_domain(installed(backend), net, budget=budget)
    start = domain.singleton(net.initial)
    budget.asked = 0
    assert domain.count(domain.image(start, all_steps(net))) == len(transitions)
    assert budget.asked >= SIZE
