"""Builder ranks in this process, run step by step in an order that a random generator chooses."""

from __future__ import annotations

from random import Random

from mpisog.team.builder_rank import BuilderRank
from mpisog.team.plan import Plan
from mpisog.team.team import RankTeam
from mpisog.transport.transport import Loopback


def loopback_team(
    builders: int, placement: str, strategy: str, rng: Random, memory: int | None = None
) -> RankTeam:
    """A team whose builders do a little whenever the checker waits."""
    transports = Loopback.ring(builders + 1)
    ranks = [
        BuilderRank(transport, Plan(transport.rank, builders, strategy, placement), 0, memory)
        for transport in transports[1:]
    ]

    def meanwhile() -> None:
        rank = rng.choice(ranks)
        rng.choice([rank.step, rank.work])()

    return RankTeam(transports[0], meanwhile)
