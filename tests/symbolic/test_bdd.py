"""What only the ``bdd`` backend has: bits that grow, and a package that may be missing."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

pytest.importorskip("dd.cudd", reason="dd is missing", exc_type=ImportError)

from mpisog.budget import Budget
from mpisog.errors import LimitReached, Unbounded, UsageError
from mpisog.formulas.atoms import Comparison
from mpisog.nets.model import PetriNet, make_net
from mpisog.symbolic import bdd_linear
from mpisog.symbolic.bdd import BddDomain
from mpisog.symbolic.covering import growing_place
from mpisog.symbolic.protocol import Step, all_steps, of_markings
from tests.helpers import pump, toggle

FILL = make_net(
    "fill",
    {"run": 1, "tank": 0, "stop": 0},
    {"fill": (["run"], ["run", "tank"]), "halt": (["run"], ["stop"])},
)
"""Unbounded, so nothing is known about the tank."""


def test_sets_stay_equal_when_places_get_more_bits() -> None:
    domain = BddDomain(FILL)
    old = of_markings(domain, [(1, 0, 0), (0, 1, 1)])
    data, key, empty = domain.serialise(old), hash(old), domain.empty()
    table = {old: "old"}
    wide = domain.singleton((1, 1000, 0))
    new = of_markings(domain, [(0, 1, 1), (1, 0, 0)])
    assert new == old == (old | wide) - wide
    assert hash(new) == key
    assert table[new] == "old"
    assert domain.serialise(old) == domain.serialise(new) == data
    assert set(domain.markings(old)) == {(1, 0, 0), (0, 1, 1)}
    assert domain.count(old) == 2
    assert not empty
    assert empty == old & wide == domain.empty()


def test_listing_goes_on_while_places_get_more_bits() -> None:
    domain = BddDomain(FILL)
    markings = domain.markings(of_markings(domain, [(1, 0, 0), (1, 1, 0), (0, 1, 1)]))
    first = next(markings)
    domain.singleton((500, 500, 500))
    assert {first, *markings} == {(1, 0, 0), (1, 1, 0), (0, 1, 1)}


def test_images_grow_places_by_what_they_need() -> None:
    domain = BddDomain(FILL)
    states = domain.singleton(FILL.initial)
    for tokens in range(1, 20):
        states = domain.image(states, [Step(0)])
        assert list(domain.markings(states)) == [(1, tokens, 0)]
    for tokens in reversed(range(19)):
        states = domain.preimage(states, [Step(0)])
        assert list(domain.markings(states)) == [(1, tokens, 0)]


def test_guarded_closures_of_an_unbounded_net_end() -> None:
    domain = BddDomain(FILL)
    start = domain.singleton(FILL.initial)
    filled = domain.closure(start, [Step(0, at_most=((1, 99),)), Step(1)])
    expected = {(run, tokens, 1 - run) for run in (0, 1) for tokens in range(101)}
    assert set(domain.markings(filled)) == expected


@pytest.mark.parametrize("net", [pump(), FILL])
def test_endless_growth_is_found_without_a_limit(net: PetriNet) -> None:
    domain = BddDomain(net)
    with pytest.raises(Unbounded, match="'tank'"):
        domain.closure(domain.singleton(domain.net.initial), all_steps(domain.net))
    assert domain.count(domain.singleton((1,) * len(domain.net.places))) == 1


def test_walks_do_not_call_a_bounded_net_unbounded() -> None:
    assert growing_place(toggle(), [(1, 0)], all_steps(toggle())) is None
    guarded = [Step(0, at_most=((1, 99),))]
    assert growing_place(FILL, [FILL.initial], guarded) is None
    assert growing_place(FILL, [FILL.initial], [Step(0)]) == 1


def test_more_tokens_than_bits_can_be() -> None:
    domain = BddDomain(toggle())
    assert domain.count(domain.singleton((2**40 - 1, 0))) == 1
    with pytest.raises(LimitReached, match="'off'"):
        domain.singleton((2**40, 0))
    assert domain.count(domain.singleton((1, 0))) == 1


def test_comparisons_beyond_the_limit_of_partial_sums(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bdd_linear, "FEW_STATES", 3)
    net = make_net("three", {"a": 7, "b": 7, "c": 7}, {})
    domain = BddDomain(net)
    markings = [(a, b, (a * b) % 8) for a in range(8) for b in range(8)]
    states = of_markings(domain, markings)
    found = domain.filter(states, Comparison(((0, 3), (1, -5), (2, 2)), "<=", -1))
    expected = {(a, b, c) for a, b, c in markings if 3 * a - 5 * b + 2 * c <= -1}
    assert set(domain.markings(found)) == expected


def test_lack_of_memory_is_a_limit_and_the_domain_stays_usable() -> None:
    """Equality of two halves, one after the other, needs a node for every value of the first."""
    half = 22
    net = make_net("halves", {f"p{i}": 1 for i in range(2 * half)}, {})
    domain = BddDomain(net, range(2 * half), Budget())
    domain.encoding.manager.configure(max_memory=60 << 20)

    def equal_halves() -> None:
        states = domain.deserialise(_all_ones_and_zeros(2 * half))
        for i in range(half):
            equal = Comparison(((i, 1), (half + i, -1)), "==", 0)
            states = domain.filter(states, equal)

    with pytest.raises(LimitReached, match="memory"):
        equal_halves()
    assert domain.count(domain.singleton((1,) * (2 * half))) == 1


def _all_ones_and_zeros(places: int) -> bytes:
    """Every marking with at most one token a place: one bit each, and no node at all."""
    return places.to_bytes(4, "little") + bytes([1] * places) + (1).to_bytes(4, "little")


def test_an_interrupt_ends_an_operation() -> None:
    budget = Budget()
    domain = BddDomain(toggle(), budget=budget)
    start = domain.singleton((1, 0))
    budget.interrupt()
    with pytest.raises(LimitReached, match="interrupted"):
        domain.closure(start, all_steps(toggle()))
    with pytest.raises(LimitReached, match="interrupted"):
        domain.filter(start, Comparison(((0, 1), (1, 1)), "<=", 1))


def test_threads_take_turns() -> None:
    """Each thread counts a tank of its own in one domain whose places grow all the time."""
    domain = BddDomain(FILL)

    def fill(most: int) -> int:
        start = domain.singleton(FILL.initial)
        return domain.count(domain.closure(start, [Step(0, at_most=((1, most - 1),))]))

    with ThreadPoolExecutor(4) as pool:
        sizes = list(pool.map(fill, range(1, 60)))
    assert sizes == [most + 1 for most in range(1, 60)]


def test_a_missing_package_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "dd.cudd", None)
    with pytest.raises(UsageError) as caught:
        BddDomain(toggle())
    assert "pip install 'mpisog[bdd]'" in str(caught.value)


def test_a_set_keeps_its_size_when_places_get_more_bits():
    net = make_net("wide", {"p": 1, "q": 1}, {"t": (["p"], ["q"])})
    domain = BddDomain(net)
    before = domain.singleton((1, 1))
    size = domain.nodes(before)
    domain.singleton((9, 300))
    assert domain.nodes(before) == size
