"""What this process may use of its machine: processors and memory.

Batch systems and containers give a part of a machine, by affinity or by control groups. Those of a
Slurm job are far below the root, so the way up from the process's own group is looked at.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

CGROUPS = Path("/sys/fs/cgroup")
OWN_CGROUPS = Path("/proc/self/cgroup")

_PR_SET_PDEATHSIG = 1


def die_with_parent() -> None:
    """The system kills this child when its parent ends, however that happens."""
    import ctypes

    with suppress(OSError, AttributeError):  # a system without it
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def usable_cores() -> int:
    """Processors that the affinity mask and the control groups leave, at least one."""
    cores = len(os.sched_getaffinity(0))
    quota = cpu_quota()
    return cores if quota is None else max(1, min(cores, int(quota)))


def cpu_quota() -> float | None:
    """Processors' worth of time that the control groups grant, or nothing without a limit."""
    return min(_quotas(), default=None)


def available_memory() -> int | None:
    """Bytes that the machine and the control groups can still give."""
    amounts = [amount for amount in (_machine_memory(), cgroup_memory()) if amount is not None]
    return min(amounts, default=None)


def cgroup_memory() -> int | None:
    """Bytes that the control groups leave, or nothing without a limit."""
    return min(_cgroup_rests(), default=None)


def _machine_memory() -> int | None:
    with suppress(OSError):
        for line in Path("/proc/meminfo").read_text().splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    return None


def _cgroup_rests() -> Iterator[int]:
    for controller, limit, usage in (
        ("", "memory.max", "memory.current"),
        ("memory", "memory.limit_in_bytes", "memory.usage_in_bytes"),
    ):
        for folder in _cgroup_folders(controller):
            with suppress(OSError, ValueError):  # "max" is no number: there is no limit
                total = int((folder / limit).read_text())
                yield max(0, total - int((folder / usage).read_text()))


def _quotas() -> Iterator[float]:
    for folder in _cgroup_folders(""):
        with suppress(OSError, ValueError):  # "max 100000": no limit
            quota, period = (folder / "cpu.max").read_text().split()
            yield int(quota) / int(period)
    for folder in _cgroup_folders("cpu"):
        with suppress(OSError, ValueError):
            quota_us = int((folder / "cpu.cfs_quota_us").read_text())
            if quota_us > 0:  # -1: no limit
                yield quota_us / int((folder / "cpu.cfs_period_us").read_text())


def _cgroup_folders(controller: str) -> Iterator[Path]:
    """The process's own group and those above it; without a controller: of version 2.

    In a container the own path may lie outside what is mounted; then what is there is the root.
    """
    own = "/"
    with suppress(OSError):
        for line in OWN_CGROUPS.read_text().splitlines():
            _, controllers, path = line.split(":", 2)
            if controller in controllers.split(","):
                own = path
    root = CGROUPS / controller
    folder = root / own.strip("/")
    while folder != root:
        yield folder
        folder = folder.parent
    yield root
