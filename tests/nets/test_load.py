"""Choosing readers by content and writers by name."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from mpisog.errors import NetError, UsageError
from mpisog.nets.load import load_net, read_net, write_net
from mpisog.nets.model import PetriNet, make_net
from tests.nets.malformed import pnml
from tests.nets.test_pmcsog import EXPECTED, PLAIN

NET = make_net("n", {"p": 1}, {"t": (["p"], [])})


@pytest.mark.parametrize(
    ("data", "net"),
    [
        (b"net n\npl p (1)\ntr t p ->\n", NET),
        (b"\n\n# comment\n tr t p ->\npl p (1)\nnet n", NET),
        (b"\xef\xbb\xbfnet n\npl p (1)\ntr t p ->\n", NET),
        (b"#place p mk(<..>)\n#trans t\nin {p:<..>;}\n#endtr\n", NET),
        (PLAIN.encode(), EXPECTED),
        (pnml("<transition id='t'/>"), make_net("n", {}, {"t": ([], [])})),
        (
            b"\n " + pnml("<transition id='t'/>").split(b"\n", 1)[1],
            make_net("n", {}, {"t": ([], [])}),
        ),
        (b"\xef\xbb\xbf" + pnml("<transition id='t'/>"), make_net("n", {}, {"t": ([], [])})),
        (b"# net with #place in a comment\ntr t p ->\npl p (1)\nnet n", NET),
    ],
    ids=["tina", "comment", "bom", "pmcsog", "pmcsog2", "pnml", "blank", "pnml-bom", "mention"],
)
def test_the_content_chooses_the_reader(data: bytes, net: PetriNet, tmp_path: Path) -> None:
    path = tmp_path / "n.whatever"
    path.write_bytes(data)
    assert load_net(path) == net


def test_a_file_without_a_net_name_gives_its_own(tmp_path: Path) -> None:
    path = tmp_path / "my.model.net"
    path.write_text("#trans t\n#endtr\n")
    assert load_net(str(path)).name == "my.model"


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    stdin = io.TextIOWrapper(io.BytesIO(b"net n\npl p (1)\ntr t p ->\n"))
    monkeypatch.setattr(sys, "stdin", stdin)
    assert load_net("-") == NET


def test_errors_in_standard_input_say_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"")))
    with pytest.raises(NetError, match=r"^standard input: the file is empty"):
        load_net("-")


@pytest.mark.parametrize("name", ["n.pnml", "n.net", "N.PNML", "n.xml"])
def test_the_suffix_chooses_the_writer(name: str, tmp_path: Path) -> None:
    write_net(NET, tmp_path / name)
    assert load_net(tmp_path / name) == NET
    assert (tmp_path / name).read_bytes().startswith(b"net" if name == "n.net" else b"<?xml")


@pytest.mark.parametrize("suffix", [".gz", ".XZ"])
@pytest.mark.parametrize("name", ["n.pnml", "n.net", "n.lola"])
def test_compressed_files_are_told_by_their_content(name: str, suffix: str, tmp_path: Path) -> None:
    write_net(NET, tmp_path / f"{name}{suffix}")
    (tmp_path / f"{name}{suffix}").rename(tmp_path / "n")
    assert load_net(tmp_path / "n") == NET


def test_a_compressed_file_gives_the_net_its_bare_name(tmp_path: Path) -> None:
    write_net(NET, tmp_path / "my.net.lola.gz")
    assert load_net(tmp_path / "my.net.lola.gz").name == "my.net"


def test_a_net_gives_the_same_compressed_bytes(tmp_path: Path) -> None:
    write_net(NET, tmp_path / "a.net.gz")
    write_net(NET, tmp_path / "b.net.gz")
    assert (tmp_path / "a.net.gz").read_bytes() == (tmp_path / "b.net.gz").read_bytes()


def test_a_format_beats_the_suffix(tmp_path: Path) -> None:
    write_net(NET, str(tmp_path / "n.pnml"), "tina")
    assert (tmp_path / "n.pnml").read_text().startswith("net n\n")


def test_streams_and_standard_output(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    stream = io.BytesIO()
    write_net(NET, stream, "tina")
    write_net(NET, "-", "tina")
    assert capfdbinary.readouterr().out == stream.getvalue() == b"net n\npl p (1)\ntr t p ->\n"


def test_an_unknown_suffix_or_format_is_a_usage_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"suffix '\.txt'.*\.lola or \.net or \.pnml"):
        write_net(NET, tmp_path / "n.txt")
    with pytest.raises(UsageError, match="cannot write format 'dot'"):
        write_net(NET, io.BytesIO(), "dot")


def test_a_file_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(NetError, match="cannot be written: No such file"):
        write_net(NET, tmp_path / "nowhere" / "n.pnml")


def test_reading_a_stream_lets_small_nets_pass() -> None:
    assert read_net(io.BytesIO(b"pl p (1)"), "n") == make_net("n", {"p": 1}, {})


@pytest.mark.parametrize("format", ["pnml", "tina", "lola"])
def test_ids_that_are_no_text_cannot_be_written(format: str) -> None:
    with pytest.raises(NetError, match="cannot be written as"):
        write_net(make_net("n", {"\ud800": 1}, {"t": ([], [])}), io.BytesIO(), format)
