"""Shortcuts that one would be tempted by, each with a net on which it gives a wrong verdict.

Every case was seen to fail with its shortcut taken.
"""

from __future__ import annotations

import pytest

import mpisog
from mpisog.nets.model import PetriNet, make_net


def net(initial: str, rules: str) -> PetriNet:
    """Marked places, then ``t: inputs -> outputs`` for each transition."""
    places = dict.fromkeys(initial.split(), 1)
    transitions = {}
    for rule in rules.split(";"):
        name, arcs = rule.split(":")
        inputs, outputs = (side.split() for side in arcs.split("->"))
        transitions[name.strip()] = inputs, outputs
        places |= {place: 0 for place in (*inputs, *outputs) if place not in places}
    return make_net("shortcut", places, transitions)


FIGURE_4 = net("p1", "t1: p1 -> p2; t2: p1 -> p3; t3: p2 -> p3; t4: p3 -> p2; never: x -> x")
"""Of Esparza and Heljanko, with a place that is never marked."""
U_THEN_O = net("a", "u: a -> b; o: b -> c")
TWO_LOOPS = net("a b", "t0: a -> c; t1: c -> a; t2: b -> d; t3: d -> b")

CASES = {
    "no deadlock part": (net("p", "t: q -> q"), "F fire(t)", False),
    "dead only at local configurations": (
        net("p0 p5", "t0: p0 -> ; t1: p5 -> ; t2: p0 -> p3"),
        "G F p3",
        False,
    ),
    "dead where net and automaton are stuck": (net("p", "t: p -> "), "F fire(t)", True),
    "the label by the automaton's state alone": (
        net("p0 p1", "t0: p1 -> ; t1: p0 -> ; t2: p1 p0 -> p0"),
        "G(p1 -> F p0)",
        False,
    ),
    "the root is no event": (FIGURE_4, "F x", False),
    "type II without counting accepting moves": (FIGURE_4, "F G !p3", False),
    "cycles in the complete prefix only": (FIGURE_4, "F G !fire(t3)", False),
    "livelocks without the size condition": (FIGURE_4, "F x", False),
    "livelocks in the complete prefix only": (TWO_LOOPS, "G F b", False),
    "a mark without the automaton's state": (
        net("r a b1", "t0: a -> a; t1: b1 -> b2; t2: b2 r -> b3; t3: b3 a -> b0 a"),
        "G(fire(t2) -> F dead)",
        False,
    ),
    "delays not seen": (
        net("a0 b0", "t0: b0 -> b1; t1: b1 -> b2; t2: b2 -> b3; t3: b3 -> b0"),
        "fire(t2)",
        False,
    ),
    "producers visible, no copies": (
        net("p0 p2 p3", "t0: p0 p2 -> p0; t1: p3 -> ; t2: p0 p2 -> "),
        "fire(t1)",
        False,
    ),
    "copies, producers invisible": (U_THEN_O, "!fire(o)", True),
    "delays before dead markings not seen": (
        net("p0 p2", "t0: p1 p2 -> p0; t1: p0 -> p1"),
        "dead",
        False,
    ),
}


@pytest.mark.parametrize(("shape", "text", "holds"), CASES.values(), ids=CASES)
def test_no_shortcut_is_taken(shape, text, holds):
    for engine in ("unfolding", "explicit"):
        result = mpisog.check(shape, text, engine=engine, reduce="none")
        assert str(result.verdict) == str(holds).upper(), engine
