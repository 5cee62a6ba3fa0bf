"""How the work is divided: settings that every rank knows from its command line."""

from __future__ import annotations

from dataclasses import dataclass

from mpisog.config import RunConfig
from mpisog.errors import known_name
from mpisog.symbolic.protocol import DIGESTS
from mpisog.transport.transport import Transport

CHECKER = 0
FIRST_BUILDER = 1

STRATEGIES = ("eager", "on-demand")
"""Whether builders run ahead of the checker, or build what it asks for only."""

PARALLEL = ("aggregates", "operations")
"""Whether threads build an aggregate each, or do the operations of one together."""

PLACEMENTS = ("finder", "canonical")
"""Who holds an aggregate: its finder (the owner by digest only knows who that is); or the owner,
who is sent the papers' canonical subset and closes it again."""


@dataclass(frozen=True)
class Plan:
    """The part of one builder in a run."""

    rank: int = FIRST_BUILDER
    builders: int = 1
    strategy: str = "eager"
    placement: str = "finder"
    digest: str = "md5"

    def __post_init__(self) -> None:
        known_name("strategy", self.strategy, STRATEGIES)
        known_name("placement", self.placement, PLACEMENTS)
        known_name("digest", self.digest, tuple(DIGESTS))

    @property
    def eager(self) -> bool:
        """Whether builders run ahead."""
        return self.strategy == "eager"

    @property
    def alone(self) -> bool:
        """Whether there is no other builder."""
        return self.builders == 1

    @property
    def ranks(self) -> range:
        """Those of all builders."""
        return range(FIRST_BUILDER, FIRST_BUILDER + self.builders)

    def quantile(self, rank: int) -> float:
        """Where in a row a rank takes from: the first one at its beginning, the last at its end."""
        return (rank - FIRST_BUILDER) / max(1, self.builders - 1)

    def owner(self, identity: bytes) -> int:
        """The rank that is responsible for an aggregate."""
        return FIRST_BUILDER + int.from_bytes(identity[:8], "little") % self.builders


def plan_of(config: RunConfig, transport: Transport) -> Plan:
    """The part of a rank in a team of all ranks of a transport."""
    builders = transport.size - 1
    return Plan(transport.rank, builders, config.strategy, config.placement, config.digest)


def known_parallel(name: str) -> str:
    """The name, if there is such a form."""
    return known_name("form of parallelism", name, PARALLEL)
