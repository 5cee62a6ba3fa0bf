"""Bounds of places from invariants and linear programs."""

from __future__ import annotations

from hypothesis import given

from mpisog.nets.bounds import place_bounds
from mpisog.nets.model import PetriNet, make_net
from tests.helpers import pump, toggle
from tests.strategies import nets
from tests.symbolic.reference import explored


def test_invariants_bound_places() -> None:
    assert place_bounds(toggle()) == [1, 1]


def test_weights_of_an_invariant_count() -> None:
    """``a + 2 b`` stays 7, so there are at most three tokens in ``b``."""
    net = make_net("weighted", {"a": 7, "b": 0}, {"t": (["a", "a"], ["b"])})
    assert place_bounds(net) == [7, 3]


def test_a_linear_program_bounds_what_no_invariant_does() -> None:
    """Tokens are only lost: there is no invariant, but never more than at first."""
    net = make_net("lossy", {"a": 5, "b": 0}, {"t": (["a"], ["b"]), "lose": (["b"], [])})
    assert place_bounds(net, seconds=60) == [5, 5]  # as long as a busy machine may need


def test_an_unbounded_place_has_none() -> None:
    assert place_bounds(pump()) == [1, None]


@given(net=nets())
def test_bounds_hold(net: PetriNet) -> None:
    reachable, _ = explored(net, 200)
    for place, bound in enumerate(place_bounds(net)):
        assert bound is None or all(marking[place] <= bound for marking in reachable)
