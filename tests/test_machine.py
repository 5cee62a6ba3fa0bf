"""Processors and memory inside control groups, from files as Linux writes them."""

from __future__ import annotations

import os

import pytest

from mpisog import machine
from mpisog.machine import available_memory, cgroup_memory, cpu_quota, usable_cores


@pytest.fixture
def cgroups(tmp_path, monkeypatch):
    """Writes control groups: the process's own lines, then files and what they say."""
    root = tmp_path / "cgroup"
    root.mkdir()
    monkeypatch.setattr(machine, "CGROUPS", root)
    monkeypatch.setattr(machine, "OWN_CGROUPS", tmp_path / "own")

    def write(own, **files):
        (tmp_path / "own").write_text(own)
        for name, text in files.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f"{text}\n")

    return write


JOB = "system.slice/slurmstepd.scope/job_7"


def test_no_limits(cgroups):
    cgroups("0::/\n", **{"memory.max": "max", "memory.current": "5", "cpu.max": "max 100000"})
    assert (cgroup_memory(), cpu_quota()) == (None, None)
    assert usable_cores() == len(os.sched_getaffinity(0))
    assert available_memory() > 0


def test_a_slurm_jobs_limits_are_above_its_step(cgroups):
    cgroups(
        f"0::/{JOB}/step_0/user/task_1\n",
        **{
            f"{JOB}/memory.max": "3000",
            f"{JOB}/memory.current": "1000",
            f"{JOB}/step_0/memory.max": "max",
            f"{JOB}/step_0/memory.current": "900",
            f"{JOB}/cpu.max": "150000 100000",
        },
    )
    assert (cgroup_memory(), cpu_quota(), usable_cores()) == (2000, 1.5, 1)
    assert available_memory() == 2000


def test_version_1(cgroups):
    cgroups(
        "4:memory:/slurm/job_7\n3:cpu,cpuacct:/slurm/job_7\n0::/\n",
        **{
            "memory/slurm/job_7/memory.limit_in_bytes": "800",
            "memory/slurm/job_7/memory.usage_in_bytes": "900",
            "memory/memory.limit_in_bytes": "9223372036854771712",
            "memory/memory.usage_in_bytes": "1",
            "cpu/slurm/job_7/cpu.cfs_quota_us": "-1",
            "cpu/slurm/job_7/cpu.cfs_period_us": "100000",
            "cpu/cpu.cfs_quota_us": "50000",
            "cpu/cpu.cfs_period_us": "100000",
        },
    )
    assert (cgroup_memory(), cpu_quota(), usable_cores()) == (0, 0.5, 1)


def test_a_container_sees_the_root_only(cgroups):
    cgroups("0::/docker/abc\n", **{"memory.max": "600", "memory.current": "100"})
    assert cgroup_memory() == 500


def test_no_control_groups(cgroups):
    assert (cgroup_memory(), cpu_quota()) == (None, None)
