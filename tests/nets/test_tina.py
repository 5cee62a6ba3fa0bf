"""The Tina reader and writer."""

from __future__ import annotations

import io

import pytest
from hypothesis import given

from mpisog.nets.model import NetBuilder, PetriNet, make_net
from mpisog.nets.tina import read_tina
from mpisog.nets.tina_writer import write_tina
from tests.strategies import nets

CYCLE = make_net("n", {"p": 2, "q": 0}, {"t": (["p"], ["q"] * 3), "u": (["q"], ["p"])})


@pytest.mark.parametrize(
    "text",
    [
        "net n\npl p (2)\npl q\ntr t p -> q*3\ntr u q -> p\n",
        "net {n}\ntr t [0,w[ p -> q * 3\ntr {u} [ 0 , w [ {q} -> p\npl p (2)",
        "# c\npl p (1)\npl q t*3 -> u # c\npl p (1) u -> t\nnet n\n",
        "net n\r\npl p (2)\r\n\r\ntr t p -> q q*2\r\ntr u q\r\n-> p\r\n",
        "net n\ntr t p ->\ntr t -> q*3\ntr u -> p\ntr u q ->\npl p (2)",
        "nt note 1 {some text}\nnet n\npl p (2)\ntr t p -> q*3\ntr u q -> p",
    ],
    ids=["plain", "quoted", "by place", "crlf", "superposed", "note"],
)
def test_ways_to_write_one_net(text: str) -> None:
    assert read_tina(text) == CYCLE


def test_labels_become_names_and_the_last_one_counts() -> None:
    net = read_tina("pl p : {a place} (1)\ntr t : x p ->\nlb t {y}\ntr u : {} -> p\n")
    assert [place.name for place in net.places] == ["a place"]
    assert [transition.name for transition in net.transitions] == ["y", "u"]


@pytest.mark.parametrize(("written", "tokens"), [("2k", 2_000), ("2K", 2_000), ("1M", 10**6)])
def test_multipliers(written: str, tokens: int) -> None:
    net = read_tina(f"pl p ({written})\ntr t p*{written} ->\n", "n")
    builder = NetBuilder("n")
    builder.place("p", tokens)
    builder.transition("t")
    builder.arc("p", "t", tokens)
    assert net == builder.build()


def test_quoted_names_have_escapes() -> None:
    net = read_tina(r"pl {a\{b\}\\c} (1)" + "\n" + "pl {# no comment\nat all}\n")
    assert [place.id for place in net.places] == [r"a{b}\c", "# no comment\nat all"]


def test_keywords_are_names_inside_a_line() -> None:
    assert read_tina("tr t net -> pl\n", "n") == make_net(
        "n", {"net": 0, "pl": 0}, {"t": (["net"], ["pl"])}
    )


def written(net: PetriNet) -> str:
    stream = io.StringIO()
    write_tina(net, stream)
    return stream.getvalue()


def test_what_is_written() -> None:
    net = make_net("n", {"p": 2, "a b": 0}, {"tr": (["p", "p"], ["a b"]), "u": ([], [])})
    assert written(net) == "net n\npl p (2)\npl {a b}\ntr {tr} p*2 -> {a b}\ntr u ->\n"


@given(nets(min_places=0, min_transitions=0, awkward_names=True))
def test_what_is_written_is_read_back(net: PetriNet) -> None:
    assert read_tina(written(net)) == net
