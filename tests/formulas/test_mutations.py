"""Formulas, formula files and property files that are damaged: refused at once, with one error."""

from __future__ import annotations

import contextlib
import random
from pathlib import Path

import pytest
from lxml import etree

from mpisog.errors import FormulaError
from mpisog.formulas.mcc_xml import read_mcc_properties
from mpisog.formulas.properties import Property, from_texts, read_formula_file
from mpisog.nets.model import NetBuilder, PetriNet
from mpisog.spotglue.ltl import bind
from mpisog.spotglue.syntax import DEEPEST, LONGEST
from tests.mutations import at_once, damaged


@pytest.fixture(scope="module")
def net() -> PetriNet:
    builder = NetBuilder()
    for place in ("p", "q", "Fork1", "a-b", "x.y"):
        builder.place(place, 1)
    for transition in ("t", "u"):
        builder.transition(transition)
    return builder.build()


FORMULAS = [
    b"G(p -> F q)", b'G "p + 2*q <= 3" U !dead', b"[]<> fire(t) && X X p", b"F[2:3] p | X[4] q",
    b'"fireable(t,u)" W (p xor q) <-> G F a-b', "◇ p ∧ □ ¬ q → ○ p".encode(), b"(p R q) M (q V p)",
    b"G [] # X } \xe2\x97\x87 { # <= &&", b"() X [] , <-> dead { @ ' ) W", b"G F d\x9cad",
]  # fmt: skip
PIECES = [
    *(b"()", b"(", b")", b"[]", b"<>", b"{", b"}", b"#", b"@", b"'", b'"', b"\\", b",", b";", b":"),
    *(b" U ", b" W ", b" R ", b" M ", b" V ", b"X", b"F", b"G", b"!", b"&&", b"||", b"->", b"<->"),
    *(
        b"<=",
        b">=",
        b"=1",
        b"^",
        b" xor ",
        b"true",
        b"0",
        b"[*2]",
        b"[+]",
        b"[=1]",
        b"[->2]",
        b"|->",
    ),
    *(
        b"X[!]",
        b"F[0:9]",
        b"G[1..$]",
        b"[2",
        b"fire(",
        b"fireable(t",
        b"dead",
        b"p",
        b"Fork1",
        b"-",
    ),
    *(
        b"\0",
        b"\x1b[2J",
        b"\x9c",
        b"\xff",
        b"\xc2\xa0",
        b"\n",
        b"\t",
        b"\r",
        b"\xe2\x97\x87",
        b"/*",
    ),
    *(
        b"\xe2\x80\xae",
        b"\xf0\x9d\x94\xbd",
        b"\xed\xa0\x80",
        b"\xc2\xac",
        b"((((",
        b"{{{{",
        b"))))",
    ),
]


def assert_formula_or_error(data: bytes, net: PetriNet) -> None:
    text = data.decode("utf-8", "surrogateescape")  # as Python makes arguments of bytes
    message = "one line"
    with at_once():
        try:
            bind(from_texts([text])[0], net)
        except FormulaError as error:
            message = str(error)
    assert message.replace("\n", "").isprintable()
    assert len(message) < 5_000


def test_damaged_formulas(net: PetriNet) -> None:
    dice = random.Random("few")
    for _ in range(4_000):
        assert_formula_or_error(damaged(dice, dice.choice(FORMULAS), PIECES), net)


@pytest.mark.slow
def test_many_more_damaged_formulas(net: PetriNet) -> None:
    dice = random.Random("many")
    for _ in range(50_000):
        assert_formula_or_error(damaged(dice, dice.choice(FORMULAS), PIECES), net)


def shuffled(dice: random.Random) -> bytes:
    """Pieces of formulas in any order."""
    return b" ".join(dice.choices(PIECES, k=dice.randint(1, 14)))


def test_pieces_in_any_order(net: PetriNet) -> None:
    dice = random.Random("few")
    for _ in range(4_000):
        assert_formula_or_error(shuffled(dice), net)


@pytest.mark.slow
def test_many_more_pieces_in_any_order(net: PetriNet) -> None:
    dice = random.Random("many")
    for _ in range(50_000):
        assert_formula_or_error(shuffled(dice), net)


