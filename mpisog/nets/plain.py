"""The fast way to read PNML and Tina files that have nothing but places, transitions and arcs.

Native code scans them. A file with anything else, an error included, is left to ``pnml.py`` or
``tina.py``, which know dialects and say what is wrong: whether a net is read, and which, must not
depend on this.
"""

from __future__ import annotations

import gc
import io
import mmap
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import IO, TYPE_CHECKING, TypeVar

from mpisog import _native
from mpisog.nets.model import PetriNet, Place, Transition
from mpisog.nets.nupn import read_units

if TYPE_CHECKING:
    from mpisog._native import _PlainNet

_File = TypeVar("_File")


def read_plain_pnml(stream: IO[bytes], name: str = "net") -> PetriNet | None:
    """The net of a plain file; nothing when it needs the other reader, from where it was before."""
    start = stream.tell()
    content = _content(stream)
    net = _read(_native.read_plain_pnml, content, name)
    if net is None:
        stream.seek(start)
        return None
    units = read_units(content, net.place_index)
    return replace(net, units=units) if units else net


def read_plain_tina(data: bytes, name: str = "net") -> PetriNet | None:
    """The net of a plain file; nothing when it needs the other reader."""
    return _read(_native.read_plain_tina, data, name)


def _read(scan: Callable[[_File], _PlainNet | None], file: _File, name: str) -> PetriNet | None:
    with _no_collections():
        found = scan(file)
        if found is None:
            return None
        id, places, transitions = found
        return PetriNet(
            id or name,
            tuple(Place(*place) for place in places),
            tuple(Transition(*transition) for transition in transitions),
        )


def _content(stream: IO[bytes]) -> bytes | mmap.mmap:
    """The file in place of a copy of it, where there is one."""
    if isinstance(stream, io.BufferedReader) and stream.tell() == 0:  # not one that decompresses
        with suppress(OSError, ValueError):
            return mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)
    return stream.read()


@contextmanager
def _no_collections() -> Iterator[None]:
    """Half a million objects that all stay: looking through them for garbage takes a second."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
