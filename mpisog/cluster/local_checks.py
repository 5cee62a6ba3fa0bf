"""The doctor's look at one machine: Python, Spot, the native core, limits, space."""

from __future__ import annotations

import os
import platform
import resource
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from mpisog import __version__
from mpisog.cluster.findings import Finding, failure, ok, warning
from mpisog.config import RunConfig
from mpisog.launcher import Job, Launch
from mpisog.machine import available_memory, cgroup_memory, cpu_quota, usable_cores
from mpisog.sizes import format_bytes

_REINSTALL = "build mpisog again on this machine: pip install --force-reinstall"
_LITTLE_MEMORY = 2**30
_LITTLE_SPACE = 2**30
_LITTLE_SHARED_MEMORY = 2**27
_LONG_PATH = 60
"""Characters; a socket's path may have 108, and MPI adds its own folders to the temporary one."""


def local_findings(launch: Launch, job: Job | None) -> Iterator[Finding]:
    """Everything that one process can see."""
    yield ok("python", f"{platform.python_version()}, mpisog {__version__}, {platform.platform()}")
    yield spot()
    yield from native_core()
    yield cores()
    yield memory(launch)
    if job is not None:
        yield batch_job(job)
    yield temporary_space(tempfile.gettempdir())
    yield from shared_memory()
    yield from locked_memory()


def spot() -> Finding:
    """Spot can be loaded and translates."""
    try:
        from mpisog.spotglue.about import spot_version

        return ok("spot", spot_version())
    except ImportError as error:
        return failure("spot", f"cannot be loaded: {error}", "pip install spottl")


def native_core() -> Iterator[Finding]:
    """Each engine and backend of the native core gives known verdicts on a small net."""
    try:
        from mpisog import _native
    except ImportError as error:
        yield failure("native core", f"cannot be loaded: {error}", _REINSTALL)
        return
    for engine, backend in (("explicit", "auto"), ("sog", "bits"), ("sog", "mdd")):
        wrong = _self_check(RunConfig(engine=engine, backend=backend))
        if wrong is not None:
            yield failure("native core", f"{engine}, {backend}: {wrong}", _REINSTALL)
            return
    yield ok("native core", f"engines and decision diagrams agree, built by {_native.compiler}")


def _self_check(config: RunConfig) -> str | None:
    """What is wrong with the verdicts on a light that is switched on and off for ever."""
    from mpisog.executor.checks import check_all
    from mpisog.formulas.properties import from_texts
    from mpisog.nets.model import make_net

    light = make_net(
        "light", {"off": 1, "on": 0}, {"up": (["off"], ["on"]), "down": (["on"], ["off"])}
    )
    try:
        results = list(check_all(light, from_texts(["G F on", "F G on"]), config))
    except Exception as error:  # whatever it is, it is the finding
        return f"{type(error).__name__}: {error}"
    verdicts = [str(result.verdict) for result in results]
    return None if verdicts == ["TRUE", "FALSE"] else f"wrong verdicts {' '.join(verdicts)}"


def cores() -> Finding:
    """What this process may use of the machine's processors."""
    machine, usable, quota = os.cpu_count() or 1, usable_cores(), cpu_quota()
    detail = f"{usable} of the machine's {machine} for this process"
    if quota is not None:
        detail += f", control group grants the time of {quota:g}"
    return ok("cores", detail)


def memory(launch: Launch) -> Finding:
    """What the ranks of this machine share."""
    available, in_group = available_memory(), cgroup_memory()
    if available is None:
        return warning("memory", "not known", "give --memory SIZE")
    ranks = launch.local_size or 1
    detail = f"{format_bytes(available)} available"
    if in_group is not None and in_group <= available:
        detail += " in this control group"
    if ranks > 1:
        detail += f", for {ranks} ranks"
    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    if limit != resource.RLIM_INFINITY:
        advice = "ulimit -v unlimited; mpisog keeps to --memory itself"
        return warning("memory", f"{detail}; address space {format_bytes(limit)}", advice)
    if available < ranks * _LITTLE_MEMORY:
        return warning("memory", detail, "ask for more memory, or start fewer ranks")
    return ok("memory", detail)


def batch_job(job: Job) -> Finding:
    """The limits of the batch system."""
    parts = [f"{job.scheduler} job {job.id}"]
    if job.nodes is not None:
        parts.append(f"on {job.nodes}")
    if job.cpus_per_task is not None:
        parts.append(f"{job.cpus_per_task} processors a rank")
    if job.memory_mb:
        parts.append(f"{format_bytes(job.memory_mb * 2**20)} a node")
    return ok("batch job", ", ".join(parts))


def temporary_space(folder: str) -> Finding:
    """MPI keeps its sockets there."""
    advice = "set TMPDIR to a local folder with space"
    if not os.access(folder, os.W_OK):
        return failure("temporary space", f"{folder} is not writable", advice)
    free = shutil.disk_usage(folder).free
    detail = f"{format_bytes(free)} free in {folder}"
    if free < _LITTLE_SPACE:
        return warning("temporary space", detail, advice)
    if len(folder) > _LONG_PATH:
        return warning("temporary space", detail, "set TMPDIR to a shorter path: sockets need it")
    return ok("temporary space", detail)


def shared_memory() -> Iterator[Finding]:
    """Ranks on one machine exchange messages through it."""
    with suppress(OSError):
        free = shutil.disk_usage("/dev/shm").free
        detail = f"{format_bytes(free)} free in /dev/shm"
        if free < _LITTLE_SHARED_MEMORY:
            yield warning("shared memory", detail, "in a container: --shm-size=1g")
        else:
            yield ok("shared memory", detail)


def locked_memory() -> Iterator[Finding]:
    """InfiniBand needs it, nothing else does."""
    limit = resource.getrlimit(resource.RLIMIT_MEMLOCK)[0]
    if Path("/sys/class/infiniband").is_dir() and limit != resource.RLIM_INFINITY:
        yield warning(
            "locked memory",
            f"{format_bytes(limit)}, and there is InfiniBand",
            "ulimit -l unlimited; under Slurm: PropagateResourceLimitsExcept=MEMLOCK",
        )
