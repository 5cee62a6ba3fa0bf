"""Which element a name means: ids before names, shared names, clashes, suggestions."""

from __future__ import annotations

import pytest

from mpisog.errors import FormulaError
from mpisog.formulas.atoms import Comparison, Dead, Fire, Fireable
from mpisog.formulas.names import resolve_atom
from mpisog.nets.model import NetBuilder, PetriNet, make_net


def build(places: dict[str, str], transitions: dict[str, str]) -> PetriNet:
    """Ids with their names."""
    builder = NetBuilder()
    for id, name in places.items():
        builder.place(id, 0, name)
    for id, name in transitions.items():
        builder.transition(id, name)
    return builder.build()


def marked(place: int) -> Comparison:
    return Comparison(((place, 1),), ">=", 1)


def test_a_name_works_where_no_id_does():
    net = build({"p1": "Idle", "p2": "Busy"}, {"t1": "Start"})
    assert resolve_atom("Busy", net) == marked(1)
    assert resolve_atom("Start", net) == Fire(0)
    assert resolve_atom("fireable(Start)", net) == Fireable((0,))
    assert resolve_atom("Idle + Busy >= 2", net) == Comparison(((0, 1), (1, 1)), ">=", 2)


def test_ids_come_before_names():
    net = build({"p1": "p2", "p2": "p1"}, {"t1": "t2", "t2": "t1"})
    assert resolve_atom("p1", net) == marked(0)
    assert resolve_atom("p2 >= 1", net) == marked(1)
    assert resolve_atom("fire(t1)", net) == Fire(0)


def test_a_place_id_beats_a_transition_name():
    net = build({"x": "x"}, {"t": "x"})
    assert resolve_atom("x", net) == marked(0)
    assert resolve_atom("fire(x)", net) == Fire(0)


def test_a_shared_name_is_an_error_only_when_used():
    net = build({"p1": "buffer", "p2": "buffer", "p3": "p3"}, {"t1": "go", "t2": "go"})
    assert resolve_atom("p1", net) == marked(0)
    for text, kind in (
        ("buffer", "places"),
        ("buffer >= 2", "places"),
        ("fire(go)", "transitions"),
    ):
        with pytest.raises(FormulaError, match=f"several {kind} are named") as caught:
            resolve_atom(text, net)
        assert "use the id" in str(caught.value)


def test_a_name_of_a_place_and_a_transition_shows_both_spellings():
    net = build({"p1": "go"}, {"t1": "go"})
    with pytest.raises(FormulaError) as caught:
        resolve_atom("go", net)
    message = str(caught.value)
    assert "'go' is both a place and a transition" in message
    assert '"go >= 1"' in message
    assert '"fire(go)"' in message
    assert resolve_atom("go >= 1", net) == marked(0)
    assert resolve_atom("fire(go)", net) == Fire(0)


@pytest.mark.parametrize(
    ("net", "spelling", "atom"),
    [
        (make_net("n", {"dead": 0}, {"t": ([], [])}), "{dead} >= 1", marked(0)),
        (make_net("n", {"p": 0}, {"dead": (["p"], [])}), "fire({dead})", Fire(0)),
    ],
    ids=["place", "transition"],
)
def test_an_element_called_dead(net, spelling, atom):
    with pytest.raises(FormulaError, match="'dead' is both the atom and an element"):
        resolve_atom("dead", net)
    assert resolve_atom(spelling, net) == atom


def test_dead_is_the_atom_where_nothing_has_that_name():
    assert resolve_atom("dead", make_net("n", {"p": 0}, {"t": ([], [])})) == Dead()


def test_an_unknown_name_suggests_the_nearest():
    net = build({"waiting": "waiting", "critical": "critical"}, {"enter": "enter"})
    with pytest.raises(FormulaError) as caught:
        resolve_atom("critcal", net)
    assert "did you mean 'critical'?" in str(caught.value)
    with pytest.raises(FormulaError) as caught:
        resolve_atom("zzz", net)
    assert "did you mean" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("a-b", 0),
        ("{a-b}", 0),
        ("p.1", 1),
        ("two words", 2),
        ("{two words}", 2),
        ("{<=}", 3),
        ("<=", 3),
    ],
)
def test_odd_ids(text, place):
    net = build({id: id for id in ("a-b", "p.1", "two words", "<=", "a", "b")}, {})
    assert resolve_atom(text, net) == marked(place)


@pytest.mark.parametrize(
    ("text", "atom"),
    [
        # the element, because it exists
        ("a-b >= 1", Comparison(((0, 1),), ">=", 1)),
        ("{a-b} + a >= 1", Comparison(((0, 1), (1, 1)), ">=", 1)),
        ("a - b >= 1", Comparison(((1, 1), (2, -1)), ">=", 1)),
        # no such element: a subtraction, turned round so that the first place counts up
        ("b-a >= 1", Comparison(((1, 1), (2, -1)), "<=", -1)),
    ],
)
def test_a_dash_is_part_of_a_known_name_and_else_a_minus(text, atom):
    net = build({"a-b": "a-b", "a": "a", "b": "b"}, {})
    assert resolve_atom(text, net) == atom


@pytest.mark.parametrize("text", ["fire(a,b)", "fire({a,b})"])
def test_a_transition_with_a_comma(text):
    net = build({}, {"a": "a", "a,b": "a,b"})
    assert resolve_atom(text, net) == Fire(1)


def test_an_element_called_like_a_call():
    net = build({"fire(t)": "fire(t)"}, {"t": "t"})
    assert resolve_atom("fire(t)", net) == marked(0)


def test_a_number_as_an_id():
    net = build({"7": "7", "p": "p"}, {})
    assert resolve_atom("7", net) == marked(0)
    assert resolve_atom("{7} <= p", net) == Comparison(((0, 1), (1, -1)), "<=", 0)
