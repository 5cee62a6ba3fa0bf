"""Teams of real processes: those of ``--jobs`` and ranks of MPI."""

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
from tests.cluster.launching import mpirun, mpirun_environment
from tests.executor.test_jobs import PATIENCE, workers_of
from tests.team.test_mpi import END_WITHIN, finish, pids

PROGRAM = [sys.executable, str(Path(__file__).with_name("team_program.py")), "check"]
JOBS = ["--jobs", "4"]
RANKS = [mpirun(), "-n", "5"]

HOLDS = "G(!(A_1 & B_1))"
FAILS = "G(A_1 -> F B_1)"
LONG = "G(!(A_1 & B_1) & !(C_2 & D_2) & !(E_4 & F_4))"
"""Takes far longer than a test on the net ``large``."""


@pytest.fixture(scope="module")
def nets(tmp_path_factory):
    folder = tmp_path_factory.mktemp("nets")
    for name, size in (("small", 8), ("large", 60)):
        write_net(generate("ring", size), folder / f"{name}.pnml")
    return folder


def start(launcher: list[str], *arguments: object) -> subprocess.Popen[str]:
    pipe = subprocess.PIPE
    command = [*launcher, *PROGRAM, *map(str, arguments)]
    return subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, env=mpirun_environment())


@pytest.mark.parametrize(("launcher", "options"), [([], JOBS), (RANKS, [])], ids=["jobs", "ranks"])
def test_verdicts_and_shares(launcher, options, nets, tmp_path):
    report = tmp_path / "report.json"
    for formula, code in ((HOLDS, 0), (FAILS, 1)):
        run = start(launcher, nets / "small.pnml", "-f", formula, *options, "--json", report)
        found, _, err = finish(run)
        assert (found, err) == (code, "")
        stages = [stage for w in json.loads(report.read_text())["workers"] for stage in w["busy"]]
        assert stages.count("building: sog, with a team") == 2
        assert stages.count("sog, with a team") == 1


@pytest.mark.parametrize(("launcher", "options"), [([], JOBS), (RANKS, [])], ids=["jobs", "ranks"])
def test_the_time_limit(launcher, options, nets):
    run = start(launcher, nets / "large.pnml", "-f", LONG, *options, "--timeout", 3)
    code, out, err = finish(run)
    assert (code, err) == (2, "")
    assert "time limit of 3 s reached" in out


@pytest.mark.parametrize("victim", range(4))
def test_a_worker_that_is_killed(victim, nets):
    """Who builds alone, who leads, or who builds for it: the run goes on."""
    run = start([], nets / "large.pnml", "-f", LONG, *JOBS, "--timeout", 8)
    os.kill(workers_of(run, 4)[victim], signal.SIGKILL)
    code, out, err = finish(run)
    assert code == 2
    assert "time limit of 8 s reached" in out
    assert err.count("was lost (killed by SIGKILL)") == 1


def test_a_rank_that_is_killed(nets, tmp_path):
    logs = tmp_path / "logs"
    run = start(RANKS, nets / "large.pnml", "-f", LONG, "--log-dir", logs)
    deadline = time.monotonic() + PATIENCE
    while "builds for worker" not in "".join(log.read_text() for log in logs.glob("rank-4.log")):
        assert time.monotonic() < deadline, finish(run, END_WITHIN)
        time.sleep(0.1)
    os.kill(pids(logs)[-1], signal.SIGKILL)
    code, out, err = finish(run, END_WITHIN)
    assert code == 4
    assert out.startswith("UNKNOWN")
    assert "rank 4 on" in err
