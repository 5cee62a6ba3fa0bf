"""Names in hand-written formulas survive Spot's lexer, which reads ``Fork1`` as ``F ork1``."""

from __future__ import annotations

import pytest

from mpisog.errors import FormulaError
from mpisog.formulas.quoting import quote_names
from mpisog.nets.model import NetBuilder, PetriNet


def net_of(*places: str) -> PetriNet:
    builder = NetBuilder()
    for place in places:
        builder.place(place)
    return builder.build()


@pytest.mark.parametrize(
    ("places", "text", "quoted"),
    [
        (["Fork1"], "Fork1", '"Fork1"'),
        (["Fork1"], "F Fork1", 'F "Fork1"'),
        (["Fork1"], "G(Fork1 -> F !Fork1)", 'G("Fork1" -> F !"Fork1")'),
        (["p"], "Fp", "Fp"),  # not an element: F p, as Spot has it
        (["p"], "GFp", "GFp"),
        (["p"], 'G "p >= 2"', 'G "p >= 2"'),
        (["p"], '"Fp"', '"Fp"'),
        (["a-b"], "a-b U !a-b", '"a-b" U !"a-b"'),
        (["a", "b"], "a->b", '"a"->"b"'),
        (["a", "b"], "a-->b", '"a"-->"b"'),
        (["a-", "b"], "a->b", 'a->"b"'),
        (["p.1"], "X p.1", 'X "p.1"'),
        (["p"], "fire(t) U fireable(t,u)", '"fire(t)" U "fireable(t,u)"'),
        (["p"], "fire ( a-b.c )", '"fire ( a-b.c )"'),
        (["fired"], "fired", '"fired"'),
        (["F"], "F F", "F F"),  # the operator; the place is written "F"
        (["U1", "U"], "U1 U U1", '"U1" U "U1"'),
        (["true"], "true", "true"),
        (["Wait", "it"], "Wait", '"Wait"'),  # W is no prefix operator
        (["élan", "ß-1"], "G(élan -> F ß-1)", 'G("élan" -> F "ß-1")'),
        (["p"], "G größe", 'G "größe"'),  # told to be unknown, not a syntax error
    ],
)
def test_quoted(places, text, quoted):
    assert quote_names(text, net_of(*places)) == quoted


@pytest.mark.parametrize(("places", "text"), [(["Fa", "a"], "Fa"), (["GFa", "a"], "p U GFa")])
def test_a_word_with_two_readings_is_an_error(places, text):
    with pytest.raises(FormulaError) as caught:
        quote_names(text, net_of(*places))
    message = str(caught.value)
    assert f"'{places[0]}' may be the net's element or" in message
    assert f'"{places[0]}" in quotes' in message


def test_quotes_and_a_space_settle_it():
    net = net_of("Fa", "a")
    assert quote_names('"Fa" | F a', net) == '"Fa" | F "a"'
