"""All that travels between ranks: one class a message; its fields, in order, are its bytes.

A packet is a list of messages to one rank, small ones together. It carries the number of the job
(the formula) it belongs to, so that what is still under way when a job ends is known for what it
is.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from struct import Struct
from typing import ClassVar

from mpisog.dist.assignment import Assignment
from mpisog.dist.codec import Reader, Record, Writer, register
from mpisog.dist.statistics import RankReport

Identity = bytes
"""16 bytes that tell an aggregate from all others, on every rank."""

_NODE = Struct("<16si?I")

INITIAL: Identity = b""
"""Stands for "before the initial aggregate" in the answer to ``AskInitial``."""


@register
@dataclass(frozen=True)
class Node(Record):
    """All that the checker knows of an aggregate; ``holder`` is who can tell its successors."""

    identity: bytes
    holder: int
    label: tuple[bool, ...]
    can_stutter: bool
    ready_events: tuple[int, ...]

    def write(self, out: Writer) -> None:
        """Its bytes: most of what travels."""
        out.data += self._packed

    @cached_property
    def _packed(self) -> bytes:
        """Made once, because a node follows several others."""
        out, events = Writer(), self.ready_events
        out.fields(_NODE, self.identity, self.holder, self.can_stutter, len(events))
        out.bits(self.label)
        if events:
            out.ints(events)
        return bytes(out.data)

    @classmethod
    def read(cls, data: Reader) -> Node:
        """From its bytes."""
        identity, holder, can_stutter, events = data.fields(_NODE)
        return cls(identity, holder, data.bits(), can_stutter, data.ints() if events else ())


@dataclass(frozen=True)
class Message(Record):
    """Base of all messages; the tags are the numbers on the wire."""

    tag: ClassVar[int]


@dataclass(frozen=True)
class Start(Message):
    """Rank 0 to all builders: a new job."""

    tag = 1
    assignment: Assignment


@dataclass(frozen=True)
class AskInitial(Message):
    """Rank 0 to the first builder; the answer is ``Successors`` of ``INITIAL``."""

    tag = 2


@dataclass(frozen=True)
class AskSuccessors(Message):
    """Rank 0 to the holder of an aggregate: what follows when it is left in a mode."""

    tag = 3
    identity: bytes
    mode: int


@dataclass(frozen=True)
class Successors(Message):
    """The answer: the aggregates that follow, and the events that can be waited for."""

    tag = 4
    identity: bytes
    mode: int
    waited_events: tuple[int, ...]
    nodes: tuple[Node, ...]


@dataclass(frozen=True)
class Deliver(Message):
    """Builder to builder: an aggregate that the other one is to hold, in canonical bytes."""

    tag = 5
    identity: bytes
    body: bytes


@dataclass(frozen=True)
class Register(Message):
    """Builder to owner: who holds this aggregate? I have found it."""

    tag = 6
    identity: bytes


@dataclass(frozen=True)
class Registered(Message):
    """The answer: this rank does."""

    tag = 7
    identity: bytes
    holder: int


@dataclass(frozen=True)
class Claim(Message):
    """Builder to owner of an entry set: may I build what is behind it? Again when it is urgent."""

    tag = 8
    key: bytes
    urgent: bool


@dataclass(frozen=True)
class Granted(Message):
    """The answer to the first who asks: build."""

    tag = 9
    key: bytes


@dataclass(frozen=True)
class Found(Message):
    """Builder to owner, owner to those who asked later: what is behind the entry set."""

    tag = 10
    key: bytes
    node: Node


@dataclass(frozen=True)
class Hurry(Message):
    """Owner to the builder of an entry set: somebody waits for it."""

    tag = 11
    key: bytes


@dataclass(frozen=True)
class Starving(Message):
    """Builder to builder: I have nothing to do; the answer is ``Give``, or ``Nothing``."""

    tag = 12


@dataclass(frozen=True)
class Give(Message):
    """The answer: build what is behind this entry set in my place."""

    tag = 13
    key: bytes
    label: tuple[bool, ...]
    urgent: bool
    states: bytes


@dataclass(frozen=True)
class Nothing(Message):
    """The answer: there is nothing to give."""

    tag = 14


@dataclass(frozen=True)
class Progress(Message):
    """Builder to rank 0, now and then: how it stands."""

    tag = 15
    report: RankReport


@dataclass(frozen=True)
class Failure(Message):
    """Builder to rank 0: a limit was reached, or something is broken."""

    tag = 16
    is_limit: bool
    reason: str


@dataclass(frozen=True)
class Terminate(Message):
    """Rank 0 to all builders: the job is over; each answers with ``Ended``."""

    tag = 17


@dataclass(frozen=True)
class Ended(Message):
    """Builder to rank 0: the job is over here too, and this is what was done."""

    tag = 18
    report: RankReport


@dataclass(frozen=True)
class Quit(Message):
    """Rank 0 to all builders: the run is over, end with this exit code."""

    tag = 19
    exit_code: int


_KINDS: dict[int, type[Message]] = {kind.tag: kind for kind in Message.__subclasses__()}


def encode(job: int, messages: Iterable[Message]) -> bytes:
    """A packet."""
    out = Writer()
    out.u32(job)
    for message in messages:
        out.u8(message.tag)
        message.write(out)
    return bytes(out.data)


def decode(packet: bytes) -> tuple[int, list[Message]]:
    """The job and the messages of a packet."""
    data = Reader(packet)
    job = data.u32()
    messages = []
    while not data.finished:
        messages.append(_KINDS[data.u8()].read(data))
    return job, messages
