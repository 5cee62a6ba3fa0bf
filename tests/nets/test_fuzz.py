"""Damaged files: whatever is done to them, a reader gives a net or a ``NetError``.

``MPISOG_FUZZ_EXAMPLES`` sets the number of files per reader; the slow test adds its own.
"""

from __future__ import annotations

import contextlib
import io
import os
import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mpisog.errors import NetError
from mpisog.nets.load import read_net
from tests.nets.malformed import FEATURES, PMCSOG, PNML, TINA, XML

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
SAMPLES = {
    "pnml": [GOOD_PNML, *(case.data[:2_000] for case in (*PNML, *XML, *FEATURES))],
    "pmcsog": [GOOD_PMCSOG, *(case.data for case in PMCSOG)],
    "tina": [GOOD_TINA, *(case.data for case in TINA)],
}
PIECES = [
    *(b"<", b">", b"/>", b"&", b"&amp;", b"&#0;", b"<![CDATA[", b"]]>", b"<!--", b"-->", b"<?x?>"),
    *(b"<!DOCTYPE x>", b"<place id='p'/>", b"<net/>", b"</net>", b"<page>", b"<toolspecific>"),
    *(b"xmlns:x='y'", b"x:", b"-1", b"999999999999999999999", b"0", b"\xff", b"\0", b"\xf0\x9f"),
    *(b"#place ", b"#trans ", b"#endtr", b"mk(", b"<..>", b"in {", b"out{", b";", b":", b"}", b"{"),
    *(b"\ntr ", b"\npl ", b"\nnet ", b"\npr ", b"->", b"*", b"?", b"!-", b"[0,w[", b"]1,2]", b"\\"),
    *(b"(", b")", b"#", b"\n", b"\r", b" ", b"//", b"\xef\xbb\xbf", b"\xff\xfe", b"\xc2\xa0"),
]


def assert_net_or_error(data: bytes) -> None:
    with contextlib.suppress(NetError):
        read_net(io.BytesIO(data))


@st.composite
def damaged(draw: st.DrawFn, reader: str) -> bytes:
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
    @given(damaged(reader))
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
        data = bytearray(dice.choice(SAMPLES[reader]))
        for _ in range(dice.randint(1, 6)):
            start = dice.randint(0, len(data))
            end = start + dice.choice((0, 0, 1, 5, 40))
            data[start:end] = dice.choice((*PIECES, b"", dice.randbytes(2)))
        assert_net_or_error(bytes(data))
