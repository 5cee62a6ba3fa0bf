"""Values to bytes and back: little-endian, lengths first, the same on every machine.

A ``Record`` is a dataclass whose bytes are those of its fields, one after the other: what is always
of the same size by its type in ``FIXED``, neighbours at once, and the rest by ``CODECS``.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import lru_cache
from itertools import groupby
from typing import Any, Protocol, Self, TypeVar

from mpisog.errors import MessageError

_U8, _U32, _I64, _F64 = (struct.Struct(f"<{code}") for code in "BIqd")

Digest = bytes
"""Of 16 bytes."""

Value = bool | int | float | str | None
"""Of a setting or a figure."""

_VALUE_TYPES: tuple[type, ...] = (type(None), bool, int, float, str)


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

    def texts(self, values: Sequence[str]) -> None:
        """A list of texts."""
        self.u32(len(values))
        for value in values:
            self.text(value)

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
        packed = bytearray((len(values) + 7) // 8)
        for i, value in enumerate(values):
            if value:
                packed[i >> 3] |= 1 << (i & 7)
        self.data += packed

    def pairs(self, values: Sequence[tuple[int, int]]) -> None:
        """A list of pairs of whole numbers."""
        self.ints([number for pair in values for number in pair])

    def values(self, items: Mapping[str, Value]) -> None:
        """Values by name, each with its type."""
        self.u32(len(items))
        for name, value in items.items():
            self.text(name)
            self.u8(_VALUE_TYPES.index(type(value)))
            if isinstance(value, float):
                self.f64(value)
            elif isinstance(value, str):
                self.text(value)
            else:
                self.text("" if value is None else str(int(value)))

    def fields(self, layout: struct.Struct, *values: Any) -> None:
        """Several values of fixed size at once."""
        self.data += layout.pack(*values)


class Reader:
    """Takes the same values out again, in the same order.

    Bytes that are no such values end in a ``MessageError``, before memory is taken for them.
    """

    __slots__ = ("_at", "_data")

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    @property
    def finished(self) -> bool:
        """Whether all has been read."""
        return self._at == len(self._data)

    def u8(self) -> int:
        """A small number or a flag."""
        return int(self.fields(_U8)[0])

    def u32(self) -> int:
        """A count or an index."""
        return int(self.fields(_U32)[0])

    def i64(self) -> int:
        """Any whole number."""
        return int(self.fields(_I64)[0])

    def f64(self) -> float:
        """Any number."""
        return float(self.fields(_F64)[0])

    def blob(self) -> bytes:
        """Bytes of any length."""
        return self.take(self.u32())

    def take(self, size: int) -> bytes:
        """Bytes of a length that is known."""
        self._require(size)
        start, self._at = self._at, self._at + size
        return self._data[start : self._at]

    def text(self) -> str:
        """Text of any length."""
        try:
            return self.blob().decode()
        except UnicodeDecodeError:
            raise MessageError("the message has text that is not UTF-8") from None

    def texts(self) -> tuple[str, ...]:
        """A list of texts."""
        return tuple([self.text() for _ in range(self.u32())])

    def ints(self) -> tuple[int, ...]:
        """A list of whole numbers."""
        return self._row("q")

    def floats(self) -> tuple[float, ...]:
        """A list of numbers."""
        return self._row("d")

    def bits(self) -> tuple[bool, ...]:
        """A list of truth values."""
        count = self.u32()
        packed = self.take((count + 7) // 8)
        return tuple([bool(byte >> i & 1) for byte in packed for i in range(8)][:count])

    def pairs(self) -> tuple[tuple[int, int], ...]:
        """A list of pairs of whole numbers."""
        numbers = self.ints()
        if len(numbers) % 2:
            raise MessageError("the message has half a pair")
        return tuple(zip(numbers[::2], numbers[1::2], strict=True))

    def values(self) -> dict[str, Value]:
        """Values by name."""
        return {self.text(): self._value() for _ in range(self.u32())}

    def _value(self) -> Value:
        kind = self.u8()
        if kind >= len(_VALUE_TYPES):
            raise MessageError("the message has a value of an unknown type")
        found = _VALUE_TYPES[kind]
        if found is float:
            return self.f64()
        text = self.text()
        if found is str:
            return text
        if found is type(None):
            return None
        try:
            return bool(int(text)) if found is bool else int(text)
        except ValueError:
            raise MessageError("the message has a number that is none") from None

    def fields(self, layout: struct.Struct) -> tuple[Any, ...]:
        """Several values of fixed size at once."""
        start, self._at = self._at, self._at + layout.size
        try:
            return layout.unpack_from(self._data, start)
        except struct.error:
            raise MessageError(_TOO_SHORT) from None

    def _row(self, code: str) -> tuple[Any, ...]:
        count = self.u32()
        self._require(8 * count)
        return self.fields(_row(code, count)) if count else ()

    def _require(self, size: int) -> None:
        if self._at + size > len(self._data):
            raise MessageError(_TOO_SHORT)


_TOO_SHORT = "the message is shorter than it says"


@lru_cache(maxsize=4096)
def _row(code: str, count: int) -> struct.Struct:
    return struct.Struct(f"<{count}{code}")


@dataclass(frozen=True)
class Record:
    """Base of dataclasses that travel."""

    def write(self, out: Writer) -> None:
        """Its bytes."""
        for put, _ in _layout(type(self)):
            put(out, self)

    @classmethod
    def read(cls, data: Reader) -> Self:
        """From its bytes."""
        values: list[Any] = []
        for _, get in _layout(cls):
            values += get(data)
        return cls(*values)


Put = Callable[[Writer, Any], None]
Get = Callable[[Reader], Any]

FIXED = {"bool": "?", "int": "q", "float": "d", "Digest": "16s"}
"""Codes of the types, as they are written in the class, whose values have always the same size."""

CODECS: dict[str, tuple[Put, Get]] = {
    "str": (Writer.text, Reader.text),
    "bytes": (Writer.blob, Reader.blob),
    "tuple[str, ...]": (Writer.texts, Reader.texts),
    "tuple[bool, ...]": (Writer.bits, Reader.bits),
    "tuple[int, ...]": (Writer.ints, Reader.ints),
    "tuple[float, ...]": (Writer.floats, Reader.floats),
}
"""How a field of another type travels."""


class Travelling(Protocol):
    """What can be written and read, a record or not."""

    def write(self, out: Writer) -> None:
        """Its bytes."""

    @classmethod
    def read(cls, data: Reader) -> Self:
        """From its bytes."""


R = TypeVar("R", bound=Travelling)


def register(kind: type[R]) -> type[R]:
    """Let a class, and tuples of it, be the type of a field."""
    CODECS[kind.__name__] = (lambda out, record: record.write(out), kind.read)
    CODECS[f"tuple[{kind.__name__}, ...]"] = (_write_all, lambda data: _read_all(kind, data))
    return kind


def _write_all(out: Writer, records: Sequence[Travelling]) -> None:
    out.u32(len(records))
    for record in records:
        record.write(out)


def _read_all(kind: type[Travelling], data: Reader) -> tuple[Travelling, ...]:
    return tuple([kind.read(data) for _ in range(data.u32())])


Part = tuple[Put, Callable[[Reader], Sequence[Any]]]
"""How to write a part of a record, and to read the values of that part."""

_LAYOUTS: dict[type, list[Part]] = {}


def _layout(kind: type[Record]) -> list[Part]:
    if kind not in _LAYOUTS:
        _LAYOUTS[kind] = _parts(kind)
    return _LAYOUTS[kind]


def _parts(kind: type[Record]) -> list[Part]:
    parts: list[Part] = []
    for is_fixed, group in groupby(fields(kind), key=lambda field: str(field.type) in FIXED):
        members = [(field.name, str(field.type)) for field in group]
        parts += [_fixed(members)] if is_fixed else [_varying(*member) for member in members]
    return parts


def _fixed(members: list[tuple[str, str]]) -> Part:
    layout = struct.Struct("<" + "".join(FIXED[kind] for _, kind in members))
    names = [name for name, _ in members]

    def put(out: Writer, record: Record) -> None:
        out.data += layout.pack(*[getattr(record, name) for name in names])

    return put, lambda data: data.fields(layout)


def _varying(name: str, kind: str) -> Part:
    put, get = CODECS[kind]
    return lambda out, record: put(out, getattr(record, name)), lambda data: (get(data),)
