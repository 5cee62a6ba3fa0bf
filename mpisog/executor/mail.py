"""What comes for a worker: orders of rank 0, and packets of the team it belongs to."""

from __future__ import annotations

from collections.abc import Sequence

from mpisog.transport.message import Message, decode, job_of
from mpisog.transport.transport import Transport

ORDERS = 0
"""The job of packets that are for no team; a team's is the number of its unit."""


class Mail:
    """Sorts packets by job. Those of a team may come before the order to join it."""

    def __init__(self, transport: Transport) -> None:
        self.transport = transport
        self._orders: list[Message] = []
        self._teams: dict[int, list[tuple[int, bytes]]] = {}

    def orders(self) -> list[Message]:
        """Those that have come."""
        self._receive()
        taken, self._orders = self._orders, []
        return taken

    def of_team(self, job: int) -> list[tuple[int, bytes]]:
        """What has come for a team, with its senders; what came for earlier ones is dropped."""
        self._receive()
        taken = self._teams.pop(job, [])
        self._teams = {known: mail for known, mail in self._teams.items() if known > job}
        return taken

    def _receive(self) -> None:
        for source, packet in self.transport.receive():
            job = job_of(packet)
            if job == ORDERS:
                self._orders += decode(packet)[1]
            else:
                self._teams.setdefault(job, []).append((source, packet))


class TeamTransport:
    """The transport between the workers of one team, the first of whom leads: it is rank 0."""

    def __init__(self, mail: Mail, members: Sequence[int], job: int) -> None:
        self._mail = mail
        self._members = members
        self._job = job
        self._ranks = {worker: rank for rank, worker in enumerate(members)}
        self.rank = self._ranks[mail.transport.rank]
        self.size = len(members)

    def send(self, to: int, packet: bytes) -> None:
        """To a member."""
        self._mail.transport.send(self._members[to], packet)

    def receive(self) -> list[tuple[int, bytes]]:
        """From members."""
        found = self._mail.of_team(self._job)
        return [(self._ranks[source], packet) for source, packet in found]

    @property
    def sending(self) -> bool:
        """As the transport says."""
        return self._mail.transport.sending

    def wait(self, seconds: float) -> None:
        """Until something may have come."""
        self._mail.transport.wait(seconds)
