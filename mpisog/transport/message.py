"""What a packet is: messages of one sender, with the number of the job they belong to.

A message is a class; its fields, in order, are its bytes. What is still under way when a job ends
is known by the job's number.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from mpisog.errors import MessageError
from mpisog.transport.codec import Reader, Record, Writer

_KINDS: dict[int, type[Message]] = {}


@dataclass(frozen=True)
class Message(Record):
    """Base of all messages; the tags are the numbers on the wire."""

    tag: ClassVar[int]

    def __init_subclass__(cls) -> None:
        assert cls.tag not in _KINDS, f"two messages have the number {cls.tag}"
        _KINDS[cls.tag] = cls


def encode(job: int, messages: Iterable[Message]) -> bytes:
    """A packet."""
    out = Writer()
    out.u32(job)
    for message in messages:
        out.u8(message.tag)
        message.write(out)
    return bytes(out.data)


def job_of(packet: bytes) -> int:
    """The job of a packet, without a look at its messages."""
    return Reader(packet).u32()


def first_tag(packet: bytes) -> int | None:
    """What the first message of a packet is; nothing where there is none."""
    return packet[4] if len(packet) > 4 else None


def decode(packet: bytes) -> tuple[int, list[Message]]:
    """The job and the messages of a packet; ``MessageError`` for bytes that are none."""
    data = Reader(packet)
    job = data.u32()
    messages: list[Message] = []
    while not data.finished:
        tag = data.u8()
        if tag not in _KINDS:
            raise MessageError(f"there is no message with the number {tag}")
        messages.append(_KINDS[tag].read(data))
    return job, messages
