"""A verdict that is known is told, however long it takes to explain it."""

from __future__ import annotations

import json
import subprocess
import sys

from tests.helpers import environment, saved, toggle

PROGRAM = """
import time
from mpisog.cli import check_output
from mpisog.cli.main import run
check_output.CheckOutput._explain = lambda self, result: time.sleep(600)
run()
"""
"""Explaining never ends."""


def test_a_verdict_is_not_lost_while_it_is_explained(tmp_path):
    net, report = saved(toggle(), tmp_path), tmp_path / "report.json"
    command = [sys.executable, "-c", PROGRAM, "check", net, "-f", "G on", "-f", "G off"]
    command += ["--timeout", "1", "--json", str(report), "--no-progress"]
    done = subprocess.run(
        command, capture_output=True, text=True, env=environment(), timeout=300, check=False
    )
    assert done.returncode == 1
    lines = done.stdout.splitlines()
    assert lines[0].startswith("FALSE   formula-1: G on")
    assert lines[1].startswith("UNKNOWN formula-2: G off")
    first, second = json.loads(report.read_text())["results"]
    assert (first["verdict"], second["verdict"]) == ("FALSE", "UNKNOWN")
    assert first["trace"]["cycle"]
