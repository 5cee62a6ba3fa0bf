"""Every malformed file ends in one clear error that names the file, the line and the trouble."""

from __future__ import annotations

import gzip
import lzma
from pathlib import Path

import pytest

from mpisog.errors import NetError, UnsupportedFeature
from mpisog.nets.load import load_net
from tests.mutations import at_once
from tests.nets.malformed import MALFORMED, Malformed


@pytest.mark.parametrize("case", MALFORMED, ids=lambda case: case.name)
def test_a_malformed_file_gives_its_message(case: Malformed, tmp_path: Path) -> None:
    path = tmp_path / case.name
    path.write_bytes(case.data)
    with pytest.raises(NetError) as caught:
        load_net(path)
    error = caught.value
    assert case.fragment in str(error)
    assert error.path == path
    assert str(error).startswith(f"{path}:")
    assert "\n" not in str(error)
    if case.line is not None:
        assert error.line == case.line
    assert isinstance(error, UnsupportedFeature) or not case.unsupported


def test_names_in_the_table_are_unique() -> None:
    assert len({case.name for case in MALFORMED}) == len(MALFORMED)


def test_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(NetError, match="No such file"):
        load_net(tmp_path / "missing.pnml")


def test_a_directory(tmp_path: Path) -> None:
    with pytest.raises(NetError, match="Is a directory"):
        load_net(tmp_path)


def test_a_path_no_file_can_have() -> None:
    with pytest.raises(NetError, match="cannot be read"):
        load_net("a\0b")


def test_a_file_that_may_not_be_read(tmp_path: Path) -> None:
    path = tmp_path / "secret.pnml"
    path.write_text("<pnml/>")
    path.chmod(0)
    try:
        path.read_bytes()
    except PermissionError:
        with pytest.raises(NetError, match="Permission denied"):
            load_net(path)
    else:
        pytest.skip("this user may read every file")


@pytest.mark.parametrize(("depth", "read"), [(1_000, True), (100_000, False)])
def test_deep_nesting_is_read_or_refused(depth: int, read: bool, tmp_path: Path) -> None:
    pages = "<page id='x'>" * depth + "<transition id='t'/>" + "</page>" * depth
    path = tmp_path / "deep.pnml"
    path.write_text(f"<pnml><net id='n'>{pages}</net></pnml>")
    if read:
        assert [t.id for t in load_net(path).transitions] == ["t"]
    else:
        with pytest.raises(NetError, match="depth"):
            load_net(path)


def test_a_doctype_is_seen_in_every_encoding(tmp_path: Path) -> None:
    text = "<!DOCTYPE pnml [<!ENTITY e 'ha'>]><pnml><net id='n'><place id='p'/></net></pnml>"
    path = tmp_path / "wide.pnml"
    path.write_bytes(text.encode("utf-16"))
    with pytest.raises(UnsupportedFeature, match="DOCTYPE"):
        load_net(path)


@pytest.mark.parametrize(
    "data",
    [
        b"<?a?>" * 10_000 + b"<pnml/>",
        b"<!-- -->" * 6_000 + b"<pnml/>",
        b"\n" * 1_000_000 + b"nothing",
        b"net " + b"{" * 300_000,
        b"tr t " + b"[" * 300_000,
        b"#place p mk(" + b"<. " * 300_000,
        b"pl p (" + b"9" * 1_000_000 + b")",
        b"<pnml><net id='n'>" + b"<place/>" * 2,
        b"net {" + b"\\{" * 200_000,
        b"PLACE " + b"/* " * 200_000,
        b"PLACE p;" + b"{" * 300_000,
        gzip.compress(b"<pnml>" + b" " * 2**30),
        lzma.compress(b"net " + b" " * 2**28),
        lzma.compress(b"net", filters=[{"id": lzma.FILTER_LZMA2, "dict_size": 2**30}]),
    ],
    ids=[
        *("instructions", "comments", "lines", "braces", "brackets", "tokens", "digits", "places"),
        *("escapes", "lola-comments", "lola-braces", "gzip-bomb", "xz-bomb", "xz-dictionary"),
    ],
)
def test_no_file_takes_long_to_refuse(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "slow.net"
    path.write_bytes(data)
    with at_once(), pytest.raises(NetError):
        load_net(path)
