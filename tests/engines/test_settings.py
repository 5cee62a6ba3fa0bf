"""Every combination of settings comes to the reference's verdict: a sample, and a campaign."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from random import Random

import pytest

from mpisog.engines.registry import ENGINES
from tests.engines.settings import compare

SAMPLE = 60
CHECKS = os.environ.get("MPISOG_RANDOM_CHECKS", "100000")


# Where a limit ends a check, the collector may free CUDD's manager before its nodes: dd says so.
@pytest.mark.filterwarnings(
    "ignore:Exception ignored in. 'dd.cudd:pytest.PytestUnraisableExceptionWarning"
)
def test_a_sample_agrees():
    seen: Counter[str] = Counter()
    for number in range(SAMPLE):
        seen += compare(Random(f"settings {number}"), settings_per_pair=4)
    print(dict(sorted(seen.items())))
    assert min(seen[f"engine {engine}"] for engine in ENGINES) >= SAMPLE // 8
    assert min(seen[verdict] for verdict in ("TRUE", "FALSE")) >= SAMPLE
    assert seen["unbounded"] >= SAMPLE // 4


@pytest.mark.slow
def test_a_campaign_agrees():
    """Half an hour; in processes of its own, since crashes are looked for too."""
    command = [sys.executable, "-m", "tests.engines.settings", "--checks", CHECKS]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-10_000:]
