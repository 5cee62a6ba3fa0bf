"""The command line inside the test's own process: quick, for everything but processes."""

from __future__ import annotations

import signal
from dataclasses import dataclass

import pytest

from mpisog.cli.main import main
from mpisog.cli.signals import BATCH_SIGNALS


@dataclass(frozen=True)
class Outcome:
    """What a user sees of a run."""

    code: int
    out: str
    err: str


@pytest.fixture
def cli(capsys, monkeypatch, tmp_path):
    """Call it with arguments; settings of the machine's user play no part."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "no-config"))
    for name in ("ENGINE", "REDUCE", "EMPTINESS", "TIMEOUT", "TOTAL_TIMEOUT", "MEMORY"):
        monkeypatch.delenv(f"MPISOG_{name}", raising=False)
    before = {number: signal.getsignal(number) for number in BATCH_SIGNALS}

    def call(*arguments: object) -> Outcome:
        try:
            code = main([str(argument) for argument in arguments])
        except SystemExit as end:  # --help and --version
            code = end.code or 0
        captured = capsys.readouterr()
        return Outcome(int(code), captured.out, captured.err)

    yield call
    for number, handler in before.items():
        signal.signal(number, handler)
