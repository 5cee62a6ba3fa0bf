"""What a rank has done: the figures that are shown while it works and reported at the end."""

from __future__ import annotations

from dataclasses import dataclass

from mpisog.transport.codec import Record, register


@register
@dataclass(frozen=True)
class RankReport(Record):
    """Figures of one rank for one formula; seconds are summed over its threads."""

    rank: int = 0
    host: str = ""
    built: int = 0
    """Aggregates built from entry sets, known ones among them."""
    held: int = 0
    """Aggregates whose successors this rank tells."""
    edges: int = 0
    asked: int = 0
    """Questions of the checker."""
    waiting: int = 0
    """Tasks that no thread has begun."""
    messages_sent: int = 0
    bytes_sent: int = 0
    messages_received: int = 0
    bytes_received: int = 0
    nodes: int = 0
    """Of the decision diagrams, garbage included."""
    memory: int = 0
    """Resident bytes; known parts of them, where aggregates are built in native code:"""
    node_bytes: int = 0
    """Diagrams with their table of nodes, or enumerated markings and sets of them."""
    cache_bytes: int = 0
    """What operations remember."""
    table_bytes: int = 0
    """Entry sets, aggregates and who holds them, without the sets."""
    message_bytes: int = 0
    """Messages that wait to be sent."""
    building: float = 0.0
    expanding: float = 0.0
    packing: float = 0.0
    """Seconds for identities, and for aggregates to and from bytes."""
    elapsed: float = 0.0
    busy: tuple[float, ...] = ()
    """Seconds of work by thread."""

    def sentence(self) -> str:
        """For a log."""
        return (
            f"{self.built} aggregates are built, {self.held} are held here, {self.waiting} tasks "
            f"wait, the threads were idle {self.idle_share:.0%} of {self.elapsed:.1f} s, "
            f"{self.messages_sent} messages went out and {self.messages_received} came in, "
            f"{self.memory >> 20} MB are in use"
        )

    @property
    def idle_share(self) -> float:
        """The part of the time in which its threads had nothing to do."""
        whole = self.elapsed * len(self.busy)
        return max(0.0, 1 - sum(self.busy) / whole) if whole else 0.0
