"""The contract, on all sets over small domains."""

from __future__ import annotations

from itertools import product

import pytest

from mpisog.formulas.atoms import Comparison, Dead, Fireable, StateAtom
from mpisog.nets.model import Marking, PetriNet, make_net
from mpisog.symbolic.protocol import Step, of_markings
from mpisog.symbolic.registry import open_domain
from tests.symbolic import reference
from tests.symbolic.reference import Markings, box, subsets

PAIRS = make_net(
    "pairs",
    {"a": 2, "b": 0},
    {
        "there": (["a"], ["b"]),
        "back_twice": (["b", "b"], ["a", "a"]),
        "look": (["a", "b"], ["a", "b"]),
        "make": (["b"], ["b", "a", "a"]),
        "drop": (["a", "a"], []),
        "nothing": ([], []),
    },
)
TRIPLE = make_net(
    "triple",
    {"a": 1, "b": 0, "c": 0},
    {
        "ab": (["a"], ["b"]),
        "bc": (["b"], ["c"]),
        "ca": (["c"], ["a"]),
        "fork": (["a"], ["b", "c"]),
        "join": (["b", "c"], ["a"]),
    },
)
STEPS = [
    *(Step(t) for t in range(6)),
    Step(0, at_least=((0, 2),)),
    Step(0, at_most=((1, 0),)),
    Step(1, at_least=((0, 1),), at_most=((0, 1),)),
    Step(2, at_most=((0, 1), (1, 1))),
    Step(5, at_least=((0, 1), (1, 2))),
    Step(3, at_least=((0, 3),), at_most=((0, 2),)),
]
KEEPING = [Step(0), Step(1), Step(2)]
"""The token sum stays, so closures are finite."""


class Table:
    """Every subset of a small domain, as the backend's set and as frozenset."""

    def __init__(self, backend: str, net: PetriNet, largest: int) -> None:
        self.net = net
        self.domain = open_domain(backend, net)
        self.markings = box(len(net.places), largest)
        self.plain = subsets(self.markings)
        singles = [self.domain.singleton(marking) for marking in self.markings]
        self.sets = [self.domain.empty()]
        for single in singles:
            self.sets += [states | single for states in self.sets]
        self.pairs = list(zip(self.sets, self.plain, strict=True))

    def same(self, states: object, plain: Markings) -> bool:
        """Whether a backend's set is exactly these markings."""
        listed = list(self.domain.markings(states))
        return len(listed) == len(set(listed)) and set(listed) == plain


@pytest.fixture
def pairs(backend: str) -> Table:
    return Table(backend, PAIRS, 2)


@pytest.fixture
def triple(backend: str) -> Table:
    return Table(backend, TRIPLE, 1)


def test_sets_contain_what_was_put_in(pairs: Table) -> None:
    for states, plain in pairs.pairs:
        assert pairs.same(states, plain)
        assert pairs.domain.count(states) == len(plain)
        assert bool(states) == bool(plain)
        assert [m for m in pairs.markings if pairs.domain.contains(states, m)] == sorted(plain)
    assert not pairs.domain.contains(pairs.sets[-1], (0, 3))
    assert not pairs.domain.contains(pairs.sets[-1], (1000, 0))


def test_different_sets_are_unequal(pairs: Table) -> None:
    assert len(set(pairs.sets)) == len(pairs.sets)
    for one in range(0, len(pairs.sets), 7):
        equal = [i for i, other in enumerate(pairs.sets) if pairs.sets[one] == other]
        assert equal == [one]


def test_equal_sets_are_equal_however_built(pairs: Table) -> None:
    for states, plain in pairs.pairs:
        again = of_markings(pairs.domain, sorted(plain, reverse=True))
        assert again == states
        assert hash(again) == hash(states)


def test_set_algebra_over_all_pairs(triple: Table) -> None:
    sets, everything = triple.sets, len(triple.sets) - 1
    for a, b in product(range(len(sets)), repeat=2):
        assert sets[a] | sets[b] == sets[a | b]
        assert sets[a] & sets[b] == sets[a & b]
        assert sets[a] - sets[b] == sets[a & (everything ^ b)]


@pytest.mark.slow
def test_set_algebra_over_all_pairs_of_a_wider_domain(pairs: Table) -> None:
    sets, everything = pairs.sets, len(pairs.sets) - 1
    for a, b in product(range(len(sets)), repeat=2):
        assert sets[a] | sets[b] == sets[a | b]
        assert sets[a] & sets[b] == sets[a & b]
        assert sets[a] - sets[b] == sets[a & (everything ^ b)]


def test_images(pairs: Table) -> None:
    for states, plain in pairs.pairs:
        for steps in ([], STEPS, STEPS[3:5]):
            found = pairs.domain.image(states, steps)
            assert pairs.same(found, reference.image(PAIRS, plain, steps))


@pytest.mark.parametrize("step", STEPS)
def test_image_and_preimage_of_each_step(pairs: Table, step: Step) -> None:
    wide = box(2, 6)
    for states, plain in pairs.pairs[::3]:
        found = pairs.domain.image(states, [step])
        assert pairs.same(found, reference.image(PAIRS, plain, [step]))
        found = pairs.domain.preimage(states, [step])
        assert pairs.same(found, reference.preimage(PAIRS, plain, [step], wide))


def test_preimages(pairs: Table) -> None:
    wide = box(2, 6)
    for states, plain in pairs.pairs:
        found = pairs.domain.preimage(states, STEPS)
        assert pairs.same(found, reference.preimage(PAIRS, plain, STEPS, wide))


def test_closures(pairs: Table) -> None:
    guarded = [Step(0, at_most=((1, 1),)), Step(1, at_least=((0, 1),))]
    for states, plain in pairs.pairs:
        for steps in (KEEPING, guarded, []):
            found = pairs.domain.closure(states, steps)
            assert pairs.same(found, reference.closure(PAIRS, plain, steps))


