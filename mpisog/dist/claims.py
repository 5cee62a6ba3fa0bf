"""Who builds the aggregate behind an entry set: the rank that finds it first.

Entry sets have keys, the same on every rank, and the key's owner keeps the books: it grants the
first claim, and whoever comes later is told what was found. Without that, ranks that expand
neighbours would all build what follows both.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from mpisog.dist.messages import Claim, Found, Granted, Hurry, Message, Node
from mpisog.dist.plan import Plan

ClaimMessage = Claim | Granted | Found | Hurry


@dataclass
class _Claimed:
    """An entry set whose builder is known."""

    builder: int
    node: Node | None = None
    waiting: list[int] = field(default_factory=list)


@dataclass(frozen=True)
class Claimant:
    """What a builder does when it hears of its claims."""

    granted: Callable[[bytes], None]
    """It is to build."""
    found: Callable[[bytes, Node], None]
    """It is built; may be told more than once."""
    hurry: Callable[[bytes], None]
    """Somebody waits for what it builds."""


class Claims:
    """The claims of one builder, and the books of the keys it owns."""

    def __init__(
        self, plan: Plan, outbox: list[tuple[int, Message]], claimant: Claimant
    ) -> None:
        self._plan = plan
        self._outbox = outbox
        self._claimant = claimant
        self._books: dict[bytes, _Claimed] = {}

    def claim(self, key: bytes, urgent: bool) -> None:
        """Ask to build; again when it becomes urgent."""
        self._tell(self._plan.owner(key), Claim(key, urgent))

    def announce(self, key: bytes, node: Node) -> None:
        """What this rank was granted is there."""
        self._tell(self._plan.owner(key), Found(key, node))

    def receive(self, source: int, message: ClaimMessage) -> None:
        """From another rank, or from this one where it is the owner."""
        match message:
            case Claim(key, urgent):
                self._claimed(source, key, urgent)
            case Granted(key):
                self._claimant.granted(key)
            case Hurry(key):
                self._claimant.hurry(key)
            case Found(key, node):
                self._enter(key, node)
                self._claimant.found(key, node)

    def _claimed(self, source: int, key: bytes, urgent: bool) -> None:
        known = self._books.get(key)
        if known is None:
            self._books[key] = _Claimed(source)
            self._tell(source, Granted(key))
        elif known.node is not None:
            self._tell(source, Found(key, known.node))
        elif known.builder != source:
            if source not in known.waiting:
                known.waiting.append(source)
            if urgent:
                self._tell(known.builder, Hurry(key))

    def _enter(self, key: bytes, node: Node) -> None:
        known = self._books.get(key)
        if known is not None and known.node is None:
            known.node = node
            waiting, known.waiting = known.waiting, []
            for rank in waiting:
                self._tell(rank, Found(key, node))

    def _tell(self, rank: int, message: ClaimMessage) -> None:
        if rank == self._plan.rank:
            self.receive(rank, message)
        else:
            self._outbox.append((rank, message))
