"""The contest's verdicts through workers: one job after the other, and none may hang or differ."""

from __future__ import annotations

import os
from functools import cache
from itertools import cycle, islice
from random import Random

import pytest

import mpisog
from mpisog.formulas.mcc_xml import read_mcc_properties
from tests.engines.test_contest import EXAMINATIONS, SIZES, SMALL, pytestmark, verdicts
from tests.executor.test_jobs import finish, start
from tests.helpers import MCC_DIR
from tests.team.test_mpi import check

FEW, MANY = 3, int(os.environ.get("MPISOG_MANY_JOBS", "300"))
TOGETHER = 3
"""Properties of one job."""

__all__ = ["pytestmark"]  # without the contest's nets these tests are skipped as those are


@cache
def sample() -> list[tuple[str, str, tuple[str, ...]]]:
    """Net, examination and some properties with a known verdict."""
    rng = Random(2026)
    found = []
    for model in sorted(model for model, size in SIZES.items() if size <= SMALL):
        net = mpisog.load_net(MCC_DIR / model / "model.pnml")
        for examination in EXAMINATIONS:
            path = MCC_DIR / model / f"{examination}.xml"
            names = [p.name for p in read_mcc_properties(path, net) if p.name in verdicts()]
            for _ in range(3 if len(names) >= TOGETHER else 0):
                found.append((model, examination, tuple(rng.sample(names, TOGETHER))))
    rng.shuffle(found)
    return found


def assert_jobs(count: int, run) -> None:
    for number, (model, examination, names) in enumerate(islice(cycle(sample()), count)):
        chosen = [word for name in names for word in ("--property", name)]
        code, out, err = run(
            MCC_DIR / model / "model.pnml", "-x", MCC_DIR / model / f"{examination}.xml",
            *chosen, "--mcc",
        )  # fmt: skip
        found = dict(line.split()[1:3] for line in out.splitlines())
        case = f"job {number}: {names}"
        assert found == {name: verdicts()[name] for name in names}, case
        assert (code, err) == (int("FALSE" in found.values()), ""), case


def on_ranks(*arguments):
    return check(3, *arguments)


def on_processes(*arguments):
    return finish(start(*arguments, "--jobs", 3))


@pytest.mark.parametrize("run", [on_ranks, on_processes])
def test_some_jobs(run):
    assert_jobs(FEW, run)


@pytest.mark.slow
@pytest.mark.parametrize("run", [on_ranks, on_processes])
def test_many_jobs_in_a_row(run):
    assert_jobs(MANY, run)