@pytest.mark.parametrize(
    "text",
    [
        "G [] # X } ◇ { # <= &&",
        "() X [] , <-> dead { @ ' ) W",
        "X" * 100_000 + " p",
        "X " * 100_000 + " p",
        "!" * 100_000 + "p",
        "FG" * 50_000 + "p",
        "(" * 100_000 + "p" + ")" * 100_000,
        "{" * 100_000 + "p" + "}" * 100_000,
        "p U " * 100_000 + "q",
        "p -> " * 100_000 + "q",
        "p U (" * 10_000 + "q" + ")" * 10_000,
        "F[0:200]" * 6 + "p",
        "G[0:99](" * 5 + "p" + ")" * 5,
        "p[*]" * 50_000,
        "p " * (LONGEST // 2),
        "p@" * (LONGEST // 2),
        '"' + '\\"' * 200_000,
        '"' * 300_001,
        "a-" * (LONGEST // 2),
        '"' + "p-" * 200_000 + ' >= 1"',
        '"' + "{" * 300_000 + ' >= 1"',
        "fire(" * 100_000,
        "p" * (LONGEST + 1),
        "zz" * (LONGEST // 2),
    ],
    ids=lambda text: text[:12],
)
def test_no_formula_takes_long_to_refuse(text: str, net: PetriNet) -> None:
    with at_once(), pytest.raises(FormulaError) as caught:
        bind(Property("long", text), net)
    assert len(str(caught.value)) < 5_000


@pytest.mark.parametrize(
    "text",
    [
        "X" * (DEEPEST - 10) + " p",
        " & ".join(["(p | X q)"] * 10_000),
        "(" * 9_000 + "p" + ")" * 9_000,
        "G((!((" * 300 + "p" + "))))" * 300,
        " | ".join(f'"p >= {i}"' for i in range(5_000)),
        "F[0:50] G[0:50] p",
        "G(p -> F q) & " * 1_000 + "p",
    ],
    ids=lambda text: text[:12],
)
def test_large_formulas_are_read(text: str, net: PetriNet) -> None:
    with at_once():
        assert bind(Property("large", text), net).atoms


def test_spots_own_prefix_notation_is_not_read(net: PetriNet) -> None:
    with pytest.raises(FormulaError):
        bind(Property("lbt", "& p q"), net)


XML = b"""<?xml version="1.0"?>
<property-set xmlns="http://mcc.lip6.fr/">
<property><id>N-00</id><description>first</description>
<formula><all-paths><until><before><negation><deadlock/></negation></before><reach>
<conjunction><integer-le><integer-constant>2</integer-constant><integer-sum><tokens-count>
<place>p</place><place>q</place></tokens-count></integer-sum></integer-le>
<is-fireable><transition>t</transition><transition>u</transition></is-fireable></conjunction>
</reach></until></all-paths></formula></property>
<property><id>N-01</id><formula><all-paths><globally><next><disjunction><true/><false/>
<finally><integer-le><tokens-count><place>p</place></tokens-count><integer-constant>0
</integer-constant></integer-le></finally></disjunction></next></globally></all-paths></formula>
</property></property-set>"""
XML_PIECES = [
    *(b"<", b">", b"/>", b"</", b"&", b"&amp;", b"<!--", b"-->", b"<![CDATA[", b"<!DOCTYPE x>"),
    *(b"<negation>", b"</negation>", b"<until>", b"<reach>", b"<place>", b"</place>", b"<true/>"),
    *(
        b"<property>",
        b"</property>",
        b"<formula>",
        b"p",
        b"zz",
        b"-1",
        b"99999999999",
        b"\0",
        b"\xff",
    ),
    *(b"<exists-path>", b"<integer-eq>", b"<next>", b"x:", b" a='b'", b"\xef\xbb\xbf", b"\n", b" "),
]


def read_properties(data: bytes, net: PetriNet, folder: Path) -> list[str]:
    path = folder / "LTL.xml"
    path.write_bytes(data)
    properties = read_mcc_properties(path, net)
    return [f"{prop.name}: {bind(prop, net).text}" for prop in properties]


def damage_property_files(count: int, seed: str, net: PetriNet, folder: Path) -> None:
    dice = random.Random(seed)
    for _ in range(count):
        with at_once(), contextlib.suppress(FormulaError):
            read_properties(damaged(dice, XML, XML_PIECES), net, folder)


def test_damaged_property_files(net: PetriNet, tmp_path: Path) -> None:
    damage_property_files(600, "few", net, tmp_path)


@pytest.mark.slow
def test_many_more_damaged_property_files(net: PetriNet, tmp_path: Path) -> None:
    damage_property_files(50_000, "many", net, tmp_path)


def test_misspelt_names_in_property_files(net: PetriNet, tmp_path: Path) -> None:
    """Refused, or it was the description: never is it another formula, or one less."""
    right = read_properties(XML, net, tmp_path)
    root = etree.fromstring(XML)
    refused = 0
    for element in list(root.iter()):
        tag = element.tag
        for wrong in (tag + "s", tag[:-1], tag.upper(), tag.replace("integer-le", "integer-ge")):
            if wrong in (tag, tag.replace("integer-le", "integer-ge")):
                continue
            element.tag = wrong
            with pytest.raises(FormulaError):
                read_properties(etree.tostring(root), net, tmp_path)
            refused += 1
        element.tag = tag
    assert refused > 80
    assert read_properties(etree.tostring(root), net, tmp_path) == right


def damage_formula_files(count: int, seed: str, net: PetriNet, folder: Path) -> None:
    dice, path = random.Random(seed), folder / "some.ltl"
    sample = b"# comment\n\n" + b"\n".join(FORMULAS[:7]) + b"\nname: G p\r\n"
    for _ in range(count):
        path.write_bytes(damaged(dice, sample, PIECES))
        with at_once(), contextlib.suppress(FormulaError):
            for prop in read_formula_file(path):
                bind(prop, net)


def test_damaged_formula_files(net: PetriNet, tmp_path: Path) -> None:
    damage_formula_files(500, "few", net, tmp_path)


@pytest.mark.slow
def test_many_more_damaged_formula_files(net: PetriNet, tmp_path: Path) -> None:
    damage_formula_files(50_000, "many", net, tmp_path)
