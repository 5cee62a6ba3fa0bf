"""The doctor: alone, on ranks that meet, on ranks that do not, and on machines with faults."""

from __future__ import annotations

import json
import sys

import pytest

from mpisog.cli.main import main
from mpisog.cluster import local_checks, mpi_checks
from mpisog.cluster.findings import Level, exit_code, failure, ok, warning
from mpisog.cluster.mpi_checks import Place, host_finding, place_findings, speed_finding
from mpisog.launcher import Job, Launch
from mpisog.verdict import ExitCode
from tests.cluster.launching import on_ranks, start_on_ranks
from tests.helpers import mpisog


def findings(report: str) -> dict[str, dict[str, str]]:
    return {finding["name"]: finding for finding in json.loads(report)["findings"]}


def test_alone(tmp_path):
    target = tmp_path / "report.json"
    done = mpisog("doctor", "--json", str(target))
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert lines[0].startswith("ok       python: 3.")
    assert lines[-1].startswith("ok ")
    assert lines[-1].endswith(", failures 0")
    report = json.loads(target.read_text())
    assert (report["schema"], report["command"], report["exit_code"]) == (1, "doctor", 0)
    found = findings(target.read_text())
    assert {"python", "spot", "native core", "cores", "memory", "temporary space", "mpi"} <= {
        *found
    }
    assert all(entry["level"] != "failure" for entry in found.values())
    assert all((entry["advice"] is None) == (entry["level"] == "ok") for entry in found.values())


def test_three_ranks_meet(tmp_path):
    target = tmp_path / "report.json"
    done = on_ranks(3, "doctor", "--json", str(target))
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("python: ") == 1  # the other ranks say nothing
    assert "\033" not in done.stdout  # mpirun's terminal is nobody's
    found = findings(target.read_text())
    assert found["ranks"]["detail"] == "3, started by mpirun"
    assert "thread level MULTIPLE" in found["mpi"]["detail"]
    assert "went round 3 ranks" in found["ring"]["detail"]
    assert "network" in found
    (host,) = (entry for name, entry in found.items() if name.startswith("host "))
    assert host["detail"].startswith("ranks 3, threads of each 1, cores ")


ONE_RANK_IS_SILENT = """
import time
from mpi4py import MPI
from mpisog import launcher
from mpisog.cluster import mpi_checks
if MPI.COMM_WORLD.rank == 1:
    time.sleep(600)
mpi_checks.NEWS_TIMEOUT = 0.5
for finding in mpi_checks.together(launcher.current(), 1):
    pass
"""


def test_a_rank_without_news_does_not_hang_the_doctor():
    done = start_on_ranks(2, [sys.executable, "-c", ONE_RANK_IS_SILENT])
    assert done.returncode == 1
    assert "mpisog: rank 0 on " in done.stderr
    assert "has had no news for 0.5 s" in done.stderr


SRUN = {"SLURM_JOB_ID": "7", "SLURM_PROCID": "0", "SLURM_STEP_NUM_TASKS": "4"}


def test_ranks_of_srun_that_cannot_meet():
    done = mpisog("doctor", "--json", "-", **SRUN)
    assert done.returncode == 1
    found = findings(done.stdout)["ranks"]
    assert found["level"] == "failure"
    assert found["detail"] == "srun started 4 programs that do not know of each other"
    assert "--mpi=pmix" in found["advice"]


def test_only_the_first_of_them_says_so():
    done = mpisog("doctor", **{**SRUN, "SLURM_PROCID": "3"})
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "")


def test_fewer_ranks_than_started():
    """As under ``srun --mpi=pmi2``, which Open MPI 5 does not understand."""
    pytest.importorskip("mpi4py")
    done = mpisog("doctor", "--json", "-", **SRUN, PMI_RANK="0", PMI_SIZE="4")
    assert done.returncode == 1
    assert findings(done.stdout)["ranks"]["detail"] == "srun started 4 ranks, MPI sees 1"


def test_no_mpi_is_a_warning(monkeypatch):
    monkeypatch.setattr(mpi_checks, "find_spec", lambda _name: None)
    (found,) = mpi_checks.alone()
    assert found.level is Level.WARNING
    assert "pip install 'mpisog[mpi]'" in found.advice


@pytest.mark.parametrize(
    ("probe", "detail"),
    [
        ("import sys; sys.exit('libmpi.so: not found')", "cannot be loaded: libmpi.so: not found"),
        ("import sys; sys.exit(3)", "cannot be loaded: no message"),
        ("import time; time.sleep(60)", "does not start within 0.5 s"),
    ],
)
def test_a_broken_mpi_is_a_warning(monkeypatch, probe, detail):
    monkeypatch.setattr(mpi_checks, "_PROBE", probe)
    monkeypatch.setattr(mpi_checks, "find_spec", lambda _name: object())
    if "within" in detail:
        monkeypatch.setattr(mpi_checks, "NEWS_TIMEOUT", 0.5)
    (found,) = mpi_checks.alone()
    assert (found.level, found.detail) == (Level.WARNING, detail)


