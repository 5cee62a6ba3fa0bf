"""Loading and saving nets: the reader is chosen by content, the writer by the file's suffix."""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from mpisog.errors import NetError, UsageError
from mpisog.nets.model import PetriNet

STDIN = "-"
"""The path that stands for standard input or output."""

_HEAD = 64 * 1024
_XML_STARTS = (b"<", b"\xfe\xff", b"\xff\xfe", b"\x00<")
_FORMAT_HINT = re.compile(
    r"^[^\S\n]*(?:(?P<pmcsog>#(?:place|trans|queue))|(?P<tina>net|tr|pl|lb|pr|nt))(?=[\s({]|$)",
    re.MULTILINE,
)
_SUFFIXES = {".pnml": "pnml", ".xml": "pnml", ".net": "tina"}
FORMATS = ("pnml", "tina")
"""What ``write_net`` can write."""


def load_net(path: str | Path) -> PetriNet:
    """Read a net in PNML, pmc-sog or Tina format; ``-`` is standard input.

    Raises ``NetError`` that carries the path, and the line where there is one.
    """
    shown = "standard input" if str(path) == STDIN else path
    name = "net" if str(path) == STDIN else Path(path).stem or "net"
    try:
        with _open(path) as stream:
            return _usable(read_net(stream, name))
    except NetError as error:
        raise error.located(shown) from None
    except (OSError, ValueError) as error:
        # ValueError: a path with a NUL character.
        reason = getattr(error, "strerror", None) or str(error)
        raise NetError(f"cannot be read: {reason}", path=shown) from None


def read_net(stream: IO[bytes], name: str = "net") -> PetriNet:
    """Read a net from a seekable stream; unlike ``load_net`` it lets nets without transitions pass.

    ``name`` is for formats and files that do not name their net.
    """
    head = stream.read(_HEAD)
    stream.seek(0)
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    if not start and len(head) < _HEAD:
        raise NetError("the file is empty")
    if start.startswith(_XML_STARTS):
        from mpisog.nets.pnml import read_pnml

        return read_pnml(stream, name)
    return _read_text(stream.read(), name)


def write_net(net: PetriNet, target: str | Path | IO[bytes], format: str | None = None) -> None:
    """Write a net as ``pnml`` or ``tina``; the format is taken from the suffix unless given.

    ``-`` is standard output; a stream or ``-`` without a format gets PNML.
    """
    if not isinstance(target, str | Path):
        _write(net, target, format or "pnml")
    elif str(target) == STDIN:
        _write(net, sys.stdout.buffer, format or "pnml")
        sys.stdout.buffer.flush()
    else:
        _write_file(net, Path(target), format or format_of(target))


def format_of(path: str | Path) -> str:
    """The format a file name asks for, or a ``UsageError``."""
    suffix = Path(path).suffix.lower()
    if suffix not in _SUFFIXES:
        known = " or ".join(sorted(set(_SUFFIXES) - {".xml"}))
        raise UsageError(
            f"cannot tell the net format from the suffix '{suffix}'", path=path, hint=f"use {known}"
        )
    return _SUFFIXES[suffix]


@contextmanager
def _open(path: str | Path) -> Iterator[IO[bytes]]:
    if str(path) == STDIN:
        yield io.BytesIO(sys.stdin.buffer.read())
    else:
        with Path(path).open("rb") as stream:
            # Pipes cannot be rewound after a look at their start.
            yield stream if stream.seekable() else io.BytesIO(stream.read())


def _read_text(data: bytes, name: str) -> PetriNet:
    if b"\0" in data[:_HEAD]:
        raise _unknown_format()
    text = _decode(data)
    hint = _FORMAT_HINT.search(text)
    if hint is None:
        raise _unknown_format()
    if hint["pmcsog"]:
        from mpisog.nets.pmcsog import read_pmcsog

        return read_pmcsog(text, name)
    from mpisog.nets.tina import read_tina

    return read_tina(text, name)


def _decode(data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        message = f"not UTF-8 text (byte 0x{data[error.start]:02x})"
        raise NetError(message, line=line) from None


def _unknown_format() -> NetError:
    return NetError("not a net in a known format", hint="PNML, pmc-sog .net or Tina .net")


def _usable(net: PetriNet) -> PetriNet:
    if not net.transitions:
        lack = "transitions" if net.places else "places and no transitions"
        raise NetError(f"the net has no {lack}")
    return net


def _write_file(net: PetriNet, path: Path, format: str) -> None:
    try:
        with path.open("wb") as stream:
            _write(net, stream, format)
    except OSError as error:
        raise NetError(f"cannot be written: {error.strerror or error}", path=path) from None


def _write(net: PetriNet, stream: IO[bytes], format: str) -> None:
    if format == "pnml":
        from mpisog.nets.pnml_writer import write_pnml

        write_pnml(net, stream)
    elif format == "tina":
        _write_tina(net, stream)
    else:
        raise UsageError(f"cannot write format '{format}'", hint="use " + " or ".join(FORMATS))


def _write_tina(net: PetriNet, stream: IO[bytes]) -> None:
    from mpisog.nets.tina_writer import write_tina

    text = io.StringIO()
    write_tina(net, text)
    try:
        stream.write(text.getvalue().encode("utf-8"))
    except UnicodeEncodeError as error:
        raise NetError(f"the net cannot be written as Tina .net: {error.reason}") from None