def test_closures_within_every_set(triple: Table) -> None:
    steps = [Step(t) for t in range(5)]
    starts = [1 << bit for bit in range(len(triple.markings))]
    for within, start in product(range(len(triple.sets)), [*starts, 0b10010110, 0]):
        inside, plain_inside = triple.pairs[within]
        states, plain = triple.pairs[start]
        found = triple.domain.closure(states, steps, inside)
        assert triple.same(found, reference.closure(TRIPLE, plain, steps, plain_inside))
        found = triple.domain.backward_closure(states, steps, inside)
        assert triple.same(found, reference.backward_closure(TRIPLE, plain, steps, plain_inside))


def filtered(table: Table, plain: Markings, atom: StateAtom) -> Markings:
    return frozenset(m for m in plain if reference.satisfies(table.net, m, atom))


def test_every_small_comparison(pairs: Table) -> None:
    everything, plain = pairs.pairs[-1]
    for a, b, op, bound in product(range(-2, 3), range(-2, 3), reference.COMPARE, range(-5, 6)):
        terms = tuple((place, c) for place, c in ((0, a), (1, b)) if c)
        atom = Comparison(terms, op, bound)
        found = pairs.domain.filter(everything, atom)
        assert pairs.same(found, filtered(pairs, plain, atom)), atom


ATOMS: list[StateAtom] = [
    Comparison(((0, 1), (1, -1)), "<=", 0),
    Comparison(((0, 1), (1, 2)), "==", 4),
    Comparison(((0, 3), (1, -2)), "!=", 2),
    Comparison(((1, 1),), ">", 1),
    Comparison((), "<", 1),
    Fireable((1, 4)),
    Fireable(()),
    Dead(),
]


@pytest.mark.parametrize("atom", ATOMS)
def test_filters_on_every_set(pairs: Table, atom: StateAtom) -> None:
    for states, plain in pairs.pairs:
        assert pairs.same(pairs.domain.filter(states, atom), filtered(pairs, plain, atom))


def test_dead_markings(triple: Table) -> None:
    """Without a token nothing can fire, and any token can move."""
    dead: frozenset[Marking] = frozenset([(0, 0, 0)])
    for states, plain in triple.pairs:
        assert triple.same(triple.domain.filter(states, Dead()), plain & dead)


def test_split_makes_classes(pairs: Table) -> None:
    atoms = [ATOMS[0], ATOMS[5], ATOMS[3]]
    for states, plain in pairs.pairs:
        expected: dict[tuple[bool, ...], set[Marking]] = {}
        for marking in plain:
            label = tuple(reference.satisfies(PAIRS, marking, atom) for atom in atoms)
            expected.setdefault(label, set()).add(marking)
        classes = pairs.domain.split(states, atoms)
        assert len(classes) == len(expected)
        assert all(pairs.same(part, frozenset(expected[label])) for label, part in classes)


def test_counted_steps(pairs: Table) -> None:
    for states, plain in pairs.pairs:
        for steps in (STEPS, STEPS[:3], [STEPS[0], STEPS[0]], []):
            possible = [(m, s) for m in plain for s in steps if reference.after(PAIRS, s, m)]
            assert pairs.domain.count_steps(states, steps) == len(possible)


def test_largest_values(pairs: Table) -> None:
    for states, plain in pairs.pairs[1:]:
        columns = zip(*plain, strict=True)
        assert pairs.domain.largest_tokens(states) == tuple(max(column) for column in columns)
        for terms in ([(0, 1), (1, 1)], [(0, 2), (1, -3)], [(1, -1)], []):
            best = max(reference.value(m, terms) for m in plain)
            assert pairs.domain.largest_sum(states, terms) == best


def test_largest_values_of_no_marking(pairs: Table) -> None:
    assert pairs.domain.largest_tokens(pairs.domain.empty()) == (0, 0)
    with pytest.raises(ValueError, match="empty"):
        pairs.domain.largest_sum(pairs.domain.empty(), [(0, 1)])


def test_pick_is_a_member_and_always_the_same(backend: str, pairs: Table) -> None:
    other = Table(backend, PAIRS, 2)
    for (states, plain), (again, _) in zip(pairs.pairs[1:], other.pairs[1:], strict=True):
        assert pairs.domain.pick(states) in plain
        assert pairs.domain.pick(states) == other.domain.pick(again)
    with pytest.raises(ValueError, match="empty"):
        pairs.domain.pick(pairs.domain.empty())


def test_bytes_of_all_sets(backend: str, pairs: Table) -> None:
    other = open_domain(backend, PAIRS)
    seen = set()
    for states, plain in pairs.pairs:
        data = pairs.domain.serialise(states)
        seen.add(data)
        assert pairs.domain.deserialise(data) == states
        assert other.serialise(of_markings(other, plain)) == data
        assert set(other.markings(other.deserialise(data))) == plain
    assert len(seen) == len(pairs.sets)


def test_larger_sets_have_nodes(pairs: Table) -> None:
    assert all(pairs.domain.nodes(states) > 0 for states in pairs.sets[1:])


def test_no_place_at_all(every_backend: str) -> None:
    net = make_net("void", {}, {"t": ([], [])})
    domain = open_domain(every_backend, net)
    one = domain.singleton(())
    assert domain.count(one) == 1
    assert list(domain.markings(one)) == [()]
    assert domain.pick(one) == ()
    assert domain.closure(one, [Step(0)]) == domain.image(one, [Step(0)]) == one
    assert domain.deserialise(domain.serialise(one)) == one
    assert domain.deserialise(domain.serialise(domain.empty())) == domain.empty()
    assert not domain.filter(one, Dead())
