"""Loading and saving nets: the reader is chosen by content, the writer by the file's suffix."""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, cast

from mpisog.errors import NetError, UsageError
from mpisog.nets.compressed import SUFFIXES, packing, unpacked
from mpisog.nets.lola import START as LOLA_START
from mpisog.nets.lola import read_lola
from mpisog.nets.model import PetriNet

STDIN = "-"
"""The path that stands for standard input or output."""

_HEAD = 64 * 1024
_XML_STARTS = (b"<", b"\xfe\xff", b"\xff\xfe", b"\x00<")
_FORMAT_HINT = re.compile(
    r"^[^\S\n]*(?:(?P<pmcsog>#(?:place|trans|queue))|(?P<tina>net|tr|pl|lb|pr|nt))(?=[\s({]|$)",
    re.MULTILINE,
)
_SUFFIXES = {".pnml": "pnml", ".xml": "pnml", ".net": "tina", ".lola": "lola"}
_KNOWN = "PNML, TAPAAL, LoLA, pmc-sog .net or Tina .net"
FORMATS = ("pnml", "tina", "lola")
"""What ``write_net`` can write."""


def load_net(path: str | Path) -> PetriNet:
    """Read a net in any known format, compressed or not; ``-`` is standard input.

    Raises ``NetError`` that carries the path, and the line where there is one.
    """
    shown = "standard input" if str(path) == STDIN else path
    name = "net" if str(path) == STDIN else _bare(path).stem or "net"
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
    stream = unpacked(stream)
    head = stream.read(_HEAD)
    stream.seek(0)
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    if not start and len(head) < _HEAD:
        raise NetError("the file is empty")
    if start.startswith(_XML_STARTS):
        from mpisog.nets.plain import read_plain_pnml

        return read_plain_pnml(stream, name) or _read_pnml(stream, name)
    return _read_text(stream.read(), name)


def _read_pnml(stream: IO[bytes], name: str) -> PetriNet:
    from mpisog.nets.pnml import read_pnml

    return read_pnml(stream, name)


def write_net(net: PetriNet, target: str | Path | IO[bytes], format: str | None = None) -> None:
    """Write a net as ``pnml``, ``tina`` or ``lola``; the suffix tells which unless it is given.

    A file whose name ends in .gz or .xz is compressed. ``-`` is standard output; a stream or ``-``
    without a format gets PNML.
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
    suffix = _bare(path).suffix.lower()
    if suffix not in _SUFFIXES:
        known = " or ".join(sorted(set(_SUFFIXES) - {".xml"}))
        message = f"cannot tell the net format from the suffix '{suffix}'"
        raise UsageError(message, path=path, hint=f"use {known}, also with .gz or .xz behind it")
    return _SUFFIXES[suffix]


def _bare(path: str | Path) -> Path:
    """The path without the suffix of compressed files."""
    whole = Path(path)
    return whole.with_suffix("") if whole.suffix.lower() in SUFFIXES else whole


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
    if LOLA_START.match(text):
        return read_lola(text, name)
    hint = _FORMAT_HINT.search(text)
    if hint is None:
        raise _unknown_format()
    if hint["pmcsog"]:
        from mpisog.nets.pmcsog import read_pmcsog

        return read_pmcsog(text, name)
    from mpisog.nets.plain import read_plain_tina
    from mpisog.nets.tina import read_tina

    return read_plain_tina(data, name) or read_tina(text, name)


def _decode(data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        message = f"not UTF-8 text (byte 0x{data[error.start]:02x})"
        raise NetError(message, line=line) from None


def _unknown_format() -> NetError:
    return NetError("not a net in a known format", hint=_KNOWN)


def _usable(net: PetriNet) -> PetriNet:
    if not net.transitions:
        lack = "transitions" if net.places else "places and no transitions"
        raise NetError(f"the net has no {lack}")
    return net


def _write_file(net: PetriNet, path: Path, format: str) -> None:
    suffix = path.suffix.lower()
    try:
        with path.open("wb") as stream:
            if suffix in SUFFIXES:
                with packing(stream, suffix) as packed:
                    _write(net, cast(IO[bytes], packed), format)
            else:
                _write(net, stream, format)
    except OSError as error:
        raise NetError(f"cannot be written: {error.strerror or error}", path=path) from None
    except NetError:
        path.unlink()  # half a net is worse than none
        raise


def _write(net: PetriNet, stream: IO[bytes], format: str) -> None:
    if format == "pnml":
        from mpisog.nets.pnml_writer import write_pnml

        write_pnml(net, stream)
    elif format == "tina":
        from mpisog.nets.tina_writer import write_tina

        _write_text(net, stream, write_tina, "Tina .net")
    elif format == "lola":
        from mpisog.nets.lola_writer import write_lola

        _write_text(net, stream, write_lola, "LoLA")
    else:
        raise UsageError(f"cannot write format '{format}'", hint="use " + " or ".join(FORMATS))


def _write_text(
    net: PetriNet, stream: IO[bytes], write: Callable[[PetriNet, IO[str]], None], what: str
) -> None:
    text = io.StringIO()
    write(net, text)
    try:
        stream.write(text.getvalue().encode("utf-8"))
    except UnicodeEncodeError as error:
        raise NetError(f"the net cannot be written as {what}: {error.reason}") from None
