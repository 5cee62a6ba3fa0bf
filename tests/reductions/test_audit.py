"""The audit of reductions over all small nets; a sample of it is among the native tests."""

from __future__ import annotations

import subprocess

import pytest

from tests.helpers import ROOT


@pytest.mark.slow
def test_no_small_net_has_other_words_when_reduced():
    done = subprocess.run([ROOT / "launch" / "audit"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count(" 0 faults") == 11
