"""Closing a set while the label stays, at once and in rounds, on every backend that can."""

from __future__ import annotations

import pytest

from mpisog.formulas.atoms import Comparison, Fireable
from mpisog.nets.generators import generate
from mpisog.sog import closure
from mpisog.sog.closure import close, part, silent_image
from mpisog.sog.observation import Observation
from mpisog.symbolic.protocol import all_steps
from mpisog.symbolic.registry import open_domain

NET = generate("kanban", 1)
PLACES = range(len(NET.places))

ATOMS = [
    (Comparison(((0, 1), (5, -1)), ">=", 0),),
    (Comparison(((1, 1), (2, 1), (9, -2)), "<=", 0), Comparison(((3, 1), (4, 1)), "==", 1)),
    (Fireable((0, 3, 7)), Comparison(((2, 1), (12, 1)), "!=", 1)),
    (Fireable(tuple(range(0, len(NET.transitions), 2))),),
]


@pytest.mark.parametrize("atoms", ATOMS)
@pytest.mark.parametrize("backend", ["mdd", "bits"])
def test_at_once_is_the_same_as_in_rounds(backend, atoms):
    domain = open_domain(backend, NET)
    observation = Observation(NET, atoms)
    reachable = domain.closure(domain.singleton(NET.initial), tuple(all_steps(NET)))
    checked = 0
    for label, states in domain.split(reachable, atoms):
        checked += len(observation.steps(label).checked)
        for marking in list(domain.markings(states))[::17]:
            start = domain.singleton(marking)
            expected = closure._in_rounds(domain, observation, label, start)
            assert close(domain, observation, label, start).states == expected
    assert checked > 0


@pytest.mark.parametrize("limit", [1, 3, 10**6])
@pytest.mark.parametrize("atoms", ATOMS)
def test_a_part_and_what_lies_beyond(atoms, limit):
    domain = open_domain("mdd", NET)
    observation = Observation(NET, atoms, aggregate_markings=limit)
    reachable = domain.closure(domain.singleton(NET.initial), tuple(all_steps(NET)))
    for label, states in domain.split(reachable, atoms):
        for marking in list(domain.markings(states))[::17]:
            start = domain.singleton(marking)
            inside, frontier, next_entry = part(domain, observation, label, start)
            whole = close(domain, observation, label, start).states
            assert domain.count(inside) == min(limit, domain.count(whole))
            assert inside & start
            assert not (inside - whole)
            assert frontier == silent_image(domain, observation, label, inside) - inside
            assert domain.count(next_entry) == (1 if frontier else 0)
            assert not (next_entry - frontier)


def test_a_label_that_is_too_complex_is_closed_in_rounds(monkeypatch):
    domain = open_domain("mdd", NET)
    observation = Observation(NET, ATOMS[0])
    label = (True,)
    start = domain.singleton(NET.initial)
    expected = close(domain, observation, label, start).states
    monkeypatch.setattr(domain, "close", lambda *_: None)
    assert close(domain, observation, label, start).states == expected
