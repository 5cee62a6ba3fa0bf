"""The tables of a builder: entry sets, aggregates, and what waits for what."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Generic, TypeVar

from mpisog.sog.aggregate import Aggregate
from mpisog.sog.expansion import Expansion
from mpisog.sog.observation import Label
from mpisog.symbolic.protocol import StateSet
from mpisog.team.entry_names import EntryName
from mpisog.team.messages import Identity, Node
from mpisog.team.tasks import Task

S = TypeVar("S", bound=StateSet)


@dataclass(eq=False)
class Entry(Generic[S]):
    """An entry set on its way to the aggregate behind it."""

    label: Label
    states: S
    name: EntryName
    node: Node | None = None
    task: Task | None = None
    claimed: bool = False
    urgent: bool = False
    wanted_by: set[int] = field(default_factory=set)
    """The ranks that wait to hear what is found."""
    given_to: int | None = None
    """The rank that builds it in our place."""
    parts: list[PendingAnswer[S]] = field(default_factory=list)
    """Those that wait for it."""


@dataclass(eq=False)
class AggregateRecord(Generic[S]):
    """An aggregate whose successors this builder tells, or what is before the initial one."""

    identity: Identity
    aggregate: Aggregate[S] | None
    expansion: Expansion[S] | None = None
    task: Task | None = None
    parts: dict[int, PendingAnswer[S]] = field(default_factory=dict)
    asked: set[int] = field(default_factory=set)
    """Modes that the checker waits for."""
    dropped: bool = False
    """Another rank holds it."""


@dataclass(eq=False)
class PendingAnswer(Generic[S]):
    """What follows an aggregate in one mode."""

    held: AggregateRecord[S]
    mode: int
    entries: list[Entry[S]]
    missing: int
    told: bool = False
