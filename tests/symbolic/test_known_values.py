"""The contract, on values that can be worked out by hand."""

from __future__ import annotations

from math import comb

import pytest

from mpisog.budget import Budget
from mpisog.errors import LimitReached
from mpisog.formulas.atoms import Comparison, Dead, Fireable
from mpisog.nets.generators import generate
from mpisog.nets.model import PetriNet, make_net
from mpisog.symbolic.protocol import Step, all_steps, of_markings
from mpisog.symbolic.registry import open_domain
from tests.helpers import pump, u_then_o

COUNTS_ONLY_SMALL = 10**6
"""More markings than this are not for backends that list them."""


def toggles(count: int) -> PetriNet:
    """Independent tokens that go to and fro: two markings each, one move each in every marking."""
    places = {f"{side}{i}": int(side == "off") for i in range(count) for side in ("off", "on")}
    moves = {}
    for i in range(count):
        moves[f"up{i}"] = ([f"off{i}"], [f"on{i}"])
        moves[f"down{i}"] = ([f"on{i}"], [f"off{i}"])
    return make_net("toggles", places, moves)


def ring(places: int, tokens: int) -> PetriNet:
    """Tokens in a ring: every distribution can be reached."""
    names = [f"p{i}" for i in range(places)]
    initial = dict.fromkeys(names, 0) | {"p0": tokens}
    moves = {f"t{i}": ([names[i]], [names[(i + 1) % places]]) for i in range(places)}
    return make_net("ring", initial, moves)


def skip_if_explicit(backend: str) -> None:
    if backend in {"bits", "explicit"}:
        pytest.skip("too many markings to list")


@pytest.mark.parametrize("count", [1, 6, 70])
def test_counts_are_exact(every_backend: str, count: int) -> None:
    if 2**count > COUNTS_ONLY_SMALL:
        skip_if_explicit(every_backend)
    net = toggles(count)
    domain = open_domain(every_backend, net)
    states = domain.closure(domain.singleton(net.initial), all_steps(net))
    assert domain.count(states) == 2**count
    assert domain.count_steps(states, all_steps(net)) == count * 2**count
    assert domain.count(states - domain.singleton(net.initial)) == 2**count - 1
    assert domain.largest_sum(states, [(2 * i, 1) for i in range(count)]) == count
    assert not domain.filter(states, Dead())


