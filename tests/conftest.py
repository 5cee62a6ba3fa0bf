"""Fixtures that tests of several rooms share."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# A busy machine is no failure: time is for the tests that measure it.
settings.register_profile("mpisog", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("mpisog")

# A shell starts background jobs with SIGINT ignored, and so would be the programs that tests start:
# Ctrl-C would not reach them while their interpreter starts.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def mcc_dir() -> Path:
    """The directory with the contest's nets and verdicts, or a skip where it is absent."""
    path = Path(os.environ.get("MPISOG_MCC_DIR", ROOT.parent / "shared" / "mcc"))
    if not path.is_dir():
        pytest.skip(f"no contest nets in {path}; set MPISOG_MCC_DIR")
    return path
