"""The contest's verdicts on real ranks: one job after the other, and none may hang or differ."""

from __future__ import annotations

import os
from functools import cache
from itertools import cycle, islice, product
from random import Random

import pytest

import mpisog
from mpisog.budget import Budget
from mpisog.formulas.mcc_xml import read_mcc_properties
from mpisog.spotglue.automata import is_stutter_invariant
from mpisog.spotglue.ltl import bind
from mpisog.team.plan import PLACEMENTS, STRATEGIES
from tests.engines.test_contest import EXAMINATIONS, SIZES, SMALL, pytestmark, verdicts
from tests.helpers import MCC_DIR
from tests.team.test_mpi import check

FEW, MANY = 6, int(os.environ.get("MPISOG_MANY_JOBS", "500"))

__all__ = ["pytestmark"]  # without the contest's nets these tests are skipped as those are


@cache
def sample() -> list[tuple[str, str, str]]:
    """Net, examination and name of stutter-invariant formulas with a known verdict."""
    found = []
    for model in sorted(model for model, size in SIZES.items() if size <= SMALL):
        net = mpisog.load_net(MCC_DIR / model / "model.pnml")
        for examination in EXAMINATIONS:
            for prop in read_mcc_properties(MCC_DIR / model / f"{examination}.xml", net):
                known = prop.name in verdicts()
                if known and is_stutter_invariant(bind(prop, net), Budget()):
                    found.append((model, examination, prop.name))
    Random(2021).shuffle(found)
    return found


def assert_jobs(count: int) -> None:
    shapes = cycle(product(PLACEMENTS, STRATEGIES))
    for number, (job, shape) in enumerate(
        zip(islice(cycle(sample()), count), shapes, strict=False)
    ):
        (model, examination, name), (placement, strategy) = job, shape
        code, _, err = check(
            3, MCC_DIR / model / "model.pnml", "-x", MCC_DIR / model / f"{examination}.xml",
            "--property", name, "--engine", "sog", "--threads", 2, "--no-trace",
            "--placement", placement, "--strategy", strategy,
        )  # fmt: skip
        expected = {"TRUE": 0, "FALSE": 1}[verdicts()[name]]
        assert (code, err) == (expected, ""), f"job {number}: {name}, {placement}, {strategy}"


def test_some_jobs():
    assert_jobs(FEW)


@pytest.mark.slow
def test_many_jobs_in_a_row():
    assert_jobs(MANY)
