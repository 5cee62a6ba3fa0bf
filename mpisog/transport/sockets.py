"""Packets between processes of one machine: rank 0 has a socket to each of the others.

What one of the others sends to a third goes through rank 0, which need not look at it. So a process
that has died can be replaced: only rank 0 knew it.
"""

from __future__ import annotations

import select
import socket
from collections.abc import Iterator
from struct import Struct

_HEAD = Struct("<iiQ")
"""Sender, receiver, size."""
_CHUNK = 1 << 20


class _Wire:
    """One socket with what waits to be written and what has been read of the next packet."""

    def __init__(self, end: socket.socket) -> None:
        end.setblocking(False)
        self.end = end
        self.out = bytearray()
        self.closed = False
        self._in = bytearray()

    def send(self, source: int, to: int, packet: bytes) -> None:
        self.out += _HEAD.pack(source, to, len(packet)) + packet
        self.flush()

    def flush(self) -> None:
        """Write what the system takes now."""
        while self.out and not self.closed:
            try:
                written = self.end.send(memoryview(self.out)[:_CHUNK])
            except BlockingIOError:
                return
            except OSError:  # the other end is gone
                self._close()
                return
            del self.out[:written]

    def read(self) -> Iterator[tuple[int, int, bytes]]:
        """The packets that are complete."""
        while not self.closed:
            try:
                chunk = self.end.recv(_CHUNK)
            except BlockingIOError:
                break
            except OSError:
                chunk = b""
            if not chunk:
                self._close()
            self._in += chunk
        yield from self._packets()

    def _packets(self) -> Iterator[tuple[int, int, bytes]]:
        while len(self._in) >= _HEAD.size:
            source, to, size = _HEAD.unpack_from(self._in)
            if len(self._in) < _HEAD.size + size:
                return
            packet = bytes(memoryview(self._in)[_HEAD.size : _HEAD.size + size])
            del self._in[: _HEAD.size + size]
            yield source, to, packet

    def _close(self) -> None:
        self.closed = True
        self.out.clear()
        self.end.close()


class Hub:
    """Rank 0: sends, receives, and passes on what is for others."""

    rank = 0

    def __init__(self, size: int) -> None:
        self.size = size
        self._wires: dict[int, _Wire] = {}

    def connect(self, rank: int) -> socket.socket:
        """A new way to a rank; the other end is for its process."""
        ours, theirs = socket.socketpair()
        self._wires[rank] = _Wire(ours)
        return theirs

    def close(self) -> None:
        """For a process that has inherited it: the other ends must be the only ones."""
        for wire in self._wires.values():
            wire.end.close()

    def send(self, to: int, packet: bytes) -> None:
        """To a rank that may have died: then nothing happens."""
        self._wires[to].send(self.rank, to, packet)

    def receive(self) -> list[tuple[int, bytes]]:
        """Everything that has come for rank 0; the rest is passed on."""
        mine: list[tuple[int, bytes]] = []
        for wire in [*self._wires.values()]:
            wire.flush()
            for source, to, packet in wire.read():
                if to == self.rank:
                    mine.append((source, packet))
                elif to in self._wires:
                    self._wires[to].send(source, to, packet)
        return mine

    def lost(self) -> list[int]:
        """The ranks whose sockets have closed; each is told once."""
        found = [rank for rank, wire in self._wires.items() if wire.closed]
        for rank in found:
            del self._wires[rank]
        return found

    @property
    def sending(self) -> bool:
        """Whether something waits to be written."""
        return any(wire.out for wire in self._wires.values())

    def wait(self, seconds: float) -> None:
        """Until something comes, or can be written, but no longer than that."""
        open_wires = [wire for wire in self._wires.values() if not wire.closed]
        ends = [wire.end for wire in open_wires]
        select.select(ends, [wire.end for wire in open_wires if wire.out], [], seconds)


class Spoke:
    """One of the other ranks: all goes to rank 0 first."""

    def __init__(self, rank: int, size: int, end: socket.socket) -> None:
        self.rank = rank
        self.size = size
        self._wire = _Wire(end)

    def send(self, to: int, packet: bytes) -> None:
        """By way of rank 0."""
        self._wire.send(self.rank, to, packet)

    def receive(self) -> list[tuple[int, bytes]]:
        """Everything that has come; ``EOFError`` when rank 0 is gone."""
        self._wire.flush()
        packets = [(source, packet) for source, _, packet in self._wire.read()]
        if self._wire.closed and not packets:
            raise EOFError("rank 0 is gone")
        return packets

    @property
    def sending(self) -> bool:
        """Whether something waits to be written."""
        return bool(self._wire.out)

    def wait(self, seconds: float) -> None:
        """Until something comes, or can be written, but no longer than that."""
        if not self._wire.closed:
            writing = [self._wire.end] if self._wire.out else []
            select.select([self._wire.end], writing, [], seconds)
