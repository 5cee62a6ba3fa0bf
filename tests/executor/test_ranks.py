"""Ranks of MPI that run units: rank 0 alone has the net, the formulas and the settings."""

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
from tests.executor.test_jobs import FAILS, HOLDS, LONG, PATIENCE, verdicts
from tests.team.test_mpi import END_WITHIN, PROGRAM, assert_ended, assert_gone, finish, pids

STUBBORN = Path(__file__).with_name("stubborn.py")
FORMULAS = ["-f", HOLDS, "-f", FAILS, "-f", f"({HOLDS}) & ({FAILS})", "-f", "G !dead"]


def contexts(first: list[object], others: list[object], ranks: int) -> subprocess.Popen[str]:
    """A run whose rank 0 is started in another way than the others."""
    pipe = subprocess.PIPE
    command = [mpirun(), "-n", 1, *first, ":", "-n", ranks - 1, *others]
    return subprocess.Popen(
        [*map(str, command)], stdout=pipe, stderr=pipe, text=True, env=mpirun_environment()
    )


@pytest.mark.parametrize("engine", ["auto", "sog"])
def test_only_rank_0_has_files_and_settings(engine, tmp_path):
    """The others are in another folder, with another configuration, environment and command."""
    here, there, config = (tmp_path / name for name in ("here", "there", "config"))
    (config / "mpisog").mkdir(parents=True)
    here.mkdir()
    there.mkdir()
    write_net(generate("philosophers", 5), here / "net.pnml")
    settings = (
        "[check]\nengine = 'mclcd'\ntimeout = 0.000001\nmemory = '1M'\nplacement = 'canonical'\n"
    )
    (config / "mpisog" / "config.toml").write_text(settings)
    wrong = [
        "env", f"XDG_CONFIG_HOME={config}", "MPISOG_TIMEOUT=0.000001", "MPISOG_ENGINE=nonsense",
        "MPISOG_STRATEGY=on-demand", "MPISOG_DIGEST=xxh3",
    ]  # fmt: skip
    check = [*PROGRAM, "check", "net.pnml", *FORMULAS, "--engine", engine, "--no-trace"]
    other = [*PROGRAM, "check", "nowhere.pnml", "-f", "((", "--engine", "none"]
    run = contexts(["--wdir", here, *check], ["--wdir", there, *wrong, *other], ranks=3)
    code, out, err = finish(run)
    assert (code, err) == (1, "")
    assert verdicts(out) == ["TRUE", "FALSE", "FALSE", "FALSE"]


def test_each_rank_has_its_share(tmp_path):
    net, report = tmp_path / "net.pnml", tmp_path / "report.json"
    write_net(generate("philosophers", 5), net)
    command = [mpirun(), "-n", "3", *PROGRAM, "check", net, *FORMULAS, "--json", report, "-v"]
    pipe = subprocess.PIPE
    run = subprocess.Popen(
        [*map(str, command)], stdout=pipe, stderr=pipe, text=True, env=mpirun_environment()
    )
    _, out, _ = finish(run)
    workers = json.loads(report.read_text())["workers"]
    assert {worker["worker"] for worker in workers} <= {1, 2}
    assert all(f"worker {worker['worker']}: {worker['units']} units" in out for worker in workers)


def test_jobs_and_ranks_exclude_each_other(tmp_path):
    net = tmp_path / "net.pnml"
    write_net(generate("philosophers", 5), net)
    command = [mpirun(), "-n", "2", *PROGRAM, "check", str(net), "-f", HOLDS, "--jobs", "2"]
    pipe = subprocess.PIPE
    code, out, err = finish(
        subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, env=mpirun_environment())
    )
    assert (code, out) == (3, "")
    assert "--jobs" in err


@pytest.mark.parametrize(("formula", "code"), [(HOLDS, 0), (FAILS, 1)])
def test_a_rank_that_does_not_listen_cannot_keep_the_job(formula, code, tmp_path):
    """There is no time limit, so its watchdog waits for nothing."""
    net = tmp_path / "net.pnml"
    write_net(generate("philosophers", 5), net)
    command = [mpirun(), "-n", 3, sys.executable, STUBBORN, 2, "check", net, "-f", formula, "--mcc"]
    pipe = subprocess.PIPE
    run = subprocess.Popen(
        [*map(str, command)], stdout=pipe, stderr=pipe, text=True, env=mpirun_environment()
    )
    found, out, err = finish(run)
    assert_ended(found, code)
    assert ("TRUE", "FALSE")[code] in out
    assert out.endswith(" PARALLEL_PROCESSING\n")
    assert err.count("mpisog: ended by force: rank 2 did not stop") == 1


def test_a_rank_that_is_killed_ends_the_run(tmp_path):
    """Every verdict found so far is printed, whatever comes before it in the input."""
    net, logs = tmp_path / "net.pnml", tmp_path / "logs"
    write_net(generate("swimming_pool", 150), net)
    check = [
        *PROGRAM,
        "check",
        net,
        "-f",
        LONG,
        "-f",
        "G !Entered",
        "--no-trace",
        "--log-dir",
        logs,
    ]
    pipe = subprocess.PIPE
    run = subprocess.Popen(
        [mpirun(), "-n", "3", *map(str, check)],
        stdout=pipe, stderr=pipe, text=True, env=mpirun_environment(),
    )  # fmt: skip
    deadline = time.monotonic() + PATIENCE
    while not _is_found(logs):
        assert time.monotonic() < deadline, finish(run, END_WITHIN)
        time.sleep(0.1)
    os.kill(pids(logs)[-1], signal.SIGKILL)
    code, out, err = finish(run, END_WITHIN)
    assert_ended(code, 4)
    assert verdicts(out) == ["UNKNOWN", "FALSE"]
    assert "rank 2 on" in err
    assert "SIGKILL" in err
    assert_gone(logs)


def _is_found(logs: Path) -> bool:
    """Whether a worker has a counterexample of the second formula, and some time ago."""
    texts = [log.read_text() for log in logs.glob("rank-*.log")]
    later = "of formula-1 begins"
    return any("there is a counterexample" in t and later in t.split("there is")[1] for t in texts)
