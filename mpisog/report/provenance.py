"""Where a report comes from: enough to run the same again, and to see what was different."""

from __future__ import annotations

import hashlib
import os
import platform
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime

from mpisog import __version__, launcher
from mpisog.config import RunConfig

STDIN = "-"


def input_digests(paths: Iterable[str]) -> list[dict[str, object]]:
    """The files as they are now, so call it before the work; standard input has no digest."""
    return [{"path": path, "sha256": _sha256(path)} for path in paths]


def provenance(
    command_line: Sequence[str],
    inputs: Sequence[Mapping[str, object]],
    config: RunConfig | None = None,
    hosts: Sequence[str] | None = None,
) -> dict[str, object]:
    """What the report says of its own making; ``hosts`` are those of the other ranks."""
    launch, job = launcher.current(), launcher.current_job()
    return {
        "written": datetime.now(UTC).isoformat(timespec="seconds"),
        "command_line": list(command_line),
        "versions": _versions(),
        "platform": platform.platform(),
        "hosts": list(dict.fromkeys([launch.host, *(hosts or [])])),
        "ranks": launch.size,
        "threads": 1 if config is None else config.threads,
        "job": None if job is None else asdict(job),
        "settings": None if config is None else asdict(config),
        "seed": os.environ.get("PYTHONHASHSEED"),
        "inputs": list(inputs),
    }


def _sha256(path: str) -> str | None:
    if path == STDIN:
        return None
    try:
        with open(path, "rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError:  # it was readable a moment ago; the report should not fail for that
        return None


def _versions() -> dict[str, str | None]:
    """Of what has taken part: nothing is loaded for the report's sake."""
    return {
        "mpisog": __version__,
        "python": platform.python_version(),
        "spot": _spot(),
        "compiler": getattr(sys.modules.get("mpisog._native"), "compiler", None),
        "mpi": _mpi(),
    }


def _spot() -> str | None:
    if "spot" not in sys.modules:
        return None
    from mpisog.spotglue.about import spot_version

    return spot_version()


def _mpi() -> str | None:
    mpi = sys.modules.get("mpi4py.MPI")
    return None if mpi is None else str(mpi.Get_library_version()).split(",")[0]
