"""The fast readers of plain files read what the others read, or leave the file to them."""

from __future__ import annotations

import io
from collections.abc import Callable
from random import Random

import pytest

from mpisog.errors import NetError
from mpisog.nets.generators import generate
from mpisog.nets.load import load_net, write_net
from mpisog.nets.model import NetBuilder, PetriNet
from mpisog.nets.plain import read_plain_pnml, read_plain_tina
from mpisog.nets.pnml import read_pnml
from mpisog.nets.tina import read_tina

NAMESPACE = "http://www.pnml.org/version-2009/grammar/pnml"
NET_TYPE = "http://www.pnml.org/version-2009/grammar/ptnet"

FILE = f"""<?xml version="1.0" encoding="UTF-8"?>
<!-- a comment -->
<pnml xmlns="{NAMESPACE}">
 <net id="n" type="{NET_TYPE}">
  <name><text>a net</text></name>
  <page id="g">
   <place id="p"><name><graphics><offset x="0" y="1"/></graphics><text> a &lt; b </text></name>
    <initialMarking><text> 2
     </text></initialMarking></place>
   <place id="q&amp;"/>
   <transition id="t"><graphics><position x="1" y="2"/></graphics></transition>
   <page id="h"><transition id="u"><name><text>ü</text></name></transition></page>
   <arc id="1" source="p" target="t"><inscription><text>2</text></inscription></arc>
   <arc id="2" source="p" target="t"/>
   <arc id="3" source="t" target="q&amp;"/>
   <arc id="4" source="u" target="p"/>
  </page>
  <toolspecific tool="nupn" version="1.1"><size places="2"/>text</toolspecific>
 </net>
</pnml>
""".encode()

NOT_PLAIN = [
    (b'<place id="q&amp;"/>', b'<place id="q&#38;"/>'),
    (b'<place id="q&amp;"/>', b'<place id="q&amp;" initialMarking="1"/>'),
    (b'<place id="q&amp;"/>', b'<place id="q&amp;"><capacity><text>1</text></capacity></place>'),
    (b'<place id="q&amp;"/>', b'<place id=" q&amp;"/>'),
    (b'source="u"', b'source="u" type="inhibitor"'),
    (b'<transition id="t">', b'<transition id="t"><timed><value>true</value></timed>'),
    (b"<text>2</text>", b"<text>2<!-- 3 --></text>"),
    (b"<text>2</text>", b"<text>0</text>"),
    (b"<text>2</text>", b"<text>99999999999</text>"),
    (b"<text>2</text>", b"<text>2</text><text>3</text>"),
    (b"UTF-8", b"ISO-8859-1"),
    (b"ptnet", b"symmetricnet"),
    (b'<arc id="4" source="u"', b'<arc id="4" source="x"'),
    (b'<place id="q&amp;"/>', b'<place id="q&amp;"/><place id="p"/>'),
    (b'<position x="1" y="2"/>', b'<place id="r"/>'),
    (b"</pnml>", b"</pnml><pnml/>"),
    (b"</pnml>", b""),
    ("ü".encode(), b"\xfc"),
    (b"a net", b"a \x01 net"),
]

PIECES = [
    *(b"<", b">", b"/", b'"', b"'", b"&", b"&amp;", b"&#65;", b" ", b"\n", b"\r", b"\0", b"\xc3"),
    *(b"<!-- x -->", b"<![CDATA[x]]>", b"<?pi?>", b"]]>", b"--", b"=", b"2", b"-1", b"0"),
    *(b"<text>", b"</text>", b"<name>", b"</page>", b'<page id="y">', b'<place id="z"/>'),
    *(b'xmlns:a="b"', b'type="x"', b'<toolspecific tool="x"><a/></toolspecific>', b"<graphics/>"),
    *(b"<inscription><text>2</text></inscription>", b'id="p"', b"\xc3\xa4", b"\t"),
]


def test_all_that_is_plain():
    builder = NetBuilder("n")
    builder.place("p", 2, "a < b")
    builder.place("q&")
    builder.transition("t")
    builder.transition("u", "ü")
    builder.arc("p", "t", 3)
    builder.arc("t", "q&")
    builder.arc("u", "p")
    assert read_plain_pnml(io.BytesIO(FILE)) == builder.build()


@pytest.mark.parametrize(("old", "new"), NOT_PLAIN)
def test_what_is_not_plain_is_left_to_the_other_reader(old, new):
    assert FILE.count(old) == 1
    stream = io.BytesIO(FILE.replace(old, new))
    assert read_plain_pnml(stream) is None
    assert stream.tell() == 0


@pytest.mark.parametrize("family", ["epidemic", "kanban", "token_ring", "grid_walk"])
def test_files_of_our_own_are_plain(family, tmp_path):
    net = generate(family, 4)
    write_net(net, tmp_path / "net.pnml")
    with (tmp_path / "net.pnml").open("rb") as stream:
        assert read_plain_pnml(stream) == net
    assert load_net(tmp_path / "net.pnml") == net


TINA = b"""net n
pl p0 (1)
 pl\tp1  (2)

tr t0 p0 p2*3 -> p1*2 p1
pl p0 (4)
tr t1
tr t0 p0 ->
tr pl {a-*b}*2 -> tr
pl p_.3
"""

