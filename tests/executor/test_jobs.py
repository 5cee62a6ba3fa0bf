"""``--jobs``: worker processes of this machine, however they end."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from mpisog.nets.generators import generate
from mpisog.nets.load import write_net

PROGRAM = [sys.executable, "-m", "mpisog", "check"]
PATIENCE = 120
"""Seconds after which a run counts as hung."""

HOLDS = "G(!(Eat_1 & Eat_2))"
FAILS = "G(Think_1 -> F Eat_1)"
LONG = "G(Entered -> F InBath)"
"""Takes long on the net ``large``, whatever is tried."""


@pytest.fixture(scope="module")
def nets(tmp_path_factory):
    folder = tmp_path_factory.mktemp("nets")
    for name, net in (
        ("small", generate("philosophers", 5)),
        ("large", generate("swimming_pool", 150)),
    ):
        write_net(net, folder / f"{name}.pnml")
    return folder


def start(*arguments: object) -> subprocess.Popen[str]:
    pipe = subprocess.PIPE
    return subprocess.Popen([*PROGRAM, *map(str, arguments)], stdout=pipe, stderr=pipe, text=True)


def finish(run: subprocess.Popen[str]) -> tuple[int, str, str]:
    out, err = run.communicate(timeout=PATIENCE)
    return run.returncode, out, err


def children(pid: int) -> list[int]:
    return [int(p) for p in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def workers_of(run: subprocess.Popen[str], count: int) -> list[int]:
    """When all of them are at work."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline and run.poll() is None:
        found = children(run.pid)
        if len(found) == count and all(_seconds(pid) > 0.1 for pid in found):
            return found
        time.sleep(0.05)
    raise AssertionError(finish(run))


def _seconds(pid: int) -> float:
    """Processor time."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def verdicts(out: str) -> list[str]:
    words = (line.split() for line in out.splitlines() if not line.startswith(" "))
    named = [word for word in words if word[1].endswith(":") and word[0].isupper()]
    return [word[0] for word in named]


@pytest.mark.parametrize("jobs", [2, 5])
def test_verdicts_are_those_of_one_process(jobs, nets, tmp_path):
    report = tmp_path / "report.json"
    formulas = ["-f", HOLDS, "-f", FAILS, "-f", f"({HOLDS}) & ({FAILS})", "-f", "G !dead"]
    options = [nets / "small.pnml", *formulas, "--no-trace", "--json", report]
    alone = finish(start(*options))
    code, out, err = finish(start(*options, "--jobs", jobs))
    assert (code, err) == (1, "")
    assert verdicts(out) == verdicts(alone[1]) == ["TRUE", "FALSE", "FALSE", "FALSE"]
    workers = json.loads(report.read_text())["workers"]
    assert [worker["worker"] for worker in workers] == sorted(w["worker"] for w in workers)
    assert sum(worker["units"] for worker in workers) >= 4
    for worker in workers:
        assert worker["busy_share"] + worker["idle_share"] == pytest.approx(1)


def test_a_worker_that_is_killed_is_replaced(nets):
    """Its unit goes to another one, and that is said once."""
    run = start(
        nets / "large.pnml",
        "-f",
        LONG,
        "-f",
        "G !Entered",
        "-f",
        "G !InBath",
        "--timeout",
        10,
        "--jobs",
        2,
    )
    victim = workers_of(run, 2)[0]
    os.kill(victim, signal.SIGKILL)
    code, out, err = finish(run)
    assert verdicts(out)[0] in (
        "TRUE",
        "UNKNOWN",
    )  # it holds, which takes about as long as there is
    assert verdicts(out)[1:] == ["FALSE", "FALSE"]
    assert code == 1
    assert err.count("was lost (killed by SIGKILL)") == 1
    assert len(err.splitlines()) == 1


def test_the_time_limit_is_for_each_formula(nets):
    code, out, err = finish(
        start(nets / "large.pnml", "-f", LONG, "-f", LONG, "-f", LONG, "--timeout", 1, "--jobs", 2)
    )
    assert (code, err) == (2, "")
    assert out.count("reason: time limit of 1 s reached") == 3


def test_the_total_time_limit(nets):
    code, out, err = finish(
        start(nets / "large.pnml", "-f", LONG, "-f", LONG, "--total-timeout", 1, "--jobs", 2)
    )
    assert (code, err) == (2, "")
    assert out.count("reason: total time limit of 1 s reached") == 2


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_signals(number, nets):
    run = start(nets / "large.pnml", "-f", "G !Entered", "-f", LONG, "--jobs", 2)
    pids = workers_of(run, 2)
    run.send_signal(number)
    code, out, err = finish(run)
    assert err == ""
    assert "interrupted" in out
    assert code in (1, 2)
    assert not any(Path(f"/proc/{pid}").exists() for pid in pids)


def test_workers_end_when_the_run_is_killed(nets):
    run = start(nets / "large.pnml", "-f", LONG, "--jobs", 2)
    pids = workers_of(run, 2)
    run.kill()
    run.communicate()
    deadline = time.monotonic() + PATIENCE
    while any(Path(f"/proc/{pid}").exists() for pid in pids):
        assert time.monotonic() < deadline
        time.sleep(0.05)
