"""Random nets and formulas through the executor, against the reference checker.

Workers are many or few, run in any order, and die at any moment; units are cancelled where another
one was faster. Stages come in a random order, so that all of them decide something.
"""

from __future__ import annotations

import sys
from collections import Counter
from random import Random

import pytest

from mpisog.budget import Budget
from mpisog.config import RunConfig
from mpisog.engines.batch import prepare
from mpisog.executor import dispatcher
from mpisog.executor.checks import Observer, Run
from mpisog.formulas.properties import Property
from tests.executor.loopback import LoopbackWorkers
from tests.executor.verdicts import require_right
from tests.helpers import to_mpisog
from tests.reference import ltl
from tests.reference.generate import random_formula, random_net

FEW, MANY = 15, 1500


@pytest.fixture(autouse=True)
def no_teams(monkeypatch):
    """These workers take turns; those of a team work at the same time, see ``test_teams``."""
    monkeypatch.setattr(dispatcher, "SMALLEST_TEAM", sys.maxsize)


def shuffled(stages: tuple, rng: Random) -> tuple:
    """The same stages, those of a round in another order."""
    quick = [stage for stage in stages if stage.round == 0]
    rng.shuffle(quick)
    return (*quick, *(stage for stage in stages if stage.round > 0))


def check(number: int, workers: int, losses: float) -> Counter[str]:
    rng = Random(f"executor {number} {workers}")
    net = random_net(rng)
    formulas = [random_formula(rng, net) for _ in range(rng.randint(1, 4))]
    properties = [Property(f"f{i}", ltl.text(f)) for i, f in enumerate(formulas)]
    batch = prepare(to_mpisog(net), properties, RunConfig())
    batch.__dict__["stages"] = shuffled(batch.stages, rng)
    loopback = LoopbackWorkers(batch, workers, rng, losses)
    results = list(Run(batch, Budget(), loopback.helpers(), Observer(), keep_going=False))
    assert [result.name for result in results] == [prop.name for prop in properties]
    case = f"case {number}, {workers} workers"
    require_right(net, formulas, results, case, losses > 0)
    return Counter(str(result.verdict) for result in results) + Counter(lost=loopback.losses)


def run(cases: int, workers: int, losses: float) -> Counter[str]:
    seen: Counter[str] = Counter()
    for number in range(cases):
        seen += check(number, workers, losses)
    assert min(seen["TRUE"], seen["FALSE"]) > cases / 4
    assert (seen["lost"] > cases / 4) == bool(losses)
    return seen


@pytest.mark.parametrize("losses", [0.0, 0.15])
@pytest.mark.parametrize("workers", [1, 2, 3, 7])
def test_random_batches(workers, losses):
    assert run(FEW, workers, losses)["UNKNOWN"] <= FEW / 2


@pytest.mark.slow
@pytest.mark.parametrize("losses", [0.0, 0.15])
@pytest.mark.parametrize("workers", [1, 2, 3, 7])
def test_many_random_batches(workers, losses):
    run(MANY, workers, losses)
