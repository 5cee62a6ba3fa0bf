"""When the work ignores its limits: what is known is said, and the process ends."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from uuid import uuid4

import pytest

from mpisog.cli.check_output import FORCED_TABLE
from mpisog.cli.last_resort import GRACE, NOTICE, REASON
from mpisog.nets.model import make_net
from tests.cluster.launching import mpirun, mpirun_environment
from tests.helpers import PATIENCE, ROOM, command, environment, saved, u_then_o
from tests.limits.running import processes_with, verdicts, watched

STUCK = [sys.executable, str(Path(__file__).with_name("stuck.py"))]
SECONDS = 3
"""The time limit: a busy machine decides the first formula in less."""


@pytest.fixture
def net(tmp_path):
    holds = {"quick": 1, "stuck": 1}
    return saved(make_net("two", holds, {"t": (["quick", "stuck"], ["quick", "stuck"])}), tmp_path)


FORMULAS = ("-f", "G quick", "-f", "G stuck", "-f", "F quick")
KNOWN = ["formula-1 TRUE", "formula-2 UNKNOWN", "formula-3 UNKNOWN"]
CHECK = ("--engine", "explicit", "--reduce", "none", *FORMULAS)


def test_time(net):
    done = watched("time", "check", net, *CHECK, "--timeout", str(SECONDS), program=STUCK)
    assert verdicts(done.out) == KNOWN
    assert done.out.count(f"  reason: {REASON}\n") == 2
    assert "3 properties: 1 hold, 2 unknown" in done.out
    assert (done.code, done.err) == (2, "stuck\n" + NOTICE)
    assert SECONDS + GRACE <= done.seconds < SECONDS + GRACE + ROOM


def test_many_results_leave_the_table_out(net):
    """What is to be said is put together after every result."""
    formulas = ["-f", "G quick"] * FORCED_TABLE + ["-f", "G stuck"]
    arguments = ("check", net, "--engine", "explicit", *formulas, "--timeout", str(SECONDS))
    done = watched("time", *arguments, program=STUCK)
    assert [name.split()[1] for name in verdicts(done.out)] == ["TRUE"] * FORCED_TABLE + ["UNKNOWN"]
    assert f"{FORCED_TABLE + 1} properties: {FORCED_TABLE} hold, 1 unknown" in done.out
    assert "verdict  name" not in done.out


def test_a_violation_that_is_known_decides_the_exit_code(net):
    formulas = ("-f", "G !quick", "-f", "G stuck")
    arguments = ("check", net, "--engine", "explicit", *formulas, "--mcc")
    done = watched("time", *arguments, "--timeout", str(SECONDS), program=STUCK)
    assert [line.split()[:3] for line in done.out.splitlines()] == [
        ["FORMULA", "formula-1", "FALSE"],
        ["FORMULA", "formula-2", "CANNOT_COMPUTE"],
    ]
    assert done.code == 1


@pytest.mark.parametrize("target", ["file", "-"])
def test_the_json_report(net, tmp_path, target):
    path = "-" if target == "-" else str(tmp_path / "report.json")
    arguments = ("check", net, *CHECK, "--timeout", str(SECONDS), "--json", path)
    done = watched("time", *arguments, program=STUCK)
    report = json.loads(done.out if path == "-" else Path(path).read_text(encoding="utf-8"))
    assert [result["verdict"] for result in report["results"]] == ["TRUE", "UNKNOWN", "UNKNOWN"]
    assert [result["reason"] for result in report["results"]] == [None, REASON, REASON]
    assert report["exit_code"] == done.code == 2


def test_memory(net):
    done = watched("memory", "check", net, *CHECK, "--memory", "300M", program=STUCK)
    assert done.code == 2
    assert done.err == NOTICE
    assert verdicts(done.out) == KNOWN
    assert done.megabytes <= 330


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal(net, number):
    with subprocess.Popen(
        [*STUCK, "time", "check", net, *CHECK],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(),
    ) as process:
        assert process.stderr.readline() == "stuck\n"
        process.send_signal(number)
        signalled = time.monotonic()
        out, err = process.communicate(timeout=PATIENCE)
    assert time.monotonic() - signalled < GRACE + ROOM
    assert verdicts(out) == KNOWN
    assert (process.returncode, err) == (2, NOTICE)


def test_all_ranks_end(net):
    done = subprocess.run(
        [mpirun(), "-n", "3", *STUCK, "time", "check", net, *CHECK, "--timeout", str(SECONDS)],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        env=mpirun_environment(),
        check=False,
    )
    assert done.returncode == 2
    # The other worker goes on with what is not stuck.
    assert verdicts(done.stdout) == [*KNOWN[:2], "formula-3 TRUE"]
    assert NOTICE in done.stderr


def test_a_translation_ends_with_the_process(tmp_path):
    """Spot works in a child, which must not go on when the parent is killed."""
    atoms = [f'"a + {i}*b >= {i}"' for i in range(1, 17)]
    fair = "!(" + " & ".join(f"(GF {a} -> GF !{a})" for a in atoms) + ")"
    path = saved(u_then_o(), tmp_path)
    mark = uuid4().hex
    with subprocess.Popen(
        command("check", path, "-f", f"({fair}) U X({fair})"),
        stdout=subprocess.DEVNULL,
        env=environment(MPISOG_TEST_MARK=mark),
    ) as process:
        deadline = time.monotonic() + PATIENCE
        while len(processes_with(mark)) < 2 and time.monotonic() < deadline:
            time.sleep(0.05)
        assert len(processes_with(mark)) == 2
        process.kill()
    while processes_with(mark) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not processes_with(mark)
