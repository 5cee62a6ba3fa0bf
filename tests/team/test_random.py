"""Every shape of a parallel run against the explicit engine, on random nets and formulas."""

from __future__ import annotations

import os
from itertools import product
from random import Random

import pytest

from mpisog.team.plan import PLACEMENTS, STRATEGIES, Plan
from mpisog.team.team import ThreadTeam
from tests.engines.test_sog_random import run
from tests.team.loopback import loopback_team

SHAPES = list(product((1, 2, 3, 7), PLACEMENTS, STRATEGIES))
MANY = int(os.environ.get("MPISOG_RANDOM_PAIRS", "5000"))


@pytest.mark.parametrize("builders", [1, 2, 3, 7])
def test_a_sample_on_the_loopback(builders):
    rng = Random(builders)
    shapes = product(PLACEMENTS, STRATEGIES)
    teams = [loopback_team(builders, *shape, rng) for shape in shapes]
    run(40, seed=100 + builders, teams=teams)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_sample_with_threads(strategy):
    teams = [ThreadTeam(threads, Plan(strategy=strategy)) for threads in (1, 2, 4)]
    run(40, seed=200, teams=teams)


@pytest.mark.slow
def test_many_on_the_loopback():
    rng = Random(3)
    run(MANY, seed=300, teams=[loopback_team(*shape, rng) for shape in SHAPES])


@pytest.mark.slow
def test_many_with_threads():
    teams = [ThreadTeam(n, Plan(strategy=s)) for n in (1, 2, 4, 8) for s in STRATEGIES]
    run(MANY, seed=400, teams=teams)
