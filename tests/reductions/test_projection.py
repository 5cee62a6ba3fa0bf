"""Proofs through a few places, where runs may stay for ever and where they may not."""

from __future__ import annotations

import pytest

from mpisog.budget import Budget
from mpisog.engines.local_proof import LocalProof
from mpisog.engines.problem import Problem
from mpisog.engines.resources import Resources
from mpisog.errors import LimitReached
from mpisog.formulas.properties import Property
from mpisog.nets.generators import generate
from mpisog.nets.model import PetriNet, make_net
from mpisog.spotglue.ltl import bind


def proves(net: PetriNet, formula: str) -> bool:
    problem = Problem(net, bind(Property("f", formula), net))
    try:
        finding = LocalProof().run(problem, Resources(net), Budget(10))
    except LimitReached:
        return False
    assert finding.counterexample is None
    return True


def row(tokens: int = 1, **more: tuple[list[str], list[str]]) -> PetriNet:
    """``a -t-> b -u-> c``; the place ``d`` is for more transitions."""
    places = {"a": 1, "b": 0, "c": 0, "d": tokens}
    return make_net("row", places, {"t": (["a"], ["b"]), "u": (["b"], ["c"]), **more})


def test_what_needs_seen_places_only_fires_before_the_end():
    assert proves(row(), "F c")
    assert proves(row(), "G (b -> F c)")
    assert proves(row(), 'F "fire(u)"')
    assert not proves(row(), "G !c")


def test_what_goes_on_elsewhere_for_ever_may_starve_the_rest():
    assert not proves(row(aside=(["d"], ["d"])), "F c")
    assert not proves(two_rows(), "F c")


def two_rows() -> PetriNet:
    """The row beside a token that goes to and fro for ever."""
    return make_net(
        "rows",
        {"a": 1, "b": 0, "c": 0, "d": 1, "e": 0},
        {"t": (["a"], ["b"]), "u": (["b"], ["c"]), "go": (["d"], ["e"]), "back": (["e"], ["d"])},
    )


def test_safety_does_not_mind_what_goes_on_elsewhere():
    assert proves(two_rows(), "G (c -> G c)")
    assert proves(two_rows(), "(!c) W b")


def test_what_is_read_for_ever_may_starve_the_rest():
    """``look`` may fire for ever while ``b`` is marked, and not before."""
    net = row(look=(["b"], ["b"]))
    assert not proves(net, "F c")
    assert proves(net, "F b")
    assert not proves(row(look=(["b", "d"], ["b", "d"])), "F c")
    assert proves(row(0, look=(["b", "d"], ["b", "d"])), "G (c -> G c)")


def test_what_may_lack_something_else_need_not_fire():
    """``w`` waits for ``e``, which never comes."""
    net = make_net(
        "wait", {"a": 1, "b": 0, "e": 0, "f": 0}, {"w": (["a", "e"], ["b"]), "v": (["f"], ["e"])}
    )
    assert not proves(net, "F b")


def test_an_endless_source_starves_the_rest():
    assert not proves(row(source=([], ["d"])), "F c")


def test_instants_count():
    """Firings elsewhere come in between."""
    net = row(tokens=1, aside=(["d"], []))
    assert not proves(net, "X b")
    assert proves(net, "X (a | b)")


def test_nothing_is_said_about_dead_markings():
    assert not proves(row(), "F dead")


@pytest.mark.parametrize(
    ("family", "size", "formula"),
    [
        ("process_ring", 5, "G (Crit_2 -> F Token_3)"),
        ("process_ring", 5, "G (Wait_4 -> F Crit_4)"),
        ("pipeline", 6, "G F Full_3"),
        ("pipeline", 6, 'G F "fire(depart)"'),
        ("epidemic", 3, "G (I_1_1 -> F R_1_1)"),
        ("epidemic", 3, 'F "fire(remove_0_0)"'),
    ],
)
def test_families(family, size, formula):
    assert proves(generate(family, size), formula)


@pytest.mark.parametrize(
    ("family", "size", "formula"),
    [
        ("process_ring", 5, "G F Crit_2"),
        ("pipeline", 6, "F G Free_3"),
        ("epidemic", 3, "F I_1_1"),
    ],
)
def test_no_proof_of_what_is_violated(family, size, formula):
    assert not proves(generate(family, size), formula)
