"""Values to bytes and back: little-endian, lengths first, the same on every machine.

A ``Record`` is a dataclass whose bytes are those of its fields, one after the other, each by its
type in ``CODECS``.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from functools import lru_cache
from typing import Any, Self, TypeVar

_U8, _U32, _I64, _F64 = (struct.Struct(f"<{code}") for code in "BIqd")


class Writer:
    """Appends values to a buffer."""

    def __init__(self) -> None:
        self.data = bytearray()

    def u8(self, value: int) -> None:
        """A small number or a flag."""
        self.data += _U8.pack(value)

    def u32(self, value: int) -> None:
        """A count or an index."""
        self.data += _U32.pack(value)

    def i64(self, value: int) -> None:
        """Any whole number."""
        self.data += _I64.pack(value)

    def f64(self, value: float) -> None:
        """Any number."""
        self.data += _F64.pack(value)

    def blob(self, value: bytes) -> None:
        """Bytes of any length."""
        self.u32(len(value))
        self.data += value

    def text(self, value: str) -> None:
        """Text of any length."""
        self.blob(value.encode())

    def ints(self, values: Sequence[int]) -> None:
        """A list of whole numbers."""
        self.u32(len(values))
        self.data += struct.pack(f"<{len(values)}q", *values)

    def floats(self, values: Sequence[float]) -> None:
        """A list of numbers."""
        self.u32(len(values))
        self.data += struct.pack(f"<{len(values)}d", *values)

    def bits(self, values: Sequence[bool]) -> None:
        """A list of truth values, eight to a byte."""
        self.u32(len(values))
        packed = sum(1 << i for i, value in enumerate(values) if value)
        self.data += packed.to_bytes((len(values) + 7) // 8, "little")

    def pairs(self, values: Sequence[tuple[int, int]]) -> None:
        """A list of pairs of whole numbers."""
        self.ints([number for pair in values for number in pair])

    def fields(self, layout: struct.Struct, *values: Any) -> None:
        """Several values of fixed size at once."""
        self.data += layout.pack(*values)


class Reader:
    """Takes the same values out again, in the same order; ``ValueError`` when there are less."""

    def __init__(self, data: bytes | memoryview) -> None:
        self._data = memoryview(data)
        self._at = 0

    @property
    def finished(self) -> bool:
        """Whether all has been read."""
        return self._at == len(self._data)

    def u8(self) -> int:
        """A small number or a flag."""
        return int(self._one(_U8))

    def u32(self) -> int:
        """A count or an index."""
        return int(self._one(_U32))

    def i64(self) -> int:
        """Any whole number."""
        return int(self._one(_I64))

    def f64(self) -> float:
        """Any number."""
        return float(self._one(_F64))

    def blob(self) -> bytes:
        """Bytes of any length."""
        return bytes(self._take(self.u32()))

    def text(self) -> str:
        """Text of any length."""
        return self.blob().decode()

    def ints(self) -> tuple[int, ...]:
        """A list of whole numbers."""
        count = self.u32()
        return struct.unpack(f"<{count}q", self._take(8 * count))

    def floats(self) -> tuple[float, ...]:
        """A list of numbers."""
        count = self.u32()
        return struct.unpack(f"<{count}d", self._take(8 * count))

    def bits(self) -> tuple[bool, ...]:
        """A list of truth values."""
        count = self.u32()
        return _bits(count, int.from_bytes(self._take((count + 7) // 8), "little"))

    def pairs(self) -> tuple[tuple[int, int], ...]:
        """A list of pairs of whole numbers."""
        numbers = self.ints()
        return tuple(zip(numbers[::2], numbers[1::2], strict=True))

    def fields(self, layout: struct.Struct) -> tuple[Any, ...]:
        """Several values of fixed size at once."""
        return layout.unpack(self._take(layout.size))

    def _one(self, kind: struct.Struct) -> int | float:
        value: int | float
        (value,) = kind.unpack(self._take(kind.size))
        return value

    def _take(self, size: int) -> memoryview:
        if self._at + size > len(self._data):
            raise ValueError("the message is shorter than it says")
        taken = self._data[self._at : self._at + size]
        self._at += size
        return taken


@lru_cache(maxsize=4096)
def _bits(count: int, packed: int) -> tuple[bool, ...]:
    """Labels are few and come again and again."""
    return tuple(bool(packed >> i & 1) for i in range(count))


@dataclass(frozen=True)
class Record:
    """Base of dataclasses that travel."""

    def write(self, out: Writer) -> None:
        """Its bytes."""
        for name, put, _ in _layout(type(self)):
            put(out, getattr(self, name))

    @classmethod
    def read(cls, data: Reader) -> Self:
        """From its bytes."""
        return cls(*(get(data) for _, _, get in _layout(cls)))


Put = Callable[[Writer, Any], None]
Get = Callable[[Reader], Any]

CODECS: dict[str, tuple[Put, Get]] = {
    "bool": (Writer.u8, lambda data: bool(data.u8())),
    "int": (Writer.i64, Reader.i64),
    "float": (Writer.f64, Reader.f64),
    "str": (Writer.text, Reader.text),
    "bytes": (Writer.blob, Reader.blob),
    "tuple[bool, ...]": (Writer.bits, Reader.bits),
    "tuple[int, ...]": (Writer.ints, Reader.ints),
    "tuple[float, ...]": (Writer.floats, Reader.floats),
}
"""How a field of a type, as it is written in the class, travels."""


R = TypeVar("R", bound=Record)


def register(kind: type[R]) -> type[R]:
    """Let a class, and tuples of it, be the type of a field."""
    CODECS[kind.__name__] = (lambda out, record: record.write(out), kind.read)
    CODECS[f"tuple[{kind.__name__}, ...]"] = (_write_all, lambda data: _read_all(kind, data))
    return kind


def _write_all(out: Writer, records: Sequence[Record]) -> None:
    out.u32(len(records))
    for record in records:
        record.write(out)


def _read_all(kind: type[Record], data: Reader) -> tuple[Record, ...]:
    return tuple(kind.read(data) for _ in range(data.u32()))


_LAYOUTS: dict[type, list[tuple[str, Put, Get]]] = {}


def _layout(kind: type[Record]) -> list[tuple[str, Put, Get]]:
    if kind not in _LAYOUTS:
        _LAYOUTS[kind] = [(field.name, *CODECS[str(field.type)]) for field in fields(kind)]
    return _LAYOUTS[kind]
