"""Who started this process, and where it stands among its siblings.

Only the environment is read. Importing MPI takes up to a second and joins the job, so what needs
it asks here first whether there is a job to join: ``current().parallel``.
"""

from __future__ import annotations

import os
import re
import socket
from collections.abc import Mapping
from dataclasses import dataclass

Environment = Mapping[str, str]


@dataclass(frozen=True)
class Launch:
    """What the launcher says; MPI itself may see fewer ranks, see ``connected``."""

    launcher: str | None
    """``mpirun`` (Open MPI), ``mpiexec`` (MPICH and its relatives), ``srun``, or nothing."""
    rank: int
    size: int
    """Ranks that were asked for. When MPI sees another number, it does not know the launcher."""
    local_rank: int | None
    """The rank's number on its host."""
    local_size: int | None
    """Ranks on this host."""
    connected: bool
    """The launcher offers its ranks a way to find each other. ``srun`` without a matching
    ``--mpi`` does not, and then starts ``size`` programs that know nothing of each other."""
    host: str

    @property
    def parallel(self) -> bool:
        """There is a launcher, be it with one rank only."""
        return self.launcher is not None


@dataclass(frozen=True)
class Job:
    """What the batch system says about the job this process is in."""

    scheduler: str
    """``slurm`` or ``oar``."""
    id: str
    nodes: str | None
    """The hosts, as the scheduler writes them."""
    node_count: int | None
    cpus_per_task: int | None
    memory_mb: int | None
    """The limit on this host, where it is known."""


def current() -> Launch:
    """The launch of this process."""
    return read_launch(os.environ, socket.gethostname())


def current_job() -> Job | None:
    """The batch job this process is in, if any."""
    return read_job(os.environ)


def read_launch(env: Environment, host: str) -> Launch:
    """What ``env`` says. An inner launcher wins: ``mpirun`` inside a Slurm job is ``mpirun``."""
    if "OMPI_COMM_WORLD_SIZE" in env:
        return Launch(
            "mpirun",
            _number(env, "OMPI_COMM_WORLD_RANK", 0),
            _number(env, "OMPI_COMM_WORLD_SIZE", 1),
            _optional(env, "OMPI_COMM_WORLD_LOCAL_RANK"),
            _optional(env, "OMPI_COMM_WORLD_LOCAL_SIZE"),
            connected=True,
            host=host,
        )
    # Only srun tells the tasks of a step; a batch script and a shell of salloc are no ranks.
    if "SLURM_STEP_NUM_TASKS" in env and "SLURM_PROCID" in env:
        return Launch(
            "srun",
            _number(env, "SLURM_PROCID", 0),
            _number(env, "SLURM_STEP_NUM_TASKS", 1),
            _optional(env, "SLURM_LOCALID"),
            _slurm_local_size(env),
            connected="PMIX_RANK" in env or "PMI_RANK" in env,
            host=host,
        )
    if "PMI_RANK" in env and "PMI_SIZE" in env:
        return Launch(
            "mpiexec",
            _number(env, "PMI_RANK", 0),
            _number(env, "PMI_SIZE", 1),
            _optional(env, "MPI_LOCALRANKID"),
            _optional(env, "MPI_LOCALNRANKS"),
            connected=True,
            host=host,
        )
    return Launch(None, 0, 1, None, None, connected=False, host=host)


def read_job(env: Environment) -> Job | None:
    """What ``env`` says of Slurm or OAR."""
    if "SLURM_JOB_ID" in env:
        return Job(
            "slurm",
            env["SLURM_JOB_ID"],
            env.get("SLURM_JOB_NODELIST"),
            _optional(env, "SLURM_JOB_NUM_NODES"),
            _optional(env, "SLURM_CPUS_PER_TASK"),
            _slurm_memory(env),
        )
    if "OAR_JOB_ID" in env:
        nodes = _oar_nodes(env)
        count = None if nodes is None else len(nodes)
        listed = None if nodes is None else ",".join(nodes)
        return Job("oar", env["OAR_JOB_ID"], listed, count, None, None)
    return None


def _slurm_local_size(env: Environment) -> int | None:
    """Of ``2(x3),1``: tasks of the first three nodes, and of the fourth."""
    sizes: list[int] = []
    for found in re.finditer(r"(\d+)(?:\(x(\d+)\))?", env.get("SLURM_STEP_TASKS_PER_NODE", "")):
        sizes += [int(found[1])] * int(found[2] or 1)
    node = _number(env, "SLURM_NODEID", 0)
    return sizes[node] if node < len(sizes) else None


def _slurm_memory(env: Environment) -> int | None:
    per_node = _optional(env, "SLURM_MEM_PER_NODE")
    if per_node is not None:
        return per_node
    per_cpu, cpus = _optional(env, "SLURM_MEM_PER_CPU"), _optional(env, "SLURM_CPUS_ON_NODE")
    return None if per_cpu is None or cpus is None else per_cpu * cpus


def _oar_nodes(env: Environment) -> list[str] | None:
    """The node file has a line for each core."""
    try:
        with open(env["OAR_NODEFILE"], encoding="utf-8") as stream:
            return list(dict.fromkeys(line.strip() for line in stream if line.strip()))
    except (KeyError, OSError):
        return None


def _number(env: Environment, name: str, default: int) -> int:
    number = _optional(env, name)
    return default if number is None else number


def _optional(env: Environment, name: str) -> int | None:
    try:
        return int(env[name])
    except (KeyError, ValueError):
        return None
