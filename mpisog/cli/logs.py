"""``--log-dir``: a file for each rank, with what it does and when."""

from __future__ import annotations

import logging
import os
from pathlib import Path

from mpisog.errors import UsageError
from mpisog.launcher import Launch


def log_to(folder: str | None, launch: Launch) -> None:
    """From now on, write what is logged into a file of the folder, if one is given."""
    if folder is None:
        return
    path = Path(folder)
    try:
        path.mkdir(parents=True, exist_ok=True)
        handler = logging.FileHandler(path / f"rank-{launch.rank}.log", mode="w", encoding="utf-8")
    except OSError as error:
        raise UsageError(error.strerror or str(error), path=path) from None
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))
    log = logging.getLogger("mpisog")
    log.setLevel(logging.INFO)
    log.propagate = False
    log.addHandler(handler)
    log.info("rank %d of %d on %s, process %d", launch.rank, launch.size, launch.host, os.getpid())
