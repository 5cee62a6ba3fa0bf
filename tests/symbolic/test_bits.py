"""What only the ``bits`` backend has: a list of all markings, and nothing beside them."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from mpisog.budget import Budget
from mpisog.errors import LimitReached, Unbounded
from mpisog.formulas.atoms import Comparison
from mpisog.nets.generators import generate
from mpisog.nets.model import make_net
from mpisog.sog.divergence import find_cycle
from mpisog.symbolic.bits import BitsDomain, TooManyMarkings
from mpisog.symbolic.explicit import ExplicitDomain
from mpisog.symbolic.protocol import Step, all_steps, of_markings
from mpisog.trace.paths import some_path
from tests.helpers import pump, toggle
from tests.symbolic.strategies import Case, cases
from tests.symbolic.test_bytes import mutations, refused_or_canonical

NET = generate("philosophers", 4)


def test_a_marking_that_is_not_reachable_is_in_no_set() -> None:
    domain = BitsDomain(toggle())
    everything = of_markings(domain, [(1, 0), (0, 1)])
    for marking in ((1, 1), (2**40, 0), (-1, 2), (1,), (1, 0, 0)):
        assert not domain.contains(everything, marking)
        with pytest.raises(ValueError, match="not reachable"):
            domain.singleton(marking)


def test_sets_are_split_by_more_atoms_than_a_label_of_native_code_has() -> None:
    atoms = tuple(
        Comparison(((place, 1),), op, tokens)
        for place in range(len(NET.places))
        for op, tokens in ((">=", 1), ("<=", 0), ("==", 1), ("!=", 0), (">=", 2))
    )
    assert len(atoms) > 64
    domain, plain = BitsDomain(NET), ExplicitDomain(NET)
    found, expected = (
        {
            label: set(opened.markings(part))
            for label, part in opened.split(
                opened.closure(opened.singleton(NET.initial), all_steps(NET)), atoms
            )
        }
        for opened in (domain, plain)
    )
    assert found == expected
    assert len(found) > 1


def test_only_reachable_predecessors() -> None:
    net = make_net("line", {"a": 1, "b": 0, "c": 0}, {"ab": (["a"], ["b"]), "cb": (["c"], ["b"])})
    domain = BitsDomain(net)
    before = domain.preimage(domain.singleton((0, 1, 0)), all_steps(net))
    assert list(domain.markings(before)) == [(1, 0, 0)]


def test_too_many_markings() -> None:
    with pytest.raises(TooManyMarkings, match="too many markings"):
        BitsDomain(NET, most=3**4 - 1)
    assert BitsDomain(NET, most=3**4).net is NET
    with pytest.raises(TooManyMarkings):
        BitsDomain(NET, work=100)


def test_an_unbounded_net_names_the_place() -> None:
    with pytest.raises(Unbounded, match="'tank'"):
        BitsDomain(pump())


def test_a_limit_ends_the_enumeration_and_operations() -> None:
    budget = Budget()
    domain = BitsDomain(NET, budget=budget)
    start = domain.singleton(NET.initial)
    budget.interrupt()
    domain.budget = budget
    with pytest.raises(LimitReached, match="interrupted"):
        domain.closure(start, all_steps(NET))
    domain.budget = Budget()
    assert domain.count(domain.closure(start, all_steps(NET))) == 3**4
    with pytest.raises(LimitReached, match="interrupted"):
        BitsDomain(generate("philosophers", 12), budget=budget)


def test_sets_of_other_domains_are_refused() -> None:
    domain, other = BitsDomain(NET), BitsDomain(toggle())
    with pytest.raises(ValueError, match="domain"):
        domain.singleton(NET.initial) | other.empty()
    with pytest.raises(ValueError, match="domain"):
        domain.image(other.singleton((1, 0)), all_steps(NET))
    with pytest.raises(IndexError):
        domain.image(domain.empty(), [Step(len(NET.transitions))])
    assert domain.empty() != other.empty()
    assert domain.empty() != "nothing"


def test_large_sets_are_listed_once() -> None:
    net = generate("philosophers", 8)
    domain = BitsDomain(net)
    states = domain.closure(domain.singleton(net.initial), all_steps(net))
    listed = list(domain.markings(states))
    assert len(listed) == len(set(listed)) == 3**8
    assert listed[0] == net.initial == domain.pick(states)
    some = domain.filter(states, Comparison(((0, 1), (1, 1)), ">=", 1))
    assert set(domain.markings(some)) == {m for m in listed if m[0] + m[1] >= 1}


def test_malformed_bytes_are_refused() -> None:
    domain = BitsDomain(NET)
    markings = list(domain.markings(domain.closure(domain.singleton(NET.initial), all_steps(NET))))
    for states in (of_markings(domain, markings[:2]), of_markings(domain, markings[::2])):
        data = domain.serialise(states)
        outcomes = [refused_or_canonical(domain, changed) for changed in mutations(data)]
        assert all(outcomes[: len(data)])
        assert domain.deserialise(data) == states
    with pytest.raises(ValueError, match="another net"):
        BitsDomain(toggle()).deserialise(data)


@given(data=st.binary(max_size=80))
def test_random_bytes_are_refused(data: bytes) -> None:
    domain = BitsDomain(toggle())
    header = domain.serialise(domain.empty())[:8]
    refused_or_canonical(domain, data)
    refused_or_canonical(domain, header + data)


def test_threads_share_a_domain() -> None:
    net = generate("philosophers", 7)
    domain = BitsDomain(net)
    start = domain.singleton(net.initial)

    def count(place: int) -> int:
        states = domain.closure(start, all_steps(net))
        return domain.count(domain.filter(states, Comparison(((place, 1),), ">=", 1)))

    places = range(len(net.places))
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(count, places)) == [count(place) for place in places]


@settings(max_examples=60)
@given(case=cases())
def test_paths_and_cycles_agree_with_the_explicit_backend(case: Case) -> None:
    assume(case.complete)
    domain, oracle = BitsDomain(case.net), ExplicitDomain(case.net)
    steps, one, other = tuple(case.steps), case.one & case.reachable, case.other & case.reachable
    sources, within = of_markings(domain, one), of_markings(domain, other)
    expected = find_cycle(oracle, case.reachable, steps)
    found = find_cycle(domain, of_markings(domain, case.reachable), steps)
    assert (found is None) == (expected is None)
    for target in sorted(case.reachable)[:5]:
        for at_least_one in (False, True):
            goal = domain.singleton(target)
            path = some_path(domain, sources, goal, steps, within, at_least_one=at_least_one)
            plain = some_path(
                oracle, one, frozenset([target]), steps, other, at_least_one=at_least_one
            )
            assert (path is None) == (plain is None)
            if path is not None and plain is not None:
                assert len(path.firings) == len(plain.firings)
                assert path.start in one
                assert path.end == target
