"""Damaged files: whatever is done to them, a reader gives a net or a ``NetError``.

``MPISOG_FUZZ_EXAMPLES`` sets the number of files per reader; the slow test adds its own.
"""

from __future__ import annotations

import contextlib
import gzip
import io
import lzma
import os
import random
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mpisog.errors import NetError
from mpisog.nets.load import read_net
from tests.mutations import at_once, damaged
from tests.nets.malformed import FEATURES, LOLA, PMCSOG, PNML, TINA, XML
from tests.nets.test_golden import FOLDER

EXAMPLES = int(os.environ.get("MPISOG_FUZZ_EXAMPLES", "300"))

GOOD_PNML = b"""<?xml version="1.0" encoding="utf-8"?>
<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml">
<net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet"><page id="g">
<place id="p"><name><text>a</text></name><initialMarking><text>1</text></initialMarking></place>
<place id="q"/><transition id="t"/><referencePlace id="r" ref="q"/>
<arc id="a" source="p" target="t"/><toolspecific tool="x" version="1"><y/></toolspecific>
<arc id="b" source="t" target="r"><inscription><text>2</text></inscription></arc>
</page></net></pnml>
"""
GOOD_PMCSOG = b"""#place p mk(3<..>)
#place (1) q
#trans t
in {p:2<..>;}
out {q:<..>;p:1;}
#endtr
"""
GOOD_TINA = b"""# net
net {a net}
pl p : label (3K)
tr t : {l\\}} [0,w[ p*2 q -> {r s}*3
pl q u -> t
lb t x
nt n 0 {note}
"""
GOLDEN = {path.name: path.read_bytes() for path in FOLDER.iterdir()}
SAMPLES = {
    "pnml": [
        GOOD_PNML,
        *(data for name, data in GOLDEN.items() if name.endswith(("pnml", "pipe.xml"))),
        *(case.data[:2_000] for case in (*PNML, *XML, *FEATURES)),
    ],
    "tapaal-engine": [data for name, data in GOLDEN.items() if "engine" in name],
    "tapn": [data for name, data in GOLDEN.items() if name.endswith("tapn")],
    "lola": [GOLDEN["lola.lola"], *(case.data for case in LOLA)],
    "pmcsog": [GOOD_PMCSOG, GOLDEN["pmcsog.net"], *(case.data for case in PMCSOG)],
    "tina": [GOOD_TINA, GOLDEN["tina.net"], *(case.data for case in TINA)],
    "gz": [GOLDEN["contest.pnml.gz"], gzip.compress(GOLDEN["tina.net"]) * 2],
    "xz": [GOLDEN["lola.lola.xz"], lzma.compress(GOLDEN["tapaal.tapn"])],
}
PIECES = [
    *(b"<", b">", b"/>", b"&", b"&amp;", b"&#0;", b"<![CDATA[", b"]]>", b"<!--", b"-->", b"<?x?>"),
    *(b"<!DOCTYPE x>", b"<place id='p'/>", b"<net/>", b"</net>", b"<page>", b"<toolspecific>"),
    *(b"xmlns:x='y'", b"x:", b"-1", b"999999999999999999999", b"0", b"\xff", b"\0", b"\xf0\x9f"),
    *(b"<inputArc ", b"<inhibitorArc ", b"weight='2'", b"[0,inf)", b"[1,2]", b"invariant='x'"),
    *(b"PLACE ", b"MARKING ", b"TRANSITION ", b"CONSUME ", b"PRODUCE ", b"SAFE 1:", b"/*", b"*/"),
    *(b"#place ", b"#trans ", b"#endtr", b"mk(", b"<..>", b"in {", b"out{", b";", b":", b"}", b"{"),
    *(b"\ntr ", b"\npl ", b"\nnet ", b"\npr ", b"->", b"*", b"?", b"!-", b"[0,w[", b"]1,2]", b"\\"),
    *(b"(", b")", b"#", b"\n", b"\r", b" ", b"//", b"\xef\xbb\xbf", b"\xff\xfe", b"\xc2\xa0"),
]


def assert_net_or_error(data: bytes) -> None:
    with at_once(), contextlib.suppress(NetError):
        read_net(io.BytesIO(data))


@st.composite
def damaged_files(draw: st.DrawFn, reader: str) -> bytes:
    """A sample with some pieces cut, copied or put in."""
    data = bytearray(draw(st.sampled_from(SAMPLES[reader])))
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(data)))
        end = draw(st.integers(start, min(len(data), start + 20)))
        piece = draw(st.one_of(st.sampled_from(PIECES), st.binary(max_size=3)))
        data[start:end] = piece
    return bytes(data)


@pytest.mark.parametrize("reader", SAMPLES)
def test_damaged_files_give_a_net_or_an_error(reader: str) -> None:
    @given(damaged_files(reader))
    @settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
    def run(data: bytes) -> None:
        assert_net_or_error(data)

    run()


@given(st.one_of(st.binary(), st.text().map(str.encode)))
@settings(max_examples=EXAMPLES, deadline=None)
def test_noise_gives_a_net_or_an_error(data: bytes) -> None:
    assert_net_or_error(data)
    assert_net_or_error(b"<" + data)
    assert_net_or_error(b"#place " + data)
    assert_net_or_error(b"tr " + data)


@pytest.mark.slow
@pytest.mark.parametrize("reader", SAMPLES)
def test_many_more_damaged_files(reader: str) -> None:
    dice = random.Random(reader)
    for _ in range(50_000):
        assert_net_or_error(damaged(dice, dice.choice(SAMPLES[reader]), PIECES))


@pytest.mark.slow
@pytest.mark.parametrize("pack", [gzip.compress, lzma.compress])
def test_many_damaged_files_compressed(pack: Callable[[bytes], bytes]) -> None:
    dice = random.Random(pack.__module__)
    readers = [reader for reader in SAMPLES if reader not in ("gz", "xz")]
    for _ in range(10_000):
        data = dice.choice(SAMPLES[dice.choice(readers)])
        assert_net_or_error(pack(damaged(dice, data, PIECES)))
