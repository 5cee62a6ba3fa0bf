"""The SOG engine against the explicit one on random nets and stutter-invariant formulas.

The explicit engine is judged by the reference checker in test_random. Here both aggregation modes,
limited expansion and every backend must come to its verdict, each FALSE with a lasso that replays
(the engine certifies it; an error would end the test).
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from random import Random

import pytest

from mpisog import Verdict
from mpisog.budget import Budget
from mpisog.config import RunConfig
from mpisog.engines.explicit import Explicit
from mpisog.engines.sog import Sog, unfit
from mpisog.formulas.properties import Property
from mpisog.spotglue.ltl import BoundFormula, bind
from mpisog.team.team import Team
from mpisog.trace.replay import certify
from tests.engines.running import run_engine
from tests.helpers import to_mpisog
from tests.reference import ltl
from tests.reference.checker import Net, is_counterexample
from tests.reference.generate import random_formula, random_net

SAMPLE = 100
MANY = int(os.environ.get("MPISOG_RANDOM_PAIRS", "5000"))


def settings(rng: Random) -> list[RunConfig]:
    backend = rng.choice(["mdd", "mdd", "bits", "bits", "explicit"])
    return [
        RunConfig(backend=backend),
        RunConfig(backend=backend, aggregation="static"),
        RunConfig(
            backend=backend,
            aggregation=rng.choice(["precise", "static"]),
            forbid=rng.choice([0, 1, 2, 4]),
            aggregate_nodes=rng.choice([None, 0, 2, 5, 9]),
        ),
    ]


def compare(rng: Random, teams: Sequence[Team | None] = (None,)) -> Counter[str]:
    """One pair that the SOG fits; gives the classes it belongs to."""
    while True:
        net = random_net(rng)
        formula = random_formula(rng, net)
        bound = bind(Property("random", ltl.text(formula)), to_mpisog(net))
        if unfit(bound, Budget()) is None:
            break
    model = to_mpisog(net)
    expected = run_engine(Explicit(), model, bound)
    case = f"{net}\n{ltl.text(formula)}"
    for config, team in ((config, rng.choice(teams)) for config in settings(rng)):
        found = run_engine(Sog(), model, bound, config, team=team)
        assert (found.counterexample is None) == (expected.counterexample is None), (case, config)
        if found.counterexample is not None:
            certify(found.counterexample, bound, Budget())
            lasso = found.counterexample.prefix_ids, found.counterexample.cycle_ids
            assert is_counterexample(net, formula, *lasso), (case, config, lasso)
    compare_small(rng, net, formula, bound, expected.counterexample is None)
    verdict = Verdict.TRUE if expected.counterexample is None else Verdict.FALSE
    kinds = {atom[0] for atom in ltl.atoms(formula)}
    return Counter([str(verdict), *kinds, *(["event " + str(verdict)] if "fire" in kinds else [])])


def compare_small(
    rng: Random, net: Net, formula: ltl.Formula, bound: BoundFormula, holds: bool
) -> None:
    """The same with aggregates of few markings that are entered one by one."""
    config = RunConfig(backend=rng.choice(["mdd", "mdd", "bits", "explicit"]))
    markings = rng.choice([1, 2, 3, 5, 20])
    found = run_engine(Sog(markings), to_mpisog(net), bound, config).counterexample
    case = f"{net}\n{ltl.text(formula)}\n{config.backend} {markings}"
    assert (found is None) == holds, case
    if found is not None:
        assert is_counterexample(net, formula, found.prefix_ids, found.cycle_ids), case


def run(pairs: int, seed: int, teams: Sequence[Team | None] = (None,)) -> None:
    rng = Random(seed)
    found: Counter[str] = Counter()
    for _ in range(pairs):
        found += compare(rng, teams)
    for kind in ("TRUE", "FALSE", "fire", "cmp", "event TRUE", "event FALSE"):
        assert found[kind] >= pairs // 10, (kind, found)


def test_a_sample_of_random_pairs():
    run(SAMPLE, seed=2008)


@pytest.mark.slow
def test_many_random_pairs():
    run(MANY, seed=2021)
