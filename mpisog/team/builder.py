"""A builder: from messages and finished tasks to messages and new tasks.

It computes nothing itself and never waits: who runs it passes messages to ``receive``, has
threads do the ``tasks`` and sends ``take_messages``, all but the computations under one lock.
The same builder serves threads of one process, ranks of MPI, and tests that run it step by step.
"""

from __future__ import annotations

from typing import Generic, TypeVar

from mpisog.sog.aggregate import Aggregate
from mpisog.sog.aggregate_builder import AggregateBuilder
from mpisog.sog.expansion import WAITING, Expansion
from mpisog.sog.observation import Label
from mpisog.symbolic.protocol import StateSet
from mpisog.team.entry_names import EntryName, EntryNames
from mpisog.team.messages import (
    INITIAL,
    AskInitial,
    AskSuccessors,
    BuiltElsewhere,
    Claim,
    ClaimConflict,
    Found,
    Identity,
    Node,
    NoWork,
    RaisePriority,
    StealRequest,
    StolenWork,
    Successors,
)
from mpisog.team.ownership import ClaimListener, OwnershipDirectory
from mpisog.team.placement import Identified, Partition, make_placement
from mpisog.team.plan import CHECKER, Plan
from mpisog.team.tables import AggregateRecord, Entry, PendingAnswer
from mpisog.team.tasks import Position, Task, Tasks
from mpisog.transport.message import Message

S = TypeVar("S", bound=StateSet)


