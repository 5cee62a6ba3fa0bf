"""The doctor's look at MPI: whether ranks see each other, and how fast messages are.

``together`` must be called by every rank. Without a launcher MPI is tried in a child: a broken
library ends its process.
"""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mpisog import __version__
from mpisog.cluster.findings import Finding, failure, ok, warning
from mpisog.launcher import Launch
from mpisog.machine import cpu_quota
from mpisog.sizes import format_bytes

if TYPE_CHECKING:
    from mpi4py.MPI import Intracomm

NEWS_TIMEOUT = 60.0
"""Seconds without news from a rank after which the network counts as broken."""
_INSTALL = "pip install 'mpisog[mpi]'"
_PROBE = "from mpi4py import MPI; print(MPI.Get_library_version().split(',')[0])"
_LETTER, _PARCEL = 1, 2**22
"""Bytes of the messages whose time and whose rate are measured."""
_ROUNDS = 5
_MOST_PEERS = 32
"""Ranks whose speed is measured, evenly spread: it is done one after the other."""
_SLOW_SECONDS, _SLOW_RATE = 0.01, 50 * 2**20


def alone() -> Iterator[Finding]:
    """What there would be, without a launcher."""
    if find_spec("mpi4py") is None:
        yield warning("mpi", "mpi4py is not installed: one machine only", _INSTALL)
        return
    try:
        probe = subprocess.run(
            [sys.executable, "-c", _PROBE],
            capture_output=True,
            text=True,
            timeout=NEWS_TIMEOUT,
            check=False,
        )
    except subprocess.TimeoutExpired:
        yield warning("mpi", f"does not start within {NEWS_TIMEOUT:g} s", _INSTALL)
        return
    if probe.returncode:
        last = probe.stderr.strip().splitlines()[-1:] or ["no message"]
        yield warning("mpi", f"cannot be loaded: {last[0]}", _INSTALL)
        return
    yield _mpirun(probe.stdout.strip())


def _mpirun(library: str) -> Finding:
    beside = Path(sys.executable).with_name("mpirun")
    found = str(beside) if beside.exists() else shutil.which("mpirun")
    if found is None:
        return warning("mpi", f"{library}, but no mpirun", f"{_INSTALL}, or load your MPI module")
    return ok("mpi", f"{library}; to try it: {found} -n 2 mpisog doctor")


def unconnected(launch: Launch) -> Finding:
    """``srun`` has started programs that cannot find each other."""
    detail = f"srun started {launch.size} programs that do not know of each other"
    return failure("ranks", detail, "srun --mpi=pmix ... (srun --mpi=list shows what there is)")


def together(launch: Launch, threads: int) -> Iterator[Finding]:
    """Under a launcher; every rank must go through all of it, the findings of rank 0 count."""
    try:
        from mpi4py import MPI
    except (ImportError, RuntimeError) as error:
        yield failure("mpi", f"mpi4py cannot be loaded: {error}", _INSTALL)
        return
    comm = MPI.COMM_WORLD
    yield _library(MPI)
    if comm.size != launch.size:
        yield _other_size(launch, comm.size)
        return
    yield ok("ranks", f"{comm.size}, started by {launch.launcher}")
    with _hanging_is_failing(launch):
        places = comm.gather(_own_place(launch.host, threads))
        if places is not None:
            yield from place_findings(places)
        if comm.size > 1:
            yield _ring(comm)
            yield from _speed(comm, MPI)


def _library(mpi: Any) -> Finding:
    names = {
        mpi.THREAD_SINGLE: "SINGLE",
        mpi.THREAD_FUNNELED: "FUNNELED",
        mpi.THREAD_SERIALIZED: "SERIALIZED",
        mpi.THREAD_MULTIPLE: "MULTIPLE",
    }
    level = mpi.Query_thread()
    detail = f"{mpi.Get_library_version().split(',')[0]}, thread level {names[level]}"
    if level < mpi.THREAD_SERIALIZED:
        advice = "use an MPI library built with thread support"
        return failure("mpi", detail, advice)
    return ok("mpi", detail)


def _other_size(launch: Launch, seen: int) -> Finding:
    detail = f"{launch.launcher} started {launch.size} ranks, MPI sees {seen}"
    if launch.launcher == "srun":
        advice = "srun --mpi=pmix ... (srun --mpi=list shows what there is)"
    else:
        advice = f"use the launcher of mpi4py's MPI library: {Path(sys.executable).parent}/mpirun"
    return failure("ranks", detail, advice)


@dataclass(frozen=True)
class Place:
    """Where a rank runs, and what it brings; sent to rank 0."""

    host: str
    cores: frozenset[int]
    quota: float | None
    threads: int
    versions: str


def _own_place(host: str, threads: int) -> Place:
    versions = f"Python {platform.python_version()}, mpisog {__version__}"
    return Place(host, frozenset(os.sched_getaffinity(0)), cpu_quota(), threads, versions)