NOT_PLAIN_TINA = [
    (b"pl p0 (4)", b"pl p0 (4K)"),
    (b"pl p0 (4)", b"pl p0 (-4)"),
    (b"pl p0 (4)", b"pl p0 ()"),
    (b"pl p0 (4)", b"pl p0 4"),
    (b"pl p0 (4)", b"pl p0 (2147483647)"),
    (b"pl p0 (4)", b"pl p0 (99999999999)"),
    (b"pl p0 (4)", b"pl p0 (4) t0 -> t1"),
    (b"pl p0 (4)", b"pl p0 : a (4)"),
    (b"pl p0 (4)", b"pl t0 (4)"),
    (b"pl p0 (4)", b"pl"),
    (b"tr t1", b"tr t1 p0"),
    (b"tr t1", b"tr t1 p0\n-> p1"),
    (b"tr t1", b"tr t1 -> p0 -> p1"),
    (b"tr t1", b"tr t1 [0,w[ p0 -> p1"),
    (b"tr t1", b"tr t1 p0?1 -> p1"),
    (b"tr t1", b"tr t1 p0*0 -> p1"),
    (b"tr t1", b"tr t1 p0*2147483647 p0 ->"),
    (b"tr t1", b"tr {t 1}"),
    (b"tr t1", b"tr {t\\1}"),
    (b"tr t1", b"tr {}"),
    (b"tr t1", "tr t\u00e4".encode()),
    (b"tr t1", b"tr t1 # alone"),
    (b"tr t1", b"tr t1\r"),
    (b"tr t1", b"lb t0 a"),
    (b"net n", b"net"),
    (b"net n", b"\xef\xbb\xbfnet n"),
]

TINA_PIECES = [
    *(
        b"\n",
        b" ",
        b"\t",
        b"\r",
        b"\x0c",
        b"tr ",
        b"\ntr u ",
        b"\npl ",
        b"net ",
        b"-> ",
        b"->",
        b"-",
    ),
    *(b"*", b"*2", b"* 2", b"(1)", b"(", b")", b"[0,w[", b"#", b"{", b"}", b"{a b}", b":", b": l"),
    *(b"\xc3\xa4", b"\x00", b"p0", b"t0", b"0", b"2K", b"?", b"\\", b"\nlb t0 x", b"\nnt a 0 b"),
]


def test_all_that_is_plain_in_a_tina_file():
    builder = NetBuilder("n")
    for place, tokens in (("p0", 5), ("p1", 2), ("p2", 0), ("a-*b", 0), ("tr", 0), ("p_.3", 0)):
        builder.place(place, tokens)
    for transition in ("t0", "t1", "pl"):
        builder.transition(transition)
    builder.arc("p0", "t0", 2)
    builder.arc("p2", "t0", 3)
    builder.arc("t0", "p1", 3)
    builder.arc("a-*b", "pl", 2)
    builder.arc("pl", "tr")
    assert read_plain_tina(TINA) == builder.build()


@pytest.mark.parametrize(("old", "new"), NOT_PLAIN_TINA)
def test_a_tina_file_that_is_not_plain_is_left_to_the_other_reader(old, new):
    assert TINA.count(old) == 1
    assert read_plain_tina(TINA.replace(old, new)) is None


def test_a_plain_tina_file_is_loaded(tmp_path):
    net = generate("kanban", 3)
    write_net(net, tmp_path / "net.net")
    data = (tmp_path / "net.net").read_bytes()
    assert load_net(tmp_path / "net.net") == read_plain_tina(data) == read_tina(data.decode())


def _pnml(data: bytes) -> PetriNet:
    return read_pnml(io.BytesIO(data))


def _plain_pnml(data: bytes) -> PetriNet | None:
    return read_plain_pnml(io.BytesIO(data))


def _tina(data: bytes) -> PetriNet:
    return read_tina(data.decode())


@pytest.mark.parametrize(
    ("plain", "other", "file", "pieces"),
    [(_plain_pnml, _pnml, FILE, PIECES), (read_plain_tina, _tina, TINA, TINA_PIECES)],
    ids=["PNML", "Tina"],
)
def test_both_readers_agree_on_mutated_files(
    plain: Callable[[bytes], PetriNet | None],
    other: Callable[[bytes], PetriNet],
    file: bytes,
    pieces: list[bytes],
):
    rng = Random("plain PNML")
    accepted = 0
    for _ in range(6_000):
        data = _mutated(rng, file, pieces)
        fast = plain(data)
        if fast is not None:
            accepted += 1
            try:
                assert fast == other(data), data
            except (NetError, UnicodeDecodeError) as error:
                pytest.fail(f"refused by the other reader: {error}\n{data!r}")
    assert accepted > 100


def _mutated(rng: Random, data: bytes, pieces: list[bytes]) -> bytes:
    result = bytearray(data)
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        at = rng.randrange(len(result))
        match rng.randrange(5):
            case 0:
                del result[at : at + rng.choice((1, 1, 2, 5, 40))]
            case 1:
                result[at:at] = rng.choice(pieces)
            case 2:
                other = rng.randrange(len(result))
                result[at:at] = result[other : other + rng.choice((1, 3, 10, 60))]
            case 3:
                result[at] = rng.randrange(256)
            case _:
                tag = max(0, result.find(b"<", at))
                result[tag:tag] = rng.choice(pieces)
    return bytes(result)
