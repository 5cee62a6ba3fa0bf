"""Slurm's own daemons on this machine, with everything they write in one folder."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import time
from pathlib import Path

from tests.helpers import PATIENCE

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "srun", "scontrol")
PARTITION = "test"
CPUS = 4
"""What Slurm is told; this machine may have fewer, ranks then share them."""

_CONFIGURATION = """\
ClusterName=mpisog
SlurmctldHost={host}(127.0.0.1)
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CredType=cred/munge
SlurmctldPort={ctld_port}
SlurmdPort={slurmd_port}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SlurmdParameters=config_overrides
ReturnToService=2
KillWait=5
SchedulerParameters=batch_sched_delay=0,sched_interval=1,sched_min_interval=0
NodeName={host} NodeAddr=127.0.0.1 CPUs={cpus} RealMemory=2000 State=UNKNOWN
PartitionName={partition} Nodes={host} Default=YES MaxTime=INFINITE State=UP
"""


def why_not() -> str | None:
    """The reason why Slurm cannot be started here."""
    missing = [name for name in PROGRAMS if _program(name) is None]
    if missing:
        return f"no {', '.join(missing)} (Debian: apt-get install slurm-wlm munge)"
    return None if os.geteuid() == 0 else "Slurm's daemons start jobs as root only"


class LocalSlurm:
    """A cluster of one node; ``with`` starts and stops its daemons."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._daemons: list[subprocess.Popen[bytes]] = []
        self.environment = {"SLURM_CONF": str(folder / "slurm.conf")}
        """What clients need to find it."""

    def __enter__(self) -> LocalSlurm:
        self._write_files()
        try:
            self._start_daemons()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        for daemon in reversed(self._daemons):  # one after the other: munged serves to the end
            daemon.terminate()
            try:
                daemon.wait(timeout=PATIENCE)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()

    def ask(
        self, *command: str, folder: Path | None = None, environment: dict[str, str] | None = None
    ) -> str:
        """What a client program prints."""
        done = subprocess.run(
            command,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            cwd=folder,
            env={**(environment or os.environ), **self.environment},
            check=False,
        )
        if done.returncode:
            raise RuntimeError(f"{' '.join(command)}: {done.stderr.strip()}")
        return done.stdout

    def job(self, number: str) -> dict[str, str]:
        """What ``scontrol`` tells about a job."""
        words = self.ask("scontrol", "--oneliner", "show", "job", number).split()
        return dict(word.split("=", 1) for word in words if "=" in word)

    def wait(self, number: str) -> dict[str, str]:
        """The job once it has ended."""
        over = {"COMPLETED", "FAILED", "TIMEOUT", "CANCELLED", "NODE_FAIL", "OUT_OF_MEMORY"}
        return _until(lambda: (job := self.job(number))["JobState"] in over and job, "the job")

    def logs(self) -> str:
        """The end of what the daemons wrote, for a failure's message."""
        ends = [f"{path.name}:\n{path.read_text()[-2000:]}" for path in self._folder.glob("*.log")]
        return "\n".join(ends)

    def _write_files(self) -> None:
        ctld_port, slurmd_port = _free_ports(2)
        (self._folder / "slurm.conf").write_text(
            _CONFIGURATION.format(
                host=socket.gethostname().split(".")[0],
                folder=self._folder,
                ctld_port=ctld_port,
                slurmd_port=slurmd_port,
                cpus=CPUS,
                partition=PARTITION,
            )
        )
        key = self._folder / "munge.key"
        key.touch(mode=0o600)
        key.write_bytes(os.urandom(128))

    def _start_daemons(self) -> None:
        paths = (
            f"--{name}={self._folder}/munge.{suffix}"
            for name, suffix in (
                ("key-file", "key"), ("socket", "socket"), ("pid-file", "pid"),
                ("log-file", "log"), ("seed-file", "seed"),
            )
        )  # fmt: skip
        self._start("munged", "--foreground", "--force", *paths)
        _until((self._folder / "munge.socket").exists, "munged")
        self._start("slurmctld", "-D")
        self._start("slurmd", "-D")
        _until(self._is_idle, "the node")

    def _start(self, name: str, *options: str) -> None:
        program = _program(name)
        assert program is not None
        with (self._folder / f"{name}.log").open("wb") as log:
            self._daemons.append(
                subprocess.Popen(
                    [program, *options],
                    stdout=log,
                    stderr=subprocess.STDOUT,
                    env={**os.environ, **self.environment},
                )
            )

    def _is_idle(self) -> bool:
        try:
            return "State=IDLE" in self.ask("scontrol", "--oneliner", "show", "node")
        except RuntimeError:  # the controller does not answer yet
            return False


def _program(name: str) -> str | None:
    return shutil.which(name, path=os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin"]))


def _free_ports(count: int) -> list[int]:
    sockets = [socket.socket() for _ in range(count)]
    for each in sockets:
        each.bind(("127.0.0.1", 0))
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


def _until(ready, what: str):
    """Poll until something is true, and give it."""
    deadline = time.monotonic() + PATIENCE
    while not (found := ready()):
        if time.monotonic() > deadline:
            raise TimeoutError(f"{what} is not ready")
        time.sleep(0.2)
    return found
