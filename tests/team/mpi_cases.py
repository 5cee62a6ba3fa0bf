"""Run by pytest-mpi under mpirun (see test_mpi.py): random pairs with real ranks as builders.

Every test has builders of its own: none may begin before the last one's have all quit.
"""

from __future__ import annotations

import pytest

from mpisog.launcher import current
from mpisog.team.builder_rank import BuilderRank
from mpisog.team.plan import CHECKER, PLACEMENTS, STRATEGIES, Plan
from mpisog.team.team import RankTeam
from mpisog.transport.mpi import join
from tests.engines.test_sog_random import run

PAIRS = 12


@pytest.mark.mpi
@pytest.mark.parametrize("placement", PLACEMENTS)
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_random_pairs(placement, strategy):
    launch = current()
    if launch.size == 1:
        run(PAIRS, seed=launch.size)
        return
    transport = join(launch)
    _wait_for_all()
    if transport.rank == CHECKER:
        team = RankTeam(transport)
        run(PAIRS, seed=launch.size, teams=[team])
        team.quit(0)
    else:
        plan = Plan(transport.rank, transport.size - 1, strategy, placement)
        assert BuilderRank(transport, plan, threads=2).serve() == 0


def _wait_for_all() -> None:
    from mpi4py import MPI  # joins the job: not before the launcher is known

    MPI.COMM_WORLD.Barrier()
