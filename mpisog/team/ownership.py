"""Who builds the aggregate behind an entry set: the rank that finds it first.

Entry sets have keys, the same on every rank, and the key's owner keeps a directory. A rank that
finds an entry set claims it and goes on as if it were the first: it mostly is, and what it has
found waits a while before it is built. Where another was first, the owner says so to that
one, who tells the other to leave it and, later, what was found. Without claims, ranks that expand
neighbours would all build what follows both.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from mpisog.team.messages import BuiltElsewhere, Claim, ClaimConflict, Found, Node
from mpisog.team.plan import Plan
from mpisog.transport.message import Message

ClaimMessage = Claim | ClaimConflict | BuiltElsewhere | Found


@dataclass(frozen=True)
class ClaimListener:
    """What a builder does when it hears of claims."""

    conflict: Callable[[bytes, int, bool], None]
    """What it builds is wanted by another rank too, and that may be urgent."""
    built_elsewhere: Callable[[bytes], None]
    """Another rank builds it."""
    found: Callable[[bytes, Node], None]
    """It is built; may be told more than once."""


class OwnershipDirectory:
    """The claims of one builder, and who builds the keys that it owns."""

    def __init__(
        self, plan: Plan, outbox: list[tuple[int, Message]], listener: ClaimListener
    ) -> None:
        self._plan = plan
        self._outbox = outbox
        self._listener = listener
        self._claimed_by: dict[bytes, int] = {}
        """The rank that builds."""

    def claim(self, key: bytes, urgent: bool) -> bool:
        """Say that this rank wants it, again when it becomes urgent; whether to go on."""
        owner = self._plan.owner(key)
        if owner == self._plan.rank:
            return self._claimed(owner, key, urgent)
        self._outbox.append((owner, Claim(key, urgent)))
        return True

    def receive(self, source: int, message: ClaimMessage) -> None:
        """From another rank."""
        match message:
            case Claim(key, urgent):
                self._claimed(source, key, urgent)
            case ClaimConflict(key, rank, urgent):
                self._listener.conflict(key, rank, urgent)
            case BuiltElsewhere(key):
                self._listener.built_elsewhere(key)
            case Found(key, node):
                self._listener.found(key, node)

    def _claimed(self, source: int, key: bytes, urgent: bool) -> bool:
        builder = self._claimed_by.setdefault(key, source)
        if builder == source:
            return True
        if builder == self._plan.rank:
            self._listener.conflict(key, source, urgent)
        else:
            self._outbox.append((builder, ClaimConflict(key, source, urgent)))
        return False
