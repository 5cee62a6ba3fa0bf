"""What units exclude: never a marking that is reachable, whatever the file says of them."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

from mpisog.formulas.atoms import Comparison
from mpisog.nets.model import PetriNet, make_net
from mpisog.state_equation.systems import systems
from mpisog.state_equation.units import Units
from tests.helpers import to_mpisog
from tests.reference.generate import MOST_MARKINGS, random_net


def two_processes() -> PetriNet:
    """Two tokens that go round on their own, and meet at times."""
    net = make_net(
        "two",
        {"a": 1, "b": 0, "c": 0, "x": 1, "y": 0},
        {
            "ab": (["a"], ["b"]),
            "bc": (["b", "x"], ["c", "y"]),
            "ca": (["c"], ["a"]),
            "yx": (["y"], ["x"]),
        },
    )
    return replace(net, units=((0, 1, 2), (3, 4)))


def excludes(net: PetriNet, *comparisons: Comparison) -> bool:
    """Whether no reachable marking has them all."""
    return all(map(Units(net).exclude, systems([(c, True) for c in comparisons], net)))


def at_least(number: int, *places: int) -> Comparison:
    return Comparison(tuple((place, 1) for place in places), ">=", number)


def test_two_places_of_a_unit():
    net = two_processes()
    assert excludes(net, at_least(1, 0), at_least(1, 1))
    assert not excludes(net, at_least(1, 0), at_least(1, 3))


def test_sums_over_units():
    net = two_processes()
    assert excludes(net, at_least(3, 0, 1, 3))
    assert not excludes(net, at_least(2, 0, 1, 3))
    assert excludes(net, at_least(2, 2))
    assert excludes(net, Comparison(((0, 1), (3, -1)), ">=", 2))


def test_a_row_that_says_nothing_does_not_hide_the_others():
    net = two_processes()
    assert excludes(net, at_least(0, 3), at_least(1, 0), at_least(1, 1))


def test_nested_units():
    net = make_net(
        "fork",
        {"p": 1, "a": 0, "b": 0, "c": 0},
        {"fork": (["p"], ["a", "b"]), "ac": (["a"], ["c"]), "join": (["b", "c"], ["p"])},
    )
    net = replace(net, units=((0, 1, 3), (0, 2)))
    assert excludes(net, at_least(1, 0), at_least(1, 2))
    assert excludes(net, at_least(1, 0), at_least(1, 3))
    assert not excludes(net, at_least(1, 1), at_least(1, 2))


def test_units_that_are_none_exclude_nothing():
    """The file may say what it likes: 'bc' puts a token into each of c and y."""
    net = replace(two_processes(), units=((0, 1, 4), (2, 3)))
    assert not excludes(net, at_least(1, 2), at_least(1, 4))
    assert not excludes(net, at_least(1, 1), at_least(1, 3))


def test_random_units():
    """On random nets with random sets, what is excluded holds in no marking."""
    seen: Counter[bool] = Counter()
    for number in range(300):
        rng = Random(f"units {number}")
        reference = random_net(rng)
        net = to_mpisog(reference)
        places = range(len(net.places))
        sets = [tuple(sorted(rng.sample(places, rng.randint(1, len(places))))) for _ in range(4)]
        net = replace(net, units=tuple(sets))
        names = [place.id for place in net.places]
        markings = [reference.thaw(m) for m in reference.markings(MOST_MARKINGS)]
        for _ in range(10):
            wanted = [
                (rng.choice(places), rng.choice(places), rng.choice((1, 1, -1)), rng.randint(0, 4))
                for _ in range(rng.randint(1, 3))
            ]
            atoms = [Comparison(((p, 1), (q, f)), ">=", n) for p, q, f, n in wanted if p != q]
            if not atoms:
                continue
            excluded = excludes(net, *atoms)
            seen[excluded] += 1
            if excluded:
                assert not any(
                    all(sum(f * m[names[p]] for p, f in a.terms) >= a.bound for a in atoms)
                    for m in markings
                ), (number, atoms)
    assert min(seen[True], seen[False]) >= 100, seen
