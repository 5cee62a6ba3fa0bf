"""Files compressed with gzip or xz, told by their first bytes, read as a stream.

A small file can unpack to terabytes. So reading stops with an error where there is more than any
net needs, or far more than files of text unpack to; neither takes much memory or time to notice.
"""

from __future__ import annotations

import gzip
import io
import lzma
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

from mpisog.errors import NetError

SUFFIXES = (".gz", ".xz")
"""Of files that are written compressed."""

MOST_BYTES = 2**30
"""Unpacked."""
MOST_TIMES = 400
"""The size of the file, unpacked; regular nets reach 100. For what is larger than ``SMALL``."""
SMALL = 2**24
_DICTIONARY = 2**27
"""Memory for unpacking xz; its highest preset takes half of that."""

_CHUNK = 2**16
_UNPACKERS: dict[bytes, Callable[[], Any]] = {
    b"\x1f\x8b": lambda: zlib.decompressobj(31),
    b"\xfd7zXZ\0": lambda: lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=_DICTIONARY),
}


def unpacked(stream: IO[bytes]) -> IO[bytes]:
    """What a seekable stream holds, itself or unpacked; seekable to its start again."""
    head = stream.read(6)
    stream.seek(0)
    for magic, make in _UNPACKERS.items():
        if head.startswith(magic):
            return io.BufferedReader(_Unpacking(stream, magic, make), _CHUNK)
    return stream


def read_bytes(path: str | Path) -> bytes:
    """A whole file, unpacked where it is compressed."""
    with Path(path).open("rb") as stream:
        return unpacked(stream if stream.seekable() else io.BytesIO(stream.read())).read()


def packing(stream: IO[bytes], suffix: str) -> gzip.GzipFile | lzma.LZMAFile:
    """A stream to write to that compresses; close it, the one behind it stays open."""
    if suffix == ".gz":  # without name and time: the same net gives the same bytes
        return gzip.GzipFile("", "wb", fileobj=stream, mtime=0)
    return lzma.LZMAFile(stream, "wb")


class _Unpacking(io.RawIOBase):
    """Several compressed streams one after the other are one, as for the programs of that name."""

    def __init__(self, stream: IO[bytes], magic: bytes, make: Callable[[], Any]) -> None:
        self._stream = stream
        self._magic = magic
        self._make = make
        self._restart()

    def _restart(self) -> None:
        self._stream.seek(0)
        self._unpacker = self._make()
        self._packed = b""
        self._taken = self._given = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        if offset or whence != io.SEEK_SET:
            raise io.UnsupportedOperation("only the start can be gone back to")
        self._restart()
        return 0

    def tell(self) -> int:
        return self._given

    def readinto(self, buffer: Any) -> int:
        view = memoryview(buffer).cast("B")
        try:
            data = self._next(len(view))
        except (zlib.error, lzma.LZMAError) as error:
            reason = "it needs too much memory" if "limit" in str(error) else str(error)
            raise NetError(f"the compressed file cannot be unpacked: {reason}") from None
        self._count(len(data))
        view[: len(data)] = data
        return len(data)

    def _next(self, most: int) -> bytes:
        """At least one byte, unless all has been given."""
        while True:
            if self._unpacker.eof and not self._next_stream():
                return b""
            data = self._unpack(most)
            if data:
                return data

    def _unpack(self, most: int) -> bytes:
        if not self._packed and getattr(self._unpacker, "needs_input", True):
            self._packed = self._stream.read(_CHUNK)
            self._taken += len(self._packed)
            if not self._packed:
                raise zlib.error("it ends too early")
        data: bytes = self._unpacker.decompress(self._packed, most)
        # zlib hands back what it has not used, lzma keeps it.
        self._packed = getattr(self._unpacker, "unconsumed_tail", b"")
        return data

    def _next_stream(self) -> bool:
        """Whether another compressed stream follows the one that has ended."""
        rest = self._unpacker.unused_data or self._packed
        while len(rest) < len(self._magic) and (more := self._stream.read(_CHUNK)):
            self._taken += len(more)
            rest += more
        if not rest.strip(b"\0"):  # both formats may be padded
            return self._only_padding()
        if not rest.startswith(self._magic):
            raise zlib.error("something else follows it")
        self._unpacker, self._packed = self._make(), rest
        return True

    def _only_padding(self) -> bool:
        while more := self._stream.read(_CHUNK):
            if more.strip(b"\0"):
                raise zlib.error("something else follows it")
        return False

    def _count(self, size: int) -> None:
        self._given += size
        if self._given > MOST_BYTES:
            raise NetError(f"the compressed file has more than {MOST_BYTES} bytes when unpacked")
        if self._given > max(SMALL, MOST_TIMES * self._taken):
            message = f"the compressed file unpacks to more than {MOST_TIMES} times its size"
            raise NetError(message, hint="unpack it first if it is a net")
