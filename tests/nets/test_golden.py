"""One net in the words of every tool: its verdicts, worked out by hand, come out of every file."""

from __future__ import annotations

import gzip
import lzma
from pathlib import Path

import pytest

import mpisog
from mpisog.nets.load import load_net, write_net

FOLDER = Path(__file__).resolve().parent.parent / "golden" / "nets"
FILES = [
    "contest.pnml", "contest.pnml.gz", "lola.lola", "lola.lola.xz", "pipe.xml", "pm4py.pnml",
    "pmcsog.net", "prom.pnml", "standard.pnml", "tapaal-dots.tapn", "tapaal-engine-timed.xml",
    "tapaal-engine.xml", "tapaal.tapn", "tina.net", "tina.pnml",
]  # fmt: skip

VERDICTS = {
    # The only run is begin, begin, finish, and then nothing: (idle, busy, done) is
    # (2,0,0), (1,1,0), (0,2,0), (0,0,1), and (0,0,1) for ever.
    "F done": "TRUE",  # false without tokens or without arcs
    "F dead": "TRUE",
    'G "idle + busy + 2*done == 2"': "TRUE",  # false with any other weight or marking
    'X "fireable(finish)"': "FALSE",  # true when finish takes one token
    'X X "fireable(finish)"': "TRUE",
    "G !done": "FALSE",
    '"fire(begin)" & X "fire(begin)" & X X "fire(finish)" & X X X dead': "TRUE",
    'F "idle >= 1 " U "done >= 2"': "FALSE",
}


def test_every_file_is_tested() -> None:
    assert sorted(path.name for path in FOLDER.iterdir()) == FILES


@pytest.mark.parametrize("name", FILES)
def test_verdicts(name: str) -> None:
    results = mpisog.check_many(FOLDER / name, list(VERDICTS))
    assert {r.formula: str(r.verdict) for r in results} == VERDICTS


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("pack", [gzip.compress, lzma.compress])
def test_every_format_may_be_compressed(name: str, pack, tmp_path: Path) -> None:
    path = tmp_path / "net"
    path.write_bytes(pack((FOLDER / name.removesuffix(".gz").removesuffix(".xz")).read_bytes()))
    assert str(mpisog.check(path, "F done").verdict) == "TRUE"


@pytest.mark.parametrize("compression", ["", ".gz", ".xz"])
@pytest.mark.parametrize("suffix", [".pnml", ".net", ".lola"])
def test_what_is_written_has_the_same_verdicts(
    suffix: str, compression: str, tmp_path: Path
) -> None:
    path = tmp_path / f"net{suffix}{compression}"
    write_net(load_net(FOLDER / "tapaal.tapn"), path)
    results = mpisog.check_many(path, list(VERDICTS))
    assert {r.formula: str(r.verdict) for r in results} == VERDICTS
    start = {".gz": b"\x1f\x8b", ".xz": b"\xfd7zXZ"}.get(compression, b"")
    assert path.read_bytes().startswith(start)
