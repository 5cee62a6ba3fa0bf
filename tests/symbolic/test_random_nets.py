"""The contract, on random nets against the ``explicit`` backend and plain frozensets.

The ``explicit`` backend takes part itself, against the frozensets of the reference.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings

from mpisog.nets.model import Marking
from mpisog.symbolic.explicit import ExplicitDomain
from mpisog.symbolic.protocol import Domain, all_steps, digest, of_markings
from mpisog.symbolic.registry import open_domain
from tests.symbolic import reference
from tests.symbolic.conftest import ONLY_REACHABLE
from tests.symbolic.reference import Markings
from tests.symbolic.strategies import Case, cases

EXAMPLES = 60
MANY = 1_000

# The fixture is a name that never changes.
ONE_BACKEND = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]


class Opened:
    """A case opened in a backend, beside the oracle."""

    def __init__(self, backend: str, case: Case) -> None:
        self.case = case
        self.only_reachable = backend in ONLY_REACHABLE
        self.domain: Domain[Any] = open_domain(backend, case.net, case.order)
        self.oracle = ExplicitDomain(case.net)
        self.one = of_markings(self.domain, case.one)
        self.other = of_markings(self.domain, case.other)
        self.reachable = of_markings(self.domain, case.reachable)

    def plain(self, states: Any) -> Markings:
        """A backend's set as frozenset; nothing is listed twice."""
        listed = list(self.domain.markings(states))
        assert len(listed) == len(set(listed)) == self.domain.count(states)
        return frozenset(listed)


def check_algebra(opened: Opened) -> None:
    one, other, case = opened.one, opened.other, opened.case
    assert opened.plain(one | other) == case.one | case.other
    assert opened.plain(one & other) == case.one & case.other
    assert opened.plain(one - other) == case.one - case.other
    assert (one == other) == (case.one == case.other)
    assert bool(one) == bool(case.one)
    assert (one | other) - other == one - other
    assert all(opened.domain.contains(one, marking) for marking in case.one)
    assert not any(opened.domain.contains(one, marking) for marking in case.other - case.one)


def check_steps(opened: Opened) -> None:
    case, domain, oracle = opened.case, opened.domain, opened.oracle
    for steps in (case.steps, all_steps(case.net)):
        assert opened.plain(domain.image(opened.one, steps)) == reference.image(
            case.net, case.one, steps
        )
        before = opened.plain(domain.preimage(opened.one, steps))
        expected = oracle.preimage(case.one, steps)
        assert before == (expected & case.reachable if opened.only_reachable else expected)
        assert all(reference.image(case.net, [marking], steps) & case.one for marking in before)
        counted = sum(
            reference.after(case.net, step, marking) is not None
            for marking in case.one
            for step in steps
        )
        assert domain.count_steps(opened.one, steps) == counted


def check_closures(opened: Opened) -> None:
    case, domain = opened.case, opened.domain
    initial = domain.singleton(case.net.initial)
    if case.complete:
        assert domain.closure(initial, all_steps(case.net)) == opened.reachable
        start = case.one & case.reachable
        found = domain.closure(opened.one & opened.reachable, case.steps)
        assert opened.plain(found) == opened.oracle.closure(start, case.steps)
    within = opened.reachable | opened.other
    plain_within = case.reachable | case.other
    found = domain.closure(opened.one, case.steps, within)
    assert opened.plain(found) == reference.closure(case.net, case.one, case.steps, plain_within)
    found = domain.backward_closure(opened.one, case.steps, within)
    expected = reference.backward_closure(case.net, case.one, case.steps, plain_within)
    assert opened.plain(found) == expected


def check_atoms(opened: Opened) -> None:
    case, domain = opened.case, opened.domain
    states, plain = opened.one | opened.reachable, case.one | case.reachable
    expected: dict[tuple[bool, ...], set[Marking]] = {}
    for marking in plain:
        label = tuple(reference.satisfies(case.net, marking, atom) for atom in case.atoms)
        expected.setdefault(label, set()).add(marking)
    for index, atom in enumerate(case.atoms):
        true = {m for label, part in expected.items() if label[index] for m in part}
        assert opened.plain(domain.filter(states, atom)) == true
    classes = {label: opened.plain(part) for label, part in domain.split(states, case.atoms)}
    assert classes == expected
    steps = all_steps(case.net)
    after = domain.split_image(opened.reachable, steps, case.atoms)
    assert after == domain.split(domain.image(opened.reachable, steps), case.atoms)


def check_values(opened: Opened) -> None:
    case, domain = opened.case, opened.domain
    if not case.one:
        assert domain.largest_tokens(opened.one) == (0,) * len(case.net.places)
        return
    columns = zip(*case.one, strict=True)
    assert domain.largest_tokens(opened.one) == tuple(max(column) for column in columns)
    for terms in ([(0, 1)], [(p, (-2) ** p) for p in range(len(case.net.places))]):
        best = max(reference.value(marking, terms) for marking in case.one)
        assert domain.largest_sum(opened.one, terms) == best
    assert domain.pick(opened.one) in case.one


def check_bytes(opened: Opened, backend: str) -> None:
    """Another domain, other operations before, another way to the set: the same bytes."""
    case, domain = opened.case, opened.domain
    other = open_domain(backend, case.net, case.order)
    domain.preimage(domain.image(opened.other, all_steps(case.net)), case.steps)
    if not opened.only_reachable:
        domain.singleton((9999,) * len(case.net.places))
    far_too_much = of_markings(other, sorted(case.one | case.other))
    again = far_too_much - of_markings(other, case.other - case.one)
    data = domain.serialise(opened.one)
    assert other.serialise(again) == data
    assert other.deserialise(data) == again
    assert domain.deserialise(data) == opened.one
    assert not case.one or other.pick(again) == domain.pick(opened.one)
    for algorithm in ("md5", "xxh3"):
        identity = digest(domain, opened.one, algorithm)
        assert digest(other, again, algorithm) == identity
        same = digest(domain, opened.other, algorithm) == identity
        assert same == (case.one == case.other)


def check_everything(backend: str, case: Case) -> None:
    if backend in ONLY_REACHABLE:
        assume(case.complete)
        one, other = case.one & case.reachable, case.other & case.reachable
        case = replace(case, one=one, other=other)
    opened = Opened(backend, case)
    check_algebra(opened)
    check_steps(opened)
    check_closures(opened)
    check_atoms(opened)
    check_values(opened)
    check_bytes(opened, backend)


@settings(max_examples=EXAMPLES, suppress_health_check=ONE_BACKEND)
@given(case=cases())
def test_random_nets(every_backend: str, case: Case) -> None:
    check_everything(every_backend, case)


@pytest.mark.slow
@settings(max_examples=MANY, suppress_health_check=ONE_BACKEND)
@given(case=cases())
def test_many_random_nets(every_backend: str, case: Case) -> None:
    check_everything(every_backend, case)
