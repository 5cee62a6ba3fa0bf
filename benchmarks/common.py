"""What the benchmarks share: where data is, how to build native programs, how to time."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

CLONE = Path(__file__).resolve().parents[1]


def shared_data(variable: str, name: str) -> Path:
    """A folder from the environment, or ../shared/NAME beside the clone; ends without it."""
    folder = Path(os.environ.get(variable, CLONE.parent / "shared" / name))
    if not folder.is_dir():
        sys.exit(f"{folder} is missing; set {variable}")
    return folder


def build_native(target: str) -> Path:
    """A program of native/bench, built in build/bench."""
    folder = CLONE / "build" / "bench"
    cmake = shutil.which("cmake") or sys.exit("cmake is missing")
    configure = [cmake, "-S", CLONE, "-B", folder, "-DMPISOG_BENCHMARKS=ON"]
    for command in (configure, [cmake, "--build", folder, "--target", target, "--parallel", "2"]):
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return folder / "native" / "bench" / target