def place_findings(places: list[Place]) -> Iterator[Finding]:
    """Of all ranks together: one installation, and enough processors on each host."""
    versions = Counter(place.versions for place in places)
    if len(versions) > 1:
        detail = "; ".join(f"{count} ranks with {which}" for which, count in versions.items())
        yield failure("installations", detail, "use one installation that all hosts share")
    hosts: dict[str, list[Place]] = {}
    for place in places:
        hosts.setdefault(place.host, []).append(place)
    for host, on_host in hosts.items():
        yield host_finding(host, on_host)


def host_finding(host: str, places: list[Place]) -> Finding:
    """Whether the ranks of a host have enough cores for their threads."""
    threads, quota = places[0].threads, places[0].quota
    cores = len(frozenset().union(*(place.cores for place in places)))
    usable = cores if quota is None else min(cores, int(quota))
    detail = f"ranks {len(places)}, threads of each {threads}, cores {usable}"
    name = f"host {host}"
    if len(places) * threads > usable:
        return warning(name, f"{detail}: oversubscribed", "start fewer ranks or threads a host")
    if any(threads > len(place.cores) for place in places):
        advice = f"bind ranks to more cores: mpirun --map-by slot:PE={threads}, srun -c {threads}"
        return warning(name, f"{detail}, but bound to fewer each", advice)
    return ok(name, detail)


def _ring(comm: Intracomm) -> Finding:
    """A list goes round, and every rank adds itself."""
    before, after = (comm.rank - 1) % comm.size, (comm.rank + 1) % comm.size
    started = time.perf_counter()
    if comm.rank == 0:
        comm.send([0], after)
        seen = comm.recv(source=before)
    else:
        seen = [*comm.recv(source=before), comm.rank]
        comm.send(seen, after)
    seconds = time.perf_counter() - started
    if comm.rank == 0 and seen != list(range(comm.size)):
        return failure("ring", f"came back as {seen}", "messages are lost: try another MPI library")
    return ok("ring", f"a message went round {comm.size} ranks in {_shown(seconds)}")


def _speed(comm: Intracomm, mpi: Any) -> Iterator[Finding]:
    """Rank 0 exchanges short and long messages with other ranks in turn."""
    latencies, rates = {}, {}
    for peer in range(1, comm.size, -(-(comm.size - 1) // _MOST_PEERS)):
        if comm.rank in (0, peer):
            latencies[peer] = _exchange(comm, mpi, peer, _LETTER) / 2
            rates[peer] = 2 * _PARCEL / _exchange(comm, mpi, peer, _PARCEL)
        comm.Barrier()
    if comm.rank == 0:
        yield speed_finding(latencies, rates)


def _exchange(comm: Intracomm, mpi: Any, peer: int, size: int) -> float:
    """The median time of a message of this size there and back."""
    message, times = bytearray(size), []
    for _ in range(_ROUNDS):
        started = time.perf_counter()
        if comm.rank == 0:
            comm.Send([message, mpi.BYTE], peer)
            comm.Recv([message, mpi.BYTE], peer)
        else:
            comm.Recv([message, mpi.BYTE], 0)
            comm.Send([message, mpi.BYTE], 0)
        times.append(time.perf_counter() - started)
    return sorted(times)[_ROUNDS // 2]


def speed_finding(latencies: dict[int, float], rates: dict[int, float]) -> Finding:
    """Of the times and rates by rank."""
    detail = (
        f"{_shown(min(latencies.values()))} to {_shown(max(latencies.values()))} a message, "
        f"{format_bytes(min(rates.values()))}/s to {format_bytes(max(rates.values()))}/s"
    )
    late, narrow = max(latencies, key=latencies.__getitem__), min(rates, key=rates.__getitem__)
    for rank, slow in (
        (late, latencies[late] > _SLOW_SECONDS),
        (narrow, rates[narrow] < _SLOW_RATE),
    ):
        if slow:
            advice = f"rank {rank} is slowest: more ranks than cores, or the wrong interface"
            return warning("network", detail, advice)
    return ok("network", detail)


def _shown(seconds: float) -> str:
    return f"{seconds * 1e6:.0f} µs" if seconds < 1e-3 else f"{seconds * 1e3:.1f} ms"


@contextmanager
def _hanging_is_failing(launch: Launch) -> Iterator[None]:
    """End the process when messages do not arrive: waiting for them cannot be interrupted."""

    def give_up() -> None:
        print(
            f"mpisog: rank {launch.rank} on {launch.host} has had no news for {NEWS_TIMEOUT:g} s: "
            "a firewall between the hosts? (Open MPI: mpirun --mca btl_tcp_if_include NETWORK)",
            file=sys.stderr,
            flush=True,
        )
        os._exit(1)

    timer = threading.Timer(NEWS_TIMEOUT, give_up)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
