"""A name that is misspelt is refused, or was harmless: never does it make another net.

Every element and attribute of the golden nets is renamed, one at a time. The reader knows what is
harmless; this test knows it on its own.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from lxml import etree

from mpisog.errors import NetError
from mpisog.nets.load import load_net, read_net
from mpisog.nets.model import PetriNet
from tests.nets.test_golden import FOLDER

XML = sorted(path.name for path in FOLDER.iterdir() if path.suffix in (".pnml", ".xml", ".tapn"))
DECORATION = {"graphics", "toolspecific", "labels", "query", "finalmarkings", "arcpath", "token"}
DECORATION |= {"name", "orientation", "rate", "infiniteServer", "label", "k-bound", "feature"}
"""Elements in which anything may be called anything."""


TEXTS = {"type/text", "hlinitialMarking/text", "hlinscription/text", "numberconstant/positive"}
TEXTS |= {"namedsort/name"}
"""The same for an element or attribute in one place."""


def meaning(net: PetriNet) -> object:
    """All of a net but what people call it and its nodes."""
    nodes = [(place.id, place.initial) for place in net.places]
    return nodes, [(t.id, t.pre, t.post) for t in net.transitions]


def misspelt(name: str) -> list[str]:
    """As a typist or another tool would have it."""
    other_case = name.swapcase() if not name[0].isupper() else name.lower()
    return [name + "s", name[:-1] or "z", other_case, "x" + name]


def spoilt(path: Path) -> Iterator[tuple[str, bool, bytes]]:
    """(what was done, whether it is harmless, the file) for every name of an XML file."""
    root = etree.fromstring(path.read_bytes())
    for element in list(root.iter(etree.Element)):
        name = etree.QName(element)
        around = [element, *element.iterancestors()]
        inside = [etree.QName(each).localname for each in around[1:]]
        if any(each.get("active") == "false" for each in around[1:]):
            inside.append("labels")  # a component that takes no part
        if name.localname != "pnml":
            for wrong in misspelt(name.localname):
                element.tag = f"{{{name.namespace}}}{wrong}" if name.namespace else wrong
                harmless = DECORATION & set(inside) or f"{inside[0]}/{name.localname}" in TEXTS
                yield f"{inside[0]}/{wrong}", bool(harmless), etree.tostring(root)
            element.tag = name.text
        in_decoration = bool(DECORATION & {*inside, name.localname})
        for attribute in list(element.attrib):
            for wrong in misspelt(attribute):
                value = element.attrib.pop(attribute)
                element.set(wrong, value)
                harmless = in_decoration or f"{name.localname}/{attribute}" in TEXTS
                yield f"{name.localname}/{wrong}", harmless, etree.tostring(root)
                element.attrib.pop(wrong)
                element.set(attribute, value)


@pytest.mark.parametrize("name", XML)
def test_misspelt_names_in_xml(name: str) -> None:
    right = meaning(load_net(FOLDER / name))
    refused = 0
    for what, harmless, data in spoilt(FOLDER / name):
        try:
            found = meaning(read_net(io.BytesIO(data)))
        except NetError:
            refused += 1
        else:
            assert found == right, what
            assert harmless, what
    assert refused > 100


KEYWORDS = {
    "lola.lola": r"\b(?:PLACE|SAFE|MARKING|TRANSITION|CONSUME|PRODUCE)\b",
    "tina.net": r"^(?:net|tr|pl)\b",
    "pmcsog.net": r"#place|#trans|#endtr|\bmk\b|\bin\b|\bout\b|<\.\.>",
}


@pytest.mark.parametrize("name", KEYWORDS)
def test_misspelt_keywords(name: str) -> None:
    text = (FOLDER / name).read_text()
    right = meaning(load_net(FOLDER / name))
    found = list(re.finditer(KEYWORDS[name], text, re.MULTILINE))
    assert len(found) >= 5
    for keyword in found:
        for wrong in (keyword[0] + "s", keyword[0][:-1], keyword[0].swapcase() + "_"):
            spoilt = text[: keyword.start()] + wrong + text[keyword.end() :]
            try:
                net = read_net(io.BytesIO(spoilt.encode()), load_net(FOLDER / name).name)
            except NetError:
                continue
            assert meaning(net) == right, (keyword, wrong)


ENGINE = (FOLDER / "tapaal-engine-timed.xml").read_text()
TAPN = (FOLDER / "tapaal.tapn").read_text()
DOTS = (FOLDER / "tapaal-dots.tapn").read_text()
PM4PY = (FOLDER / "pm4py.pnml").read_text()


@pytest.mark.parametrize(
    ("text", "right", "wrong", "message"),
    [
        (ENGINE, '"[0,inf)" source="b', '"[0,5]" source="b', "time: the arc from 'busy' to '"),
        (ENGINE, '"[0,inf)" source="i', '"(0,inf)" source="i', "time: the arc from 'idle' to"),
        (ENGINE, '"&lt; inf"', '"&lt;= 5"', "time: place 'idle' has the invariant <= 5"),
        (ENGINE, 'urgent="false"', 'urgent="true"', "urgent transition: transition 'finish'"),
        (ENGINE, "<inputArc", "<inhibitorArc", "inhibitor arc: the arc from 'busy' to"),
        (ENGINE, "<inputArc", "<outputArc", "'busy' is a place, but it must be a transition"),
        (ENGINE, 'weight="2"', 'weight="two"', "which is not an integer"),
        (ENGINE, 'weight="2"', 'weight="0"', "it must be at least 1"),
        (ENGINE, 'inscription="1"', 'inscription="2"', "has the inscription '2'"),
        (ENGINE, 'initialMarking="2"', 'initialMarking="-2"', "it must be at least 0"),
        (ENGINE, "<place", '<place age="1"', "'age' of place 'idle' is not known in TAPAAL's"),
        (TAPN, 'type="timed"', 'type="tapnInhibitor"', "tapnInhibitor arc"),
        (TAPN, 'player="0" p', 'player="1" p', "game: transition 'begin' has player=1"),
        (TAPN, '220" priority="0"', '220" priority="3"', "priority: transition 'finish'"),
        (TAPN, 'weight="crate"', 'weight="box"', "is 'box', which is not an integer"),
        (TAPN, "<k-bound", '<net active="true" id="B"/><k-bound', "several nets, 'Bottling'"),
        (TAPN, '<shared-place initialMarking="2"', '<shared-place initialMarking="1"', "shared"),
        (TAPN, 'player="0" u', 'player="1" u', "game: transition 'begin'"),
        (TAPN, 'isGame="false"', 'isGame="false" isStochastic="true"', "stochastic"),
        (TAPN, '<feature', '<extra/><feature', "<extra> in <pnml> is not known"),
        (DOTS, 'value="2"', 'value="3"', "has 2 and, in <hlinitialMarking>, 3"),
        (DOTS, '<usersort declaration="dot"/>', '<usersort declaration="red"/>', "coloured"),
        (DOTS, '<useroperator declaration="dot"/>', '<variable refvariable="x"/>', "colou"),
        (PM4PY, '<transition id="begin"', '<transition guard="x" id="begin"', "'guard' of tra"),
        (PM4PY, "<finalmarkings>", "<variables/><finalmarkings>", "<variables> in net"),
        (PM4PY, "<inscription><text>2</text></inscription>",
         "<arctype><text>reset</text></arctype>", "reset arc"),
    ],
)  # fmt: skip
def test_what_no_pt_net_means_is_refused_by_name(
    text: str, right: str, wrong: str, message: str
) -> None:
    spoilt = text.replace(right, wrong, 1)
    assert spoilt != text
    with pytest.raises(NetError) as caught:
        read_net(io.BytesIO(spoilt.encode()))
    assert message in str(caught.value)
    assert caught.value.line == spoilt.count("\n", 0, text.index(right)) + 1


PIPE = (FOLDER / "pipe.xml").read_text()


@pytest.mark.parametrize(
    ("text", "right", "wrong"),
    [
        (PM4PY, "<text>2</text></initialMarking>", "<text>2</text><text>1</text></initialMarking>"),
        (PM4PY, "<text>2</text></initialMarking>", "<text>2<b/>1</text></initialMarking>"),
        (PM4PY, "<initialMarking>",
         "<initialMarking><text>1</text></initialMarking><initialMarking>"),
        (PM4PY, "<initialMarking>", "<initialMarking times='2'>"),
        (PM4PY, "<initialMarking>", "<initialMarking>1"),
        (PM4PY, "<initialMarking><text>2</text>", "<initialMarking><text>2</text>1"),
        (PM4PY, "<initialMarking><text>2</text></initialMarking>", "2"),
        (PM4PY, "<inscription>", "<inscription><structure/>"),
        (DOTS, "<declaration>", "<declaration><structure/>"),
        (DOTS, "<dot/>", "<cyclicenumeration/>"),
        (DOTS, "<dot/>", "<dot/><dot/>"),
        (DOTS, '<namedsort id="dot"', '<namedsort id="red"'),
        (PIPE, '<type value="normal"/>', "<type/>"),
        (PIPE, '<type value="normal"/>', '<type kind="inhibitor"/>'),
        (PIPE, '<type value="normal"/>', '<type value="normal"/><type value="inhibitor"/>'),
        (PIPE, '<type value="normal"/>', '<type value="normal"><text>inhibitor</text></type>'),
        (PIPE, '<type value="normal"/>', '<type value="normal"/><arctype>inhibitor</arctype>'),
        (PIPE, '<type value="normal"/>', '<type value="inhibitor"/><arctype>normal</arctype>'),
        (PIPE, '" target="', '" type="inhibitor" target="'),
        (PIPE, "Default,2</value></inscription>", "Default,2,Red,1</value></inscription>"),
        (PIPE, "<timed><value>false", "<timed><value>yes"),
        (PIPE, "<tagged><value>false", "<tagged><value>true"),
        (ENGINE, 'weight="2"/>',
         'weight="2"><inscription><value>3</value></inscription></inputArc>'),
        (ENGINE, 'initialMarking="2" />',
         'initialMarking="2"><initialMarking><text>1</text></initialMarking></place>'),
    ],
)  # fmt: skip
def test_what_can_be_read_in_two_ways_is_refused(text: str, right: str, wrong: str) -> None:
    assert right in text
    with pytest.raises(NetError):
        read_net(io.BytesIO(text.replace(right, wrong, 1).encode()))
