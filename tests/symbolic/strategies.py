"""Nets with sets, guarded steps and atoms on them."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import strategies as st

from mpisog.formulas.atoms import Comparison, Dead, Fireable, StateAtom
from mpisog.nets.model import Marking, PetriNet
from mpisog.symbolic.protocol import Step
from tests.strategies import nets
from tests.symbolic.reference import COMPARE, Markings, explored

CAP = 150
"""Markings of a net at most."""


@dataclass(frozen=True)
class Case:
    """A net, an order of its places, and things to do with it."""

    net: PetriNet
    order: list[int] | None
    one: Markings
    other: Markings
    steps: list[Step]
    atoms: list[StateAtom]
    reachable: Markings
    complete: bool
    """Whether ``reachable`` is everything that can be reached from the initial marking."""


def guards(places: int) -> st.SearchStrategy[tuple[tuple[int, int], ...]]:
    """Bounds on some places, most often on none."""
    pairs = st.dictionaries(st.integers(0, places - 1), st.integers(0, 4), max_size=2)
    return st.one_of(st.just(()), pairs.map(lambda bounds: tuple(sorted(bounds.items()))))


def guarded_steps(net: PetriNet) -> st.SearchStrategy[list[Step]]:
    """Some transitions, some of them guarded, perhaps some twice."""
    places = len(net.places)
    transition = st.integers(0, len(net.transitions) - 1)
    return st.lists(st.builds(Step, transition, guards(places), guards(places)), max_size=5)


def atoms(net: PetriNet) -> st.SearchStrategy[StateAtom]:
    """Every kind of state atom."""
    coefficient = st.integers(-5, 5).filter(bool)
    terms = st.dictionaries(st.integers(0, len(net.places) - 1), coefficient)
    comparison = st.builds(
        Comparison,
        terms.map(lambda found: tuple(sorted(found.items()))),
        st.sampled_from(sorted(COMPARE)),
        st.integers(-10, 20),
    )
    some = st.lists(st.integers(0, len(net.transitions) - 1), unique=True, max_size=3)
    return st.one_of(comparison, some.map(lambda t: Fireable(tuple(sorted(t)))), st.just(Dead()))


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """Sets of reachable markings and of others, some with many tokens."""
    net = draw(nets(max_tokens=4))
    places = len(net.places)
    reachable, complete = explored(net, CAP)
    count = st.one_of(st.integers(0, 4), st.integers(0, 40))
    strange: st.SearchStrategy[Marking] = st.tuples(*[count] * places)
    marking = st.one_of(st.sampled_from(sorted(reachable)), strange)
    some = st.frozensets(marking, max_size=12)
    permutation = st.permutations(range(places))
    # Looking for a good order of an unbounded net can take seconds.
    order = draw(st.one_of(st.none(), permutation) if complete else permutation)
    return Case(
        net,
        None if order is None else list(order),
        draw(some),
        draw(some),
        draw(guarded_steps(net)),
        draw(st.lists(atoms(net), min_size=1, max_size=3)),
        reachable,
        complete,
    )