@pytest.mark.parametrize(("places", "tokens"), [(3, 4), (5, 6), (8, 30)])
def test_rings(every_backend: str, places: int, tokens: int) -> None:
    """Stars and bars."""
    total = comb(tokens + places - 1, places - 1)
    if total > COUNTS_ONLY_SMALL:
        skip_if_explicit(every_backend)
    net = ring(places, tokens)
    domain = open_domain(every_backend, net)
    states = domain.closure(domain.singleton(net.initial), all_steps(net))
    assert domain.count(states) == total
    # A step takes a token away: what is left is any distribution of one token less.
    edges = places * comb(tokens + places - 2, places - 1)
    assert domain.count_steps(states, all_steps(net)) == edges
    assert domain.largest_tokens(states) == (tokens,) * places
    assert domain.largest_sum(states, [(0, 3), (1, -2)]) == 3 * tokens
    assert domain.largest_sum(states, [(0, -1), (1, -1)]) == 0
    half = domain.filter(states, Comparison(((0, 1),), ">=", tokens // 2))
    rest = tokens - tokens // 2
    assert domain.count(half) == comb(rest + places - 1, places - 1)


def test_philosophers_of_the_contest(every_backend: str) -> None:
    """The contest gives 3 to the power of their number, with two deadlocks."""
    net = generate("philosophers", 8)
    domain = open_domain(every_backend, net)
    states = domain.closure(domain.singleton(net.initial), all_steps(net))
    assert domain.count(states) == 3**8
    assert domain.count(domain.filter(states, Dead())) == 2


def test_a_line(every_backend: str) -> None:
    net = u_then_o()
    domain = open_domain(every_backend, net)
    first, second, third = (domain.singleton(m) for m in ((1, 0, 0), (0, 1, 0), (0, 0, 1)))
    u, o = Step(0), Step(1)
    everything = first | second | third
    assert domain.image(first, [u, o]) == second
    assert domain.image(second, [u]) == domain.empty()
    assert domain.image(everything, [u, o]) == second | third
    assert domain.preimage(third, [u, o]) == second
    assert domain.preimage(first, [u, o]) == domain.empty()
    assert domain.closure(first, [u, o]) == everything
    assert domain.closure(first, [o]) == first
    assert domain.closure(first, [u, o], first | third) == first
    assert domain.closure(third, [u, o], first) == domain.empty()
    assert domain.backward_closure(third, [u, o], everything) == everything
    assert domain.backward_closure(third, [u, o], first | third) == third
    assert domain.filter(everything, Dead()) == third
    assert domain.filter(everything, Fireable((0,))) == first
    assert domain.filter(everything, Fireable((0, 1))) == first | second
    labels = domain.split(everything, [Fireable((1,)), Dead()])
    assert dict(labels) == {(True, False): second, (False, True): third, (False, False): first}
    assert domain.count_steps(everything, [u, o, o]) == 3


def test_guards_stop_a_step(every_backend: str) -> None:
    """Ten tokens go over one by one: the third and later ones only while the guard allows it."""
    net = make_net("over", {"a": 10, "b": 0}, {"t": (["a"], ["b"])})
    domain = open_domain(every_backend, net)
    start = domain.singleton((10, 0))
    upper = domain.closure(start, [Step(0, at_most=((1, 2),))])
    assert set(domain.markings(upper)) == {(10, 0), (9, 1), (8, 2), (7, 3)}
    lower = domain.closure(start, [Step(0, at_least=((0, 8),))])
    assert set(domain.markings(lower)) == {(10, 0), (9, 1), (8, 2), (7, 3)}
    assert not domain.image(start, [Step(0, at_least=((1, 1),))])
    after = domain.singleton((7, 3))
    assert domain.preimage(after, [Step(0, at_most=((1, 2),))]) == domain.singleton((8, 2))
    assert not domain.preimage(after, [Step(0, at_most=((1, 1),))])


def test_weights_and_self_loops(backend: str) -> None:
    """Two tokens in, five out, and a key that must be there and stays."""
    net = make_net("weights", {"key": 1, "a": 2}, {"t": (["key", "a", "a"], ["key", *["a"] * 5])})
    domain = open_domain(backend, net)
    start = of_markings(domain, [(1, 2), (0, 2), (2, 1), (3, 9)])
    assert set(domain.markings(domain.image(start, [Step(0)]))) == {(1, 5), (3, 12)}
    goal = of_markings(domain, [(1, 5), (0, 5), (1, 4), (2, 8)])
    assert set(domain.markings(domain.preimage(goal, [Step(0)]))) == {(1, 2), (2, 5)}


def test_many_tokens(every_backend: str) -> None:
    net = make_net("many", {"a": 100_000, "b": 0}, {"t": (["a"], ["b"])})
    domain = open_domain(every_backend, net)
    states = of_markings(domain, [(100_000 - n, n) for n in (0, 17, 65_535, 100_000)])
    assert domain.count(domain.image(states, [Step(0)])) == 3
    assert domain.largest_tokens(states) == (100_000, 100_000)
    balanced = Comparison(((0, 1), (1, -1)), "<=", 0)
    assert set(domain.markings(domain.filter(states, balanced))) == {(34_465, 65_535), (0, 100_000)}
    assert domain.largest_sum(states, [(0, 2), (1, 1)]) == 200_000


def test_an_order_changes_nothing_but_bytes(every_backend: str) -> None:
    net = ring(4, 3)
    for order in ([0, 1, 2, 3], [3, 1, 0, 2]):
        domain = open_domain(every_backend, net, order)
        states = domain.closure(domain.singleton(net.initial), all_steps(net))
        assert domain.count(states) == comb(6, 3)
        one = domain.singleton((0, 1, 2, 0))
        assert list(domain.markings(one)) == [(0, 1, 2, 0)] == [domain.pick(one)]
        assert domain.largest_tokens(one) == (0, 1, 2, 0)
        assert domain.largest_sum(one, [(1, 10), (2, 1)]) == 12


def test_a_limit_ends_an_endless_closure(backend: str) -> None:
    net = pump()
    domain = open_domain(backend, net, budget=Budget(seconds=0.5))
    start = domain.singleton(net.initial)
    with pytest.raises(LimitReached):
        domain.closure(start, all_steps(net))
    domain.budget = Budget()
    assert domain.count(start) == 1
    few = domain.closure(start, [Step(0, at_most=((1, 2),))])
    assert set(domain.markings(few)) == {(1, 0), (1, 1), (1, 2), (1, 3)}
