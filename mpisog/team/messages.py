"""All that travels between the ranks of a team."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from struct import Struct
from typing import NamedTuple

from mpisog.errors import MessageError
from mpisog.team.job_spec import JobSpec
from mpisog.team.statistics import RankReport
from mpisog.transport.codec import Digest, Reader, Writer, register
from mpisog.transport.message import Message

Identity = Digest
"""Tells an aggregate from all others, on every rank."""

INITIAL: Identity = bytes(16)
"""Stands for "before the initial aggregate" in the answer to ``AskInitial``."""


@register
class Node(NamedTuple):
    """All that the checker knows of an aggregate; ``holder`` is who can tell its successors."""

    identity: Digest
    holder: int
    can_stutter: bool
    label: tuple[bool, ...]
    ready_events: tuple[int, ...]

    def write(self, out: Writer) -> None:
        """Its bytes: most of what travels."""
        traits = _packed_traits(self.label, self.ready_events)
        out.fields(_NODE, self.identity, self.holder, self.can_stutter, len(traits))
        out.data += traits

    @classmethod
    def read(cls, data: Reader) -> Node:
        """From its bytes."""
        identity, holder, can_stutter, size = data.fields(_NODE)
        return cls(identity, holder, can_stutter, *_traits(data.take(size)))


_NODE = Struct("<16si?I")


@lru_cache(maxsize=4096)
def _packed_traits(label: tuple[bool, ...], events: tuple[int, ...]) -> bytes:
    """Many nodes have the same."""
    out = Writer()
    out.bits(label)
    out.ints(events)
    return bytes(out.data)


@lru_cache(maxsize=4096)
def _traits(packed: bytes) -> tuple[tuple[bool, ...], tuple[int, ...]]:
    data = Reader(packed)
    label, events = data.bits(), data.ints()
    if not data.finished:
        raise MessageError("the message has an aggregate of another size")
    return label, events


@dataclass(frozen=True)
class Start(Message):
    """Rank 0 to all builders: a new job."""

    tag = 1
    job_spec: JobSpec


@dataclass(frozen=True)
class AskInitial(Message):
    """Rank 0 to the first builder; the answer is ``Successors`` of ``INITIAL``."""

    tag = 2


@dataclass(frozen=True)
class AskSuccessors(Message):
    """Rank 0 to the holder of an aggregate: what follows when it is left in a mode.

    Passed on by a rank that has found it too, but does not hold it after all.
    """

    tag = 3
    identity: Digest
    mode: int


@dataclass(frozen=True)
class Successors(Message):
    """The answer: the aggregates that follow, and the events that can be waited for."""

    tag = 4
    identity: Digest
    mode: int
    waited_events: tuple[int, ...]
    nodes: tuple[Node, ...]


@dataclass(frozen=True)
class Deliver(Message):
    """Builder to builder: an aggregate that the other one is to hold, in canonical bytes.

    From finder to owner, or from a builder that is full to one with room.
    """

    tag = 5
    identity: Digest
    body: bytes


@dataclass(frozen=True)
class Register(Message):
    """Builder to owner: I have found this aggregate and hold it."""

    tag = 6
    identity: Digest


@dataclass(frozen=True)
class Registered(Message):
    """The answer where another rank has found it before: that one holds it."""

    tag = 7
    identity: Digest
    holder: int


@dataclass(frozen=True)
class Claim(Message):
    """Builder to owner of an entry set: the sender builds its aggregate. Again when urgent."""

    tag = 8
    key: Digest
    urgent: bool


@dataclass(frozen=True)
class ClaimConflict(Message):
    """Owner to the builder of an entry set: this rank has claimed it too."""

    tag = 9
    key: Digest
    rank: int
    urgent: bool


@dataclass(frozen=True)
class BuiltElsewhere(Message):
    """Builder of an entry set to another who has claimed it: leave it to me."""

    tag = 10
    key: Digest


@dataclass(frozen=True)
class Found(Message):
    """Builder of an entry set to who waits for it: its aggregate."""

    tag = 11
    key: Digest
    node: Node


@dataclass(frozen=True)
class RaisePriority(Message):
    """Builder to another that builds in its place: the checker waits for it."""

    tag = 12
    key: Digest


@dataclass(frozen=True)
class StealRequest(Message):
    """Builder to builder: I have nothing to do; the answer is ``StolenWork``, or ``NoWork``."""

    tag = 13


@dataclass(frozen=True)
class StolenWork(Message):
    """The answer: build the aggregate of this entry set in my place."""

    tag = 14
    key: Digest
    label: tuple[bool, ...]
    urgent: bool
    states: bytes


@dataclass(frozen=True)
class NoWork(Message):
    """The answer: there is nothing to give."""

    tag = 15


@dataclass(frozen=True)
class Progress(Message):
    """Builder to rank 0, now and then: how it stands."""

    tag = 16
    report: RankReport


@dataclass(frozen=True)
class Failure(Message):
    """Builder to rank 0: a limit was reached, or something is broken."""

    tag = 17
    is_limit: bool
    reason: str


@dataclass(frozen=True)
class Terminate(Message):
    """Rank 0 to all builders: the job is over; each answers with ``Ended``."""

    tag = 18


@dataclass(frozen=True)
class Ended(Message):
    """Builder to rank 0: the job is over here too, and this is what was done."""

    tag = 19
    report: RankReport


@dataclass(frozen=True)
class Quit(Message):
    """Rank 0 to all builders: the run is over, end with this exit code."""

    tag = 20
    exit_code: int


@dataclass(frozen=True)
class Leave(Message):
    """The answer: this rank ends."""

    tag = 21


@dataclass(frozen=True)
class Room(Message):
    """Builder to all others: how full it is, from 0 to 8, which is full."""

    tag = 22
    level: int
