"""Structural facts, against definitions and against exhaustive exploration."""

from __future__ import annotations

import pickle
import time

import pytest
from hypothesis import given, settings

from mpisog.nets.generators import generate
from mpisog.nets.model import Marking, PetriNet, Place, make_net
from mpisog.nets.semantics import successors
from mpisog.nets.semiflows import effects, place_semiflows, transition_semiflows
from mpisog.nets.structure import Invariant, net_facts
from tests.helpers import toggle
from tests.strategies import nets

MUTEX = make_net(
    "mutex",
    {"idle1": 1, "busy1": 0, "idle2": 1, "busy2": 0, "key": 1},
    {
        "enter1": (["idle1", "key"], ["busy1"]),
        "leave1": (["busy1"], ["idle1", "key"]),
        "enter2": (["idle2", "key"], ["busy2"]),
        "leave2": (["busy2"], ["idle2", "key"]),
    },
)


def test_facts_of_a_mutex() -> None:
    facts = net_facts(MUTEX)
    assert (facts.places, facts.transitions, facts.arcs, facts.tokens) == (5, 4, 12, 3)
    assert set(facts.place_invariants or ()) == {
        Invariant((("idle1", 1), ("busy1", 1)), 1),
        Invariant((("idle2", 1), ("busy2", 1)), 1),
        Invariant((("busy1", 1), ("busy2", 1), ("key", 1)), 1),
    }
    assert set(facts.transition_invariants or ()) == {
        Invariant((("enter1", 1), ("leave1", 1))),
        Invariant((("enter2", 1), ("leave2", 1))),
    }
    assert facts.conservative is True
    assert facts.structurally_bounded is True
    assert facts.one_safe is True
    assert facts.token_sum_constant is False
    assert facts.net_class == "ordinary"


def test_sources_sinks_isolated_nodes_and_loops() -> None:
    net = make_net(
        "n",
        {"start": 2, "end": 0, "alone": 0},
        {
            "go": (["start"], ["end"]),
            "make": ([], ["end"]),
            "drop": (["start"], []),
            "idle": ([], []),
            "loop": (["start"] * 3, ["start"]),
        },
    )
    facts = net_facts(net)
    assert facts.source_places == ()
    assert facts.sink_places == ("end",)
    assert facts.source_transitions == ("make",)
    assert facts.sink_transitions == ("drop",)
    assert facts.isolated == ("alone", "idle")
    assert (facts.self_loops, facts.largest_weight, facts.net_class) == (1, 3, "weighted")
    assert (facts.conservative, facts.structurally_bounded) == (False, False)
    assert facts.one_safe is False


def test_a_net_that_only_loses_tokens_is_bounded_and_safe_but_not_conservative() -> None:
    facts = net_facts(make_net("n", {"p": 1, "q": 0}, {"t": (["p"], ["q"]), "u": (["q"], [])}))
    assert (facts.conservative, facts.structurally_bounded, facts.one_safe) == (False, True, True)
    assert facts.source_places == ("p",)


@pytest.mark.parametrize(
    ("transitions", "expected"),
    [
        ({"a": ("p", "q"), "b": ("p", "r"), "c": ("r", "p")}, "state machine"),
        ({"a": ("p", "qr"), "b": ("qr", "p")}, "marked graph"),
        ({"a": ("p", "qr"), "b": ("p", "q"), "c": ("qr", "p")}, "free choice"),
        ({"a": ("pq", "r"), "b": ("pq", "s"), "c": ("rs", "")}, "extended free choice"),
        ({"a": ("p", "q"), "b": ("pq", "r")}, "ordinary"),
    ],
)
def test_net_classes(transitions: dict[str, tuple[str, str]], expected: str) -> None:
    places = {place: 0 for sides in transitions.values() for side in sides for place in side}
    arcs = {name: (list(inputs), list(outputs)) for name, (inputs, outputs) in transitions.items()}
    assert net_facts(make_net("n", places, arcs)).net_class == expected


def test_an_empty_net_has_facts() -> None:
    facts = net_facts(make_net("n", {}, {}))
    assert (facts.places, facts.place_invariants, facts.one_safe) == (0, (), True)


def explore_some(net: PetriNet, limit: int = 200) -> tuple[set[Marking], bool]:
    """Some reachable markings, and whether these are all."""
    seen, todo = {net.initial}, [net.initial]
    while todo and len(seen) < limit:
        new = {after for _, after in successors(net, todo.pop())} - seen
        seen |= new
        todo += new
    return seen, not todo


@given(nets(max_tokens=1, max_weight=2))
@settings(deadline=None)
def test_facts_hold_in_reachable_markings(net: PetriNet) -> None:
    facts = net_facts(net)
    markings, complete = explore_some(net)
    if facts.one_safe:
        assert max(map(max, markings)) <= 1
    if facts.token_sum_constant:
        assert len(set(map(sum, markings))) == 1
    for invariant in facts.place_invariants or ():
        weights = dict(invariant.weights)
        totals = (
            sum(weights.get(place.id, 0) * m for place, m in zip(net.places, marking, strict=True))
            for marking in markings
        )
        assert set(totals) == {invariant.constant}
    assert complete or not facts.one_safe


@given(nets(max_places=4, max_transitions=4))
@settings(deadline=None)
def test_semiflows_are_flows_of_minimal_support(net: PetriNet) -> None:
    changes = effects(net)
    flows = place_semiflows(net)
    assert flows is not None
    for flow in flows:
        assert all(sum(w * change.get(p, 0) for p, w in flow) == 0 for change in changes)
    supports = [frozenset(p for p, _ in flow) for flow in flows]
    assert not any(a < b for a in supports for b in supports)
    assert len(set(supports)) == len(supports)
    for flow in transition_semiflows(net) or ():
        totals = [sum(w * changes[t].get(p, 0) for t, w in flow) for p in range(len(net.places))]
        assert not any(totals)


@given(nets(max_places=4, max_transitions=3, max_weight=2))
@settings(deadline=None, max_examples=60)
def test_linear_programs_agree_with_semiflows(net: PetriNet) -> None:
    """Conservative means: covered by semiflows. Without semiflows it is the solver that says so."""
    from mpisog.nets.bounds import PlaceWeightings

    flows = place_semiflows(net)
    assert flows is not None
    covered = len({place for flow in flows for place, _ in flow}) == len(net.places)
    assert PlaceWeightings(net, time.monotonic() + 60).conservative() is covered


@pytest.mark.parametrize(("family", "parameter"), [("ring", 1_250), ("circular_trains", 5_000)])
def test_ten_thousand_places_do_not_hang(family: str, parameter: int) -> None:
    net = generate(family, parameter)
    assert len(net.places) == 10_000
    start = time.monotonic()
    facts = net_facts(net, seconds=1.0)
    assert time.monotonic() - start < 20
    assert facts.conservative is True


def test_a_net_is_hashed_once(monkeypatch):
    """Every stage of a check looks its net up: 13 ms each time on 45,000 places."""
    net, same = toggle(), toggle()
    hashed = []
    original = Place.__hash__
    monkeypatch.setattr(Place, "__hash__", lambda place: hashed.append(place) or original(place))
    assert {net: 1}[net] == 1
    assert len(hashed) == len(net.places)
    assert {net: 1}[same] == 1


def test_what_is_derived_stays_in_the_process():
    """Hashes of strings differ between processes, so a net takes none along."""
    net = toggle()
    assert hash(net) == net.__dict__["_hash"]
    copy = pickle.loads(pickle.dumps(net))
    assert copy == net
    assert set(copy.__dict__) == {"name", "places", "transitions", "units"}