def test_a_native_core_that_is_wrong(monkeypatch, capsys):
    monkeypatch.setattr("mpisog.engines.unit.is_counterexample", lambda *_: 1 / 0)
    assert main(["doctor"]) == ExitCode.VIOLATED
    out = capsys.readouterr().out
    assert "failure  native core: explicit, auto: ZeroDivisionError: division by zero\n" in out
    assert out.endswith("failures 1\n")


def test_levels_and_exit_codes():
    fine, poor, bad = ok("a", "b"), warning("a", "b", "c"), failure("a", "b", "c")
    assert exit_code([fine, poor]) is ExitCode.OK
    assert exit_code([fine, bad, poor]) is ExitCode.VIOLATED


def place(cores, threads=1, quota=None, versions="same"):
    return Place("h", frozenset(cores), quota, threads, versions)


@pytest.mark.parametrize(
    ("places", "level", "part"),
    [
        ([place({0}), place({1})], Level.OK, "ranks 2, threads of each 1, cores 2"),
        ([place({0, 1}, 2)], Level.OK, "cores 2"),
        ([place({0, 1}), place({0, 1}), place({0, 1})], Level.WARNING, "cores 2: oversubscribed"),
        ([place({0, 1}, 2), place({0, 1}, 2)], Level.WARNING, "oversubscribed"),
        ([place({0}, 1), place({0}, 1)], Level.WARNING, "cores 1: oversubscribed"),
        ([place({0, 1, 2, 3}, 2, 1.5)], Level.WARNING, "cores 1: oversubscribed"),
        ([place({0}, 2), place({1, 2, 3}, 2)], Level.WARNING, "but bound to fewer each"),
    ],
)
def test_cores_of_a_host(places, level, part):
    found = host_finding("h", places)
    assert found.level is level
    assert part in found.detail


def test_different_installations():
    first, *_ = place_findings([place({0}, versions="mpisog 1"), place({1}, versions="mpisog 2")])
    assert first.level is Level.FAILURE
    assert first.detail == "1 ranks with mpisog 1; 1 ranks with mpisog 2"


@pytest.mark.parametrize(
    ("latencies", "rates", "level"),
    [
        ({1: 1e-6, 5: 2e-6}, {1: 2**30, 5: 2**30}, Level.OK),
        ({1: 1e-6, 5: 2e-2}, {1: 2**30, 5: 2**30}, Level.WARNING),
        ({1: 1e-6, 5: 2e-6}, {1: 2**30, 5: 2**20}, Level.WARNING),
    ],
    ids=["fine", "slow answers", "narrow"],
)
def test_speed(latencies, rates, level):
    found = speed_finding(latencies, rates)
    assert found.level is level
    assert found.detail.startswith("1 µs to ")
    if level is Level.WARNING:
        assert "rank 5 is slowest" in found.advice


@pytest.mark.parametrize(
    ("megabytes", "ranks", "level"),
    [(4000, 1, Level.OK), (500, 1, Level.WARNING), (4000, 4, Level.WARNING), (4096, 4, Level.OK)],
)
def test_memory(monkeypatch, megabytes, ranks, level):
    monkeypatch.setattr(local_checks, "available_memory", lambda: megabytes * 2**20)
    monkeypatch.setattr(local_checks, "cgroup_memory", lambda: None)
    assert local_checks.memory(Launch("mpirun", 0, ranks, 0, ranks, True, "h")).level is level


def test_the_limits_of_a_job():
    job = Job("slurm", "7", "n[1-2]", 2, 4, 3000)
    detail = "slurm job 7, on n[1-2], 4 processors a rank, 2.93 GB a node"
    assert local_checks.batch_job(job).detail == detail


def test_temporary_space(monkeypatch, tmp_path):
    assert local_checks.temporary_space("/tmp").level is Level.OK
    deep = tmp_path / ("x" * 60)
    deep.mkdir()
    assert "shorter path" in local_checks.temporary_space(str(deep)).advice
    missing = local_checks.temporary_space(str(tmp_path / "none"))
    assert (missing.level, missing.detail.endswith("is not writable")) == (Level.FAILURE, True)
    monkeypatch.setattr(local_checks, "_LITTLE_SPACE", 2**80)
    assert local_checks.temporary_space("/tmp").level is Level.WARNING
