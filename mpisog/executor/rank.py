"""A rank other than 0: builds graphs or runs units, as rank 0 says.

It reads no file and no setting.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from mpisog.budget import limit_memory
from mpisog.config import RunConfig
from mpisog.executor.job import read_config
from mpisog.executor.messages import BUILD, Configure
from mpisog.executor.worker import Expect, RemoteWorker
from mpisog.team.builder_rank import BuilderRank
from mpisog.team.messages import Quit
from mpisog.team.plan import plan_of
from mpisog.transport.message import Message, decode
from mpisog.transport.transport import Transport

WAIT = 0.25
"""Seconds for which a rank waits at a time until it knows what it is to be."""


class _Unread:
    """A transport of which some packets have been read too early."""

    def __init__(self, transport: Transport, packets: list[tuple[int, bytes]]) -> None:
        self.rank, self.size = transport.rank, transport.size
        self._transport = transport
        self._packets = packets

    def send(self, to: int, packet: bytes) -> None:
        self._transport.send(to, packet)

    def receive(self) -> Sequence[tuple[int, bytes]]:
        early, self._packets = self._packets, []
        return [*early, *self._transport.receive()]

    @property
    def sending(self) -> bool:
        return self._transport.sending

    def wait(self, seconds: float) -> None:
        if not self._packets:
            self._transport.wait(seconds)


def serve(
    transport: Transport, configured: Callable[[RunConfig], None], expect: Expect | None = None
) -> int:
    """Until rank 0 says with which code to end; ``configured`` hears the settings first."""
    packets: list[tuple[int, bytes]] = []
    while True:
        if not packets:
            transport.wait(WAIT)
            packets = [*transport.receive()]
            continue
        message = _first(packets.pop(0)[1])
        if isinstance(message, Quit):
            return message.exit_code
        if isinstance(message, Configure):
            config = read_config(message.config)
            configured(config)
            return _role(message.role, _Unread(transport, packets), config, expect)


def _first(packet: bytes) -> Message | None:
    return next(iter(decode(packet)[1]), None)


def _role(role: str, transport: Transport, config: RunConfig, expect: Expect | None) -> int:
    memory = limit_memory(config.memory)
    if role == BUILD:
        return BuilderRank(transport, plan_of(config, transport), config.threads, memory).serve()
    return RemoteWorker(transport, memory, expect=expect).serve()