class Builder(Generic[S]):
    """The builder of one rank for one job."""

    def __init__(self, aggregate_builder: AggregateBuilder[S], plan: Plan) -> None:
        self._aggregate_builder = aggregate_builder
        self._plan = plan
        self.tasks = Tasks(None if plan.alone else plan.quantile(plan.rank))
        self.outbox: list[tuple[int, Message]] = []
        """Somebody waits for these."""
        self.ahead: list[tuple[int, Message]] = []
        """What the checker is told before it asks: it goes along with the rest."""
        self.built = self.edges = self.asked = 0
        partition = Partition(
            aggregate_builder, plan, self.tasks, self.outbox, self._hold, self._drop
        )
        self._placement = make_placement(partition)
        self._held: dict[Identity, AggregateRecord[S]] = {}
        self._early: dict[Identity, set[int]] = {}
        """Modes asked for of aggregates that are still under way to here."""
        self._moved: dict[Identity, int] = {}
        """Who holds what was found here too."""
        self._entries: dict[tuple[S, bool], Entry[S]] = {}
        self._by_key: dict[bytes, Entry[S]] = {}
        listener = ClaimListener(self._claim_conflict, self._built_elsewhere, self._found_elsewhere)
        self._stealing = False
        self._victim = plan.rank
        self._names = EntryNames(aggregate_builder, plan.digest)
        self._ownership = None if plan.alone else OwnershipDirectory(plan, self.outbox, listener)

    @property
    def held(self) -> int:
        """How many aggregates are here."""
        return len(self._held) - (INITIAL in self._held)

    def receive(self, source: int, message: Message) -> None:
        """Take a message."""
        match message:
            case AskInitial():
                self._ask_initial()
            case AskSuccessors(identity, mode):
                self._ask(identity, mode)
            case Claim() | ClaimConflict() | BuiltElsewhere() | Found() if (
                self._ownership is not None
            ):
                self._ownership.receive(source, message)
            case RaisePriority(key):
                self._priority_raised(key)
            case StealRequest():
                self._share_work(source)
            case StolenWork():
                self._take_stolen(source, message)
            case NoWork():
                self._stealing = False
            case _:
                self._placement.receive(source, message)

    def take_messages(self) -> list[tuple[int, Message]]:
        """All that is to be sent."""
        taken = [*self.outbox, *self.ahead]
        self.outbox.clear()
        self.ahead.clear()
        return taken

    def steal(self) -> None:
        """Ask another rank for work; for a rank that has none."""
        others = [rank for rank in self._plan.ranks if rank != self._plan.rank]
        if others and self._plan.eager and not self._stealing:
            self._stealing = True
            self._victim += 1
            self.outbox.append((others[self._victim % len(others)], StealRequest()))

    def _share_work(self, source: int) -> None:
        if not self.tasks.give(source, self._plan.quantile(source)):
            self.outbox.append((source, NoWork()))

    def _give(self, entry: Entry[S], rank: int) -> None:
        entry.given_to = rank
        domain = self._aggregate_builder.domain

        def give(states: bytes) -> None:
            self.outbox.append(
                (rank, StolenWork(entry.name.key, entry.label, entry.urgent, states))
            )

        self.tasks.put(Task("packing", lambda: domain.serialise(entry.states), give), urgent=True)

    def _take_stolen(self, source: int, given: StolenWork) -> None:
        self._stealing = False
        domain = self._aggregate_builder.domain

        def unpack() -> tuple[S, Position]:
            states = domain.deserialise(given.states)
            return states, self._names.position(states)

        def begin(found: tuple[S, Position]) -> None:
            states, position = found
            entry = self._entry(given.label, states, EntryName(given.key, position))
            self._promise(entry, source, given.urgent)
            # Work may come back to who has given it away: then it waits for no other rank any more.
            if entry.node is None and (entry.task is None or entry.given_to is not None):
                entry.given_to = None
                self._begin(entry, entry.urgent)

        self.tasks.put(Task("packing", unpack, begin), urgent=True)

    def _ask_initial(self) -> None:
        observation = self._aggregate_builder.observation
        start = self._aggregate_builder.domain.singleton(observation.net.initial)
        before: Expansion[S] = Expansion({}, {}, [(observation.initial_label(), start)])
        self._know(before, self._new_names(before))
        self._held[INITIAL] = AggregateRecord(INITIAL, None, before)
        self._ask(INITIAL, WAITING)

    def _ask(self, identity: Identity, mode: int) -> None:
        self.asked += 1
        held = self._held.get(identity)
        if held is None and identity in self._moved:
            self.outbox.append((self._moved[identity], AskSuccessors(identity, mode)))
            return
        if held is None:
            self._early.setdefault(identity, set()).add(mode)
            return
        held.asked.add(mode)
        if held.expansion is None:
            self._expand(held, urgent=True)
        else:
            self._follow(held, mode, urgent=True)

    def _hold(self, identity: Identity, aggregate: Aggregate[S]) -> None:
        """From now on this builder tells its successors."""
        if identity in self._held:
            return
        held = AggregateRecord(identity, aggregate, asked=self._early.pop(identity, set()))
        self._held[identity] = held
        if held.asked or self._plan.eager:
            self._expand(held, urgent=bool(held.asked))

    def _drop(self, identity: Identity, holder: int) -> None:
        """That rank tells its successors after all."""
        held = self._held.pop(identity)
        held.dropped = True
        self._moved[identity] = holder
        if held.task is not None:
            self.tasks.withdraw(held.task)
        for mode in held.asked:
            self._ask(identity, mode)

    def _expand(self, held: AggregateRecord[S], urgent: bool) -> None:
        if held.task is not None:
            if urgent:
                self.tasks.raise_priority(held.task)
            return
        aggregate = held.aggregate
        assert aggregate is not None
        held.task = Task(
            "expanding",
            lambda: self._expansion(aggregate),
            lambda found: self._expanded(held, *found),
        )
        self.tasks.put(held.task, urgent)

    def _expansion(self, aggregate: Aggregate[S]) -> tuple[Expansion[S], dict[S, EntryName]]:
        """In a thread: what follows, and names of the entry sets that are new here."""
        expansion = self._aggregate_builder.expand(aggregate)
        return expansion, self._new_names(expansion)

    def _new_names(self, expansion: Expansion[S]) -> dict[S, EntryName]:
        if self._ownership is None:
            return {}
        return {
            states: self._names.name(states)
            for label, states in expansion.all_entries
            if self._aggregate_builder.key(label, states) not in self._entries
        }

    def _know(self, expansion: Expansion[S], names: dict[S, EntryName]) -> None:
        for label, states in expansion.all_entries if names else ():
            self._entry(label, states, names.get(states))

    def _expanded(
        self, held: AggregateRecord[S], expansion: Expansion[S], names: dict[S, EntryName]
    ) -> None:
        if held.dropped:
            return
        self._know(expansion, names)
        held.expansion = expansion
        held.aggregate = None  # its sets are not needed any more
        self.edges += expansion.edges
        for mode in sorted(held.asked):
            self._follow(held, mode, urgent=True)
        if self._plan.eager:
            for mode in expansion.modes(self._aggregate_builder.observation):
                self._follow(held, mode, urgent=False)

    def _follow(self, held: AggregateRecord[S], mode: int, urgent: bool) -> None:
        """See to it that what follows in this mode gets built, and answer when it is."""
        part = held.parts.get(mode) or self._pending(held, mode)
        for entry in part.entries:
            if entry.node is None:
                self._build(entry, urgent)
        self._answer(part)

    def _pending(self, held: AggregateRecord[S], mode: int) -> PendingAnswer[S]:
        assert held.expansion is not None
        found = held.expansion.entries(self._aggregate_builder.observation, mode)
        entries = [self._entry(label, states) for label, states in found]
        waiting = [entry for entry in entries if entry.node is None]
        part = PendingAnswer(held, mode, entries, len(waiting))
        for entry in waiting:
            entry.parts.append(part)
        held.parts[mode] = part
        return part

    def _entry(self, label: Label, states: S, name: EntryName | None = None) -> Entry[S]:
        known = self._aggregate_builder.key(label, states)
        if known not in self._entries:
            entry = Entry(label, states, name or EntryName())
            self._entries[known] = self._by_key[entry.name.key] = entry
        return self._entries[known]

    def _build(self, entry: Entry[S], urgent: bool) -> None:
        """Here, unless another rank does."""
        if entry.task is not None:
            if urgent:
                self._raise_priority(entry)
        elif self._ownership is None:
            self._begin(entry, urgent)
        elif not entry.claimed:
            entry.claimed, entry.urgent = True, urgent
            if self._ownership.claim(entry.name.key, urgent):
                self._begin(entry, urgent)
        elif urgent and not entry.urgent:
            entry.urgent = True
            self._ownership.claim(entry.name.key, urgent)

    def _raise_priority(self, entry: Entry[S]) -> None:
        if entry.task is not None:
            self.tasks.raise_priority(entry.task)
        if entry.given_to is not None and not entry.urgent:
            self.outbox.append((entry.given_to, RaisePriority(entry.name.key)))
        entry.urgent = True

    def _priority_raised(self, key: bytes) -> None:
        if key in self._by_key:  # else it is under way to here, and its giver knows
            self._raise_priority(self._by_key[key])

    def _claim_conflict(self, key: bytes, rank: int, urgent: bool) -> None:
        """Another rank has claimed what this one builds."""
        entry = self._by_key[key]
        if entry.node is None:
            self.outbox.append((rank, BuiltElsewhere(key)))
        self._promise(entry, rank, urgent)

    def _promise(self, entry: Entry[S], rank: int, urgent: bool) -> None:
        """Tell that rank what is found, now or later."""
        if entry.node is not None:
            self.outbox.append((rank, Found(entry.name.key, entry.node)))
            return
        entry.wanted_by.add(rank)
        if urgent:
            self._raise_priority(entry)

    def _built_elsewhere(self, key: bytes) -> None:
        """Another rank builds it, unless we have begun, or are to build it in another's place."""
        entry = self._by_key[key]
        if entry.task is None or entry.task.begun or entry.wanted_by:
            return
        self.tasks.withdraw(entry.task)
        entry.task = None
        if entry.urgent and self._ownership is not None:
            self._ownership.claim(key, urgent=True)

    def _found_elsewhere(self, key: bytes, node: Node) -> None:
        entry = self._by_key.get(key)
        if entry is not None and entry.node is None:
            self._complete(entry, node)

    def _begin(self, entry: Entry[S], urgent: bool) -> None:
        entry.task = Task(
            "building",
            lambda: self._find(entry),
            lambda found: self._found(entry, *found),
            lambda rank: self._give(entry, rank),
            entry.name.position,
        )
        self.tasks.put(entry.task, urgent)

    def _find(self, entry: Entry[S]) -> tuple[Aggregate[S], tuple[int, ...], Identified]:
        """In a thread: the aggregate, its events, and what placing it needs."""
        aggregate = self._aggregate_builder.build(entry.label, entry.states)
        events = self._aggregate_builder.ready_events(aggregate)
        return aggregate, events, self._placement.identify(entry.label, entry.states, aggregate)

    def _found(
        self,
        entry: Entry[S],
        aggregate: Aggregate[S],
        events: tuple[int, ...],
        identified: Identified,
    ) -> None:
        self.built += 1
        if entry.node is not None:
            return  # another rank was faster

        def placed(identity: Identity, holder: int) -> None:
            node = Node(identity, holder, aggregate.can_stutter, aggregate.label, events)
            self._complete(entry, node)

        self._placement.place(aggregate, identified, placed)

    def _complete(self, entry: Entry[S], node: Node) -> None:
        entry.node = node
        if entry.task is not None:
            self.tasks.withdraw(entry.task)
            entry.task = None
        entry.name = EntryName(entry.name.key)  # its position is not needed any more
        for part in entry.parts:
            part.missing -= 1
            self._answer(part)
        entry.parts = []
        self.outbox += [(rank, Found(entry.name.key, node)) for rank in entry.wanted_by]
        entry.wanted_by = set()

    def _answer(self, part: PendingAnswer[S]) -> None:
        """Tell the checker when all is there: if it has asked, or at once by a builder ahead."""
        held, mode = part.held, part.mode
        asked = mode in held.asked
        if part.missing or part.told or held.dropped or not (asked or self._plan.eager):
            return
        part.told = True
        held.asked.discard(mode)
        assert held.expansion is not None
        nodes = {node.identity: node for entry in part.entries if (node := entry.node) is not None}
        waited = tuple(held.expansion.waited) if mode == WAITING else ()
        answer = Successors(held.identity, mode, waited, tuple(nodes.values()))
        (self.outbox if asked else self.ahead).append((CHECKER, answer))
