"""Starting mpisog on several ranks of this machine."""

from __future__ import annotations

import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.helpers import PATIENCE, command, environment

AS_ROOT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}


def mpirun() -> str:
    """The launcher beside this Python, or a skip."""
    found = shutil.which("mpirun", path=str(Path(sys.executable).parent))
    if found is None or find_spec("mpi4py") is None:
        pytest.skip("no MPI beside this Python (pip install 'mpisog[mpi]')")
    return found


def mpirun_environment() -> dict[str, str]:
    """Root may, and there may be more ranks than cores."""
    oversubscribe = {"PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe"}
    return environment(**AS_ROOT, **oversubscribe)


def on_ranks(ranks: int, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run mpisog on so many ranks, whatever the number of cores."""
    return start_on_ranks(ranks, command(*arguments))


def start_on_ranks(ranks: int, program: list[str]) -> subprocess.CompletedProcess[str]:
    """Run any program so."""
    return subprocess.run(
        [mpirun(), "-n", str(ranks), *program],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        env=mpirun_environment(),
        check=False,
    )
