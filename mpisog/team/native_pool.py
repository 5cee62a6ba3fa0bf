"""A builder with its threads in native code: packets in, packets out.

``native/team`` does what ``builder``, ``tasks``, ``ownership`` and ``placement`` of this room do,
with the same messages; Python sees no aggregate. What is here to compare only (the placement
``canonical``, other digests) stays with those, and so do the backends without native sets.
"""

from __future__ import annotations

from typing import Any

from mpisog import _native
from mpisog.errors import MessageError
from mpisog.sog.native_graph import ask_native
from mpisog.sog.native_labels import NATIVE_BACKENDS, open_graph
from mpisog.sog.stuttering import Stuttering
from mpisog.symbolic.protocol import Domain
from mpisog.team.entry_names import coordinates
from mpisog.team.job_spec import JobSpec
from mpisog.team.plan import Plan
from mpisog.team.pool import Packet
from mpisog.team.statistics import RankReport
from mpisog.transport.codec import Writer

JOB_BYTES = 4
"""A packet begins with its job's number."""


def can_be_native(backend: str, plan: Plan) -> bool:
    """Whether there is a native builder for such sets and such a plan."""
    common = plan.alone or (plan.placement, plan.digest) == ("finder", "md5")
    return backend in NATIVE_BACKENDS and common


class NativePool:
    """The same interface as ``Pool``."""

    def __init__(self, domain: Domain[Any], job_spec: JobSpec, plan: Plan, threads: int) -> None:
        self._domain = domain
        observation = job_spec.observation()
        stuttering = Stuttering(job_spec.hoa, job_spec.atoms, observation.state_atoms)
        self._pool = _native.TeamPool(
            open_graph(domain, observation),
            (plan.rank, plan.builders, plan.eager),
            observation.events,
            coordinates(domain, observation),
            lambda label: stuttering.matters(tuple(label)),
            threads,
        )

    def take_packet(self, source: int, packet: bytes) -> int:
        """Give the builder a packet; how many messages there were."""
        try:
            return ask_native(self._domain, self._pool.receive, source, packet, JOB_BYTES)
        except _native.MalformedMessage as malformed:
            raise MessageError(str(malformed)) from None

    def packets(self, job: int) -> list[Packet]:
        """What there is to send, one packet for each rank."""
        head = Writer()
        head.u32(job)
        found = self._pool.outgoing()
        return [Packet(to, bytes(head.data) + data, messages) for to, data, messages in found]

    @property
    def waiting(self) -> int:
        """Tasks that no thread has begun."""
        return self._pool.waiting

    @property
    def failure(self) -> BaseException | None:
        """The first exception of a thread; native threads look at no budget, so this does."""
        try:
            self._domain.budget.check()
            ask_native(self._domain, self._pool.raise_failure)
        except BaseException as failure:
            return failure
        return None

    def wait(self, seconds: float) -> None:
        """Until there is something to send or to know, but no longer than that."""
        self._pool.wait(seconds)

    def work(self) -> bool:
        """Do one task here; when there is none, look for work elsewhere."""
        return self._pool.work()

    def look_for_work(self) -> None:
        """Ask another rank for some, if a thread has none."""
        self._pool.look_for_work()

    def end(self) -> None:
        """No more tasks, and those that are being done end soon."""
        self._pool.end()

    def figures(self) -> RankReport:
        """What the threads have done."""
        built, held, edges, asked, building, expanding, packing, busy, held_bytes = (
            self._pool.figures
        )
        node_bytes, cache_bytes, table_bytes, message_bytes = held_bytes
        return RankReport(
            built=built,
            held=held,
            edges=edges,
            asked=asked,
            waiting=self.waiting,
            building=building,
            expanding=expanding,
            packing=packing,
            busy=tuple(busy),
            node_bytes=node_bytes,
            cache_bytes=cache_bytes,
            table_bytes=table_bytes,
            message_bytes=message_bytes,
        )
