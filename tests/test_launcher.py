"""Ranks and jobs as launchers and batch systems describe them in the environment."""

from __future__ import annotations

import pytest

from mpisog.launcher import Job, Launch, read_job, read_launch

MPIRUN = {
    "OMPI_COMM_WORLD_RANK": "3",
    "OMPI_COMM_WORLD_SIZE": "8",
    "OMPI_COMM_WORLD_LOCAL_RANK": "1",
    "OMPI_COMM_WORLD_LOCAL_SIZE": "2",
    "PMIX_RANK": "3",
}
SRUN = {
    "SLURM_JOB_ID": "77",
    "SLURM_PROCID": "5",
    "SLURM_STEP_NUM_TASKS": "7",
    "SLURM_NTASKS": "7",
    "SLURM_LOCALID": "1",
    "SLURM_NODEID": "2",
    "SLURM_STEP_TASKS_PER_NODE": "2(x3),1",
}
HYDRA = {"PMI_RANK": "1", "PMI_SIZE": "2", "MPI_LOCALRANKID": "0", "MPI_LOCALNRANKS": "1"}


@pytest.mark.parametrize(
    ("env", "launch"),
    [
        ({}, Launch(None, 0, 1, None, None, False, "h")),
        (MPIRUN, Launch("mpirun", 3, 8, 1, 2, True, "h")),
        (HYDRA, Launch("mpiexec", 1, 2, 0, 1, True, "h")),
        ({**SRUN, "PMIX_RANK": "5"}, Launch("srun", 5, 7, 1, 2, True, "h")),
        ({**SRUN, "PMI_RANK": "5", "PMI_SIZE": "7"}, Launch("srun", 5, 7, 1, 2, True, "h")),
        (SRUN, Launch("srun", 5, 7, 1, 2, False, "h")),
        ({**SRUN, **MPIRUN}, Launch("mpirun", 3, 8, 1, 2, True, "h")),
    ],
    ids=["alone", "Open MPI", "Hydra", "PMIx", "PMI 2", "no PMI", "mpirun in a step"],
)
def test_launchers(env, launch):
    assert read_launch(env, "h") == launch
    assert read_launch(env, "h").parallel is bool(env)


def test_a_batch_script_is_no_rank():
    env = {"SLURM_JOB_ID": "77", "SLURM_PROCID": "0", "SLURM_NTASKS": "4"}
    assert not read_launch(env, "h").parallel


@pytest.mark.parametrize(
    ("node", "size"), [("0", 2), ("2", 2), ("3", 1), ("4", None)], ids=["0", "2", "3", "4"]
)
def test_tasks_on_a_slurm_node(node, size):
    assert read_launch({**SRUN, "SLURM_NODEID": node}, "h").local_size == size


def test_numbers_that_are_none():
    env = {"OMPI_COMM_WORLD_RANK": "", "OMPI_COMM_WORLD_SIZE": "many"}
    assert read_launch(env, "h") == Launch("mpirun", 0, 1, None, None, True, "h")


@pytest.mark.parametrize(
    ("memory", "megabytes"),
    [
        ({}, None),
        ({"SLURM_MEM_PER_NODE": "4000"}, 4000),
        ({"SLURM_MEM_PER_CPU": "500", "SLURM_CPUS_ON_NODE": "6"}, 3000),
    ],
    ids=["unlimited", "per node", "per processor"],
)
def test_a_slurm_job(memory, megabytes):
    env = {
        "SLURM_JOB_ID": "77",
        "SLURM_JOB_NODELIST": "n[1-3]",
        "SLURM_JOB_NUM_NODES": "3",
        "SLURM_CPUS_PER_TASK": "4",
        **memory,
    }
    assert read_job(env) == Job("slurm", "77", "n[1-3]", 3, 4, megabytes)


def test_an_oar_job(tmp_path):
    hosts = tmp_path / "nodes"
    hosts.write_text("gros-1\ngros-1\ngros-2\ngros-2\n")
    env = {"OAR_JOB_ID": "9", "OAR_NODEFILE": str(hosts)}
    assert read_job(env) == Job("oar", "9", "gros-1,gros-2", 2, None, None)
    assert read_job({"OAR_JOB_ID": "9"}) == Job("oar", "9", None, None, None, None)


def test_no_job():
    assert read_job({"OMPI_COMM_WORLD_SIZE": "2"}) is None
