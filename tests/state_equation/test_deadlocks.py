"""That no dead marking is reachable, from traps and what dead markings lack."""

from __future__ import annotations

from random import Random

import pytest

from mpisog.nets.generators import generate
from mpisog.nets.model import make_net
from mpisog.nets.semantics import is_dead, successors
from mpisog.state_equation.deadlocks import Deadlocks
from tests.helpers import to_mpisog, toggle, u_then_o
from tests.reference.generate import random_net

MOST_MARKINGS = 500


def excluded(net) -> bool:
    return Deadlocks(net).excluded(10)


@pytest.mark.parametrize(("family", "size"), [("process_ring", 5), ("pipeline", 7)])
def test_families_that_go_on(family, size):
    assert excluded(generate(family, size))


def test_families_that_end():
    assert not excluded(generate("epidemic", 3))
    assert not excluded(u_then_o())


def test_a_toggle_goes_on_unless_it_has_no_token():
    assert excluded(toggle())
    empty = make_net("empty", {"off": 0, "on": 0}, {"up": (["off"], ["on"])})
    assert not excluded(empty)


def test_one_token_is_not_enough_for_two():
    """The place stays marked, and the net is dead all the same."""
    net = make_net("two", {"p": 1}, {"t": (["p", "p"], ["p", "p"])})
    assert not excluded(net)
    assert excluded(make_net("one", {"p": 1}, {"t": (["p"], ["p"])}))


def test_what_loses_its_token_is_no_trap():
    net = make_net("loss", {"p": 1, "q": 0}, {"t": (["p"], ["q"]), "u": (["q"], [])})
    assert not excluded(net)


def test_a_transition_without_inputs_is_always_enabled():
    assert excluded(make_net("source", {"p": 0}, {"t": ([], ["p"])}))


def some_markings(net) -> set:
    """The first ones breadth first: a net may have very many."""
    found, frontier = {net.initial}, [net.initial]
    while frontier and len(found) < MOST_MARKINGS:
        after = {m for marking in frontier for _, m in successors(net, marking)}
        frontier = list(after - found)
        found |= after
    return found


def test_a_trap_whose_places_are_found_empty_together():
    net = make_net(
        "both", {"a": 1, "b": 0}, {"t": (["a"], ["b"]), "u": (["b"], ["a"]), "v": (["a"], ["a"])}
    )
    assert excluded(net)


def check(count: int) -> None:
    claims = 0
    for number in range(count):
        net = to_mpisog(random_net(Random(f"deadlocks {number}")))
        if excluded(net):
            claims += 1
            assert not any(is_dead(net, marking) for marking in some_markings(net)), net
    assert claims >= count / 10


def test_random_nets():
    check(60)


@pytest.mark.slow
def test_many_random_nets():
    check(5_000)
