"""Checks that end before they are done leave a process that is as good as new."""

from __future__ import annotations

import gc
import subprocess
import sys

import pytest

import mpisog as mpisog_package
from mpisog.nets.generators import generate
from mpisog.sog.native_graph import NativeGraph
from mpisog.spotglue.emptiness import ALGORITHMS
from mpisog.verdict import Verdict
from tests.helpers import ROOT, environment, mpisog

HOUR = 3600

ENDLESS = """\
pl p0 (3)
pl p1 (0)
pl p2 (1)
tr t0 p0*2 p1*2 -> p0*2
tr t1 -> p0*65537
"""
"""Found to be unbounded in the middle of a nested search."""


@pytest.mark.parametrize(
    "checks", [400, pytest.param(20_000, marks=pytest.mark.slow)], ids=["few", "many"]
)
def test_no_crash_and_no_growth(checks):
    done = subprocess.run(
        [sys.executable, "-m", "tests.limits.stopped", str(checks), "limits"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=HOUR,
        env=environment(),
        check=False,
    )
    assert done.returncode == 0, done.stderr
    megabytes = [int(line.split()[0]) for line in done.stdout.splitlines()]
    assert len(megabytes) == 10
    # Libraries are loaded and tables made in the first part.
    assert max(megabytes[5:]) <= max(megabytes[:5]) + 30, megabytes


def graphs() -> set[int]:
    """The graphs that are alive; other tests of this process may keep some."""
    gc.collect()
    return {id(found) for found in gc.get_objects() if isinstance(found, NativeGraph)}


def test_a_graph_whose_search_was_stopped_is_given_up():
    """The collector cannot see through native objects: nothing may lead from one to itself."""
    places = [f"P{i}" for i in (1, 2, 3)] + [f"M{i}" for i in (1, 2, 3)]
    formula = "G !(" + " & ".join(f'"{place} >= 7"' for place in places) + ")"
    settings = {"engine": "sog", "backend": "mdd", "reduce": "none", "aggregation": "static"}
    before = graphs()
    result = mpisog_package.check(generate("fms", 8), formula, **settings, timeout=0.6)
    assert result.verdict is Verdict.UNKNOWN
    assert graphs() <= before


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_a_search_that_asks_again_after_the_graph_has_stopped(tmp_path, algorithm):
    """With other successors than before, Spot crashes."""
    path = tmp_path / "endless.net"
    path.write_text(ENDLESS, encoding="utf-8")
    how = ("--engine", "explicit", "--reduce", "none", "--emptiness", algorithm, "--timeout", "0.2")
    done = mpisog("check", str(path), "-f", 'F "p0 >= 5"', *how)
    assert done.returncode == 2, done
    assert done.stdout.startswith("UNKNOWN")
