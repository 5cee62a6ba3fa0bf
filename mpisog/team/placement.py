"""Who holds an aggregate that was found: the placements that can be compared.

A thread first gives the aggregate its identity (``identify``, outside the lock). ``place`` then
finds out its holder and tells that; where the holder is another rank, the aggregate goes there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from mpisog.errors import InternalError
from mpisog.sog.aggregate import Aggregate
from mpisog.sog.aggregate_builder import AggregateBuilder
from mpisog.sog.observation import Label
from mpisog.symbolic.protocol import StateSet
from mpisog.team.aggregate_bytes import identity_of, pack, pack_sparse, unpack
from mpisog.team.messages import Deliver, Identity, Register, Registered
from mpisog.team.plan import Plan
from mpisog.team.tasks import Task, Tasks
from mpisog.transport.message import Message

S = TypeVar("S", bound=StateSet)

Placed = Callable[[Identity, int], None]
"""Called with the identity and the holder, when both are known."""


@dataclass(frozen=True)
class Identified:
    """An identity, and the bytes for the holder where they are at hand."""

    identity: Identity
    body: bytes = b""


@dataclass
class Partition(Generic[S]):
    """A builder's part of the graph: its tasks, its messages, and how it holds an aggregate."""

    aggregate_builder: AggregateBuilder[S]
    plan: Plan
    tasks: Tasks
    outbox: list[tuple[int, Message]]
    hold: Callable[[Identity, Aggregate[S]], None]
    drop: Callable[[Identity, int], None]
    """What is held by that rank after all."""


class SinglePlacement(Generic[S]):
    """The only builder holds everything; identities are mere numbers."""

    def __init__(self, partition: Partition[S]) -> None:
        self._partition = partition
        self._identities: dict[Aggregate[S], Identity] = {}

    def identify(self, label: Label, entry: S, aggregate: Aggregate[S]) -> Identified:
        """Nothing to do: numbers are given in turn."""
        return Identified(b"")

    def place(self, aggregate: Aggregate[S], _identified: Identified, placed: Placed) -> None:
        """Here."""
        number = (len(self._identities) + 1).to_bytes(16, "little")  # zero is ``INITIAL``
        identity = self._identities.setdefault(aggregate, number)
        self._partition.hold(identity, aggregate)
        placed(identity, self._partition.plan.rank)

    def receive(self, source: int, message: Message) -> None:
        """Nobody is there who could send anything."""
        raise InternalError(f"a lone builder cannot take {type(message).__name__}")


class CanonicalPlacement(Generic[S]):
    """The owner holds the aggregate and gets its canonical subset, once from each finder."""

    def __init__(self, partition: Partition[S]) -> None:
        self._partition = partition
        self._identities: dict[Aggregate[S], Identity] = {}
        self._sent: set[Identity] = set()

    def identify(self, label: Label, entry: S, aggregate: Aggregate[S]) -> Identified:
        """Identity, and the bytes for the owner unless they are not needed."""
        plan, aggregate_builder = self._partition.plan, self._partition.aggregate_builder
        known = self._identities.get(aggregate)
        if known is not None:
            return Identified(known)
        identity = identity_of(aggregate_builder.domain, aggregate, plan.digest)
        if plan.owner(identity) == plan.rank:
            return Identified(identity)
        sparse = pack_sparse(aggregate_builder, label, entry)
        return Identified(identity, sparse or pack(aggregate_builder.domain, aggregate))

    def place(self, aggregate: Aggregate[S], identified: Identified, placed: Placed) -> None:
        """With the owner."""
        identity, body = identified.identity, identified.body
        self._identities[aggregate] = identity
        owner = self._partition.plan.owner(identity)
        if owner == self._partition.plan.rank:
            self._partition.hold(identity, aggregate)
        elif identity not in self._sent:
            self._sent.add(identity)
            self._partition.outbox.append((owner, Deliver(identity, body)))
        placed(identity, owner)

    def receive(self, source: int, message: Message) -> None:
        """An aggregate from its finder."""
        if not isinstance(message, Deliver):
            raise InternalError(f"an owner cannot take {type(message).__name__}")
        partition = self._partition
        task = Task(
            "packing",
            lambda: unpack(partition.aggregate_builder, message.body),
            lambda aggregate: partition.hold(message.identity, aggregate),
        )
        partition.tasks.put(task, urgent=True)


class FinderPlacement(Generic[S]):
    """The first finder holds the aggregate; the owner knows who that is.

    The finder goes on as if it were the first: it mostly is. The owner tells it otherwise.
    """

    def __init__(self, partition: Partition[S]) -> None:
        self._partition = partition
        self._identities: dict[Aggregate[S], Identity] = {}
        self._holders: dict[Identity, int] = {}
        """Of what we own, and of what we have found."""

    def identify(self, label: Label, entry: S, aggregate: Aggregate[S]) -> Identified:
        """Its identity."""
        known = self._identities.get(aggregate)
        if known is not None:
            return Identified(known)
        domain, algorithm = self._partition.aggregate_builder.domain, self._partition.plan.digest
        return Identified(identity_of(domain, aggregate, algorithm))

    def place(self, aggregate: Aggregate[S], identified: Identified, placed: Placed) -> None:
        """Here, unless we know that another rank has it."""
        identity, partition = identified.identity, self._partition
        self._identities[aggregate] = identity
        if identity not in self._holders:
            self._holders[identity] = partition.plan.rank
            partition.hold(identity, aggregate)
            owner = partition.plan.owner(identity)
            if owner != partition.plan.rank:
                partition.outbox.append((owner, Register(identity)))
        placed(identity, self._holders[identity])

    def receive(self, source: int, message: Message) -> None:
        """For the owner, and from it."""
        match message:
            case Register(identity):
                holder = self._holders.setdefault(identity, source)
                if holder != source:
                    self._partition.outbox.append((source, Registered(identity, holder)))
            case Registered(identity, holder):
                self._holders[identity] = holder
                self._partition.drop(identity, holder)
            case _:
                raise InternalError(f"an owner cannot take {type(message).__name__}")


Placement = SinglePlacement[S] | CanonicalPlacement[S] | FinderPlacement[S]


def make_placement(partition: Partition[S]) -> Placement[S]:
    """The placing of the plan."""
    if partition.plan.builders == 1:
        return SinglePlacement(partition)
    return (
        FinderPlacement(partition)
        if partition.plan.placement == "finder"
        else CanonicalPlacement(partition)
    )
