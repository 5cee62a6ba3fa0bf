"""Teams under ``auto``: workers without a unit build the graph of one that has a SOG to search.

Random nets and formulas against the reference checker. Workers are lost at any moment, leaders and
builders too, and a team is cancelled where the worker that builds alone is faster.
"""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from mpisog.budget import Budget
from mpisog.config import RunConfig
from mpisog.engines.batch import prepare
from mpisog.engines.sog import Sog, unfit
from mpisog.executor import dispatcher
from mpisog.executor.checks import Observer, Run
from mpisog.formulas.properties import Property
from mpisog.spotglue.ltl import bind
from mpisog.team.team import UnitTeam
from tests.executor.threads import ThreadWorkers
from tests.executor.verdicts import require_right
from tests.helpers import to_mpisog
from tests.reference import ltl
from tests.reference.checker import Net
from tests.reference.generate import random_formula, random_net

FEW, MANY = 15, 500
HEAD_START = 0.1
"""Seconds that who builds alone waits at most: a team takes a moment to meet."""


@pytest.fixture
def seen(monkeypatch) -> Counter[str]:
    """What teams came to. Those of two workers are allowed, and a lone worker is in no hurry."""
    monkeypatch.setattr(dispatcher, "SMALLEST_TEAM", 2)
    seen: Counter[str] = Counter()
    rng = Random("who builds alone")

    def run(self, problem, resources, budget):
        if not isinstance(resources.team, UnitTeam):
            ready = time.monotonic() + HEAD_START * rng.random()
            while time.monotonic() < ready:
                budget.check()
                time.sleep(0.001)
            return original(self, problem, resources, budget)
        seen["teams"] += 1
        found = original(self, problem, resources, budget)
        seen["decided by a team"] += 1
        return found

    original = Sog.run
    monkeypatch.setattr(Sog, "run", run)
    return seen


def only_graphs(stages: tuple) -> tuple:
    """The SOG, of whatever it can check."""
    return (replace(next(stage for stage in stages if stage.engine == Sog()), when=()),)


def random_formulas(rng: Random, net: Net, count: int) -> list[ltl.Formula]:
    """Such as the SOG can check."""
    found: list[ltl.Formula] = []
    while len(found) < count:
        formula = random_formula(rng, net)
        bound = bind(Property("f", ltl.text(formula)), to_mpisog(net))
        found += [formula] if unfit(bound, Budget()) is None else []
    return found


def check(number: int, workers: int, losses: float) -> Counter[str]:
    rng = Random(f"team {number} {workers}")
    net = random_net(rng)
    formulas = random_formulas(rng, net, rng.randint(1, 2))
    properties = [Property(f"f{i}", ltl.text(f)) for i, f in enumerate(formulas)]
    batch = prepare(to_mpisog(net), properties, RunConfig())
    batch.__dict__["stages"] = only_graphs(batch.stages)
    threads = ThreadWorkers(batch, workers, rng, losses)
    try:
        run = Run(batch, Budget(), threads.helpers(), Observer(), keep_going=False)
        results = list(run)
    finally:
        threads.close()
    case = f"case {number}, {workers} workers"
    require_right(net, formulas, results, case, losses > 0)
    built = sum(stage.startswith("building") for load in run.loads for stage in load.busy)
    return Counter(built=built, lost=threads.losses)


@pytest.mark.parametrize("losses", [0.0, 0.1])
@pytest.mark.parametrize("workers", [1, 2, 3, 7])
def test_random_batches(workers, losses, seen):
    for number in range(FEW):
        seen += check(number, workers, losses)
    assert (seen["lost"] > 0) == bool(losses)
    assert (seen["teams"] > 0) == (workers > 2)
    if workers == 7 and not losses:
        assert seen["decided by a team"] > 0
        assert seen["built"] > 0


@pytest.mark.slow
@pytest.mark.parametrize("losses", [0.0, 0.1])
@pytest.mark.parametrize("workers", [3, 7])
def test_many_random_batches(workers, losses, seen):
    for number in range(MANY):
        seen += check(number, workers, losses)
    assert seen["decided by a team"] > MANY / 10
