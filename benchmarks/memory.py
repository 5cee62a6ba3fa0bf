"""Whether the memory of builder ranks adds up.

``python benchmarks/memory.py [NET ...]`` looks for the least ``--memory`` with which one process
decides a formula of ``parallel.py``, to within a tenth. Then four builders, and one, get half of
that each. Four should decide it, one should not.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from parallel import CASES, Case

from mpisog.bench.commands import environment

NETS = ("robot-13", "dekker-15", "pool")
MEGABYTE = 1 << 20
PRECISION = 1.1
TOO_LITTLE = 40
"""Megabytes in which no process can even start."""


@dataclass(frozen=True)
class Run:
    """How one run has ended."""

    verdict: str
    seconds: float
    most: float
    """Megabytes of the builder that has most at the end."""


def run(case: Case, net: Path, ranks: int, megabytes: float) -> Run:
    """One process, or so many ranks, with this limit each."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder, "report.json")
        command = [
            *(["mpirun", "-n", str(ranks)] if ranks > 1 else []),
            sys.executable, "-m", "mpisog", "check", str(net), "-f", case.formula, "--no-trace",
            "--engine", "sog", "--reduce", "none", *case.options,
            "--memory", str(round(megabytes * MEGABYTE)), "--json", str(report),
        ]  # fmt: skip
        done = subprocess.run(command, env=environment(), capture_output=True, text=True)
        if done.returncode not in (0, 2):
            sys.exit(f"{' '.join(command)} ended with {done.returncode}:\n{done.stderr}")
        result = json.loads(report.read_text())["results"][0]
    most = max((rank["memory"] for rank in result["ranks"]), default=0) / MEGABYTE
    return Run(result["verdict"], result["seconds"], most)


def least(case: Case, net: Path) -> tuple[float, Run]:
    """The least limit with which one process decides, and that run."""
    enough = 2.0 * TOO_LITTLE
    while (found := run(case, net, 1, enough)).verdict == "UNKNOWN":
        enough *= 2
    too_little = enough / 2
    while enough / too_little > PRECISION:
        middle = (enough * too_little) ** 0.5
        tried = run(case, net, 1, middle)
        if tried.verdict == "UNKNOWN":
            too_little = middle
        else:
            enough, found = middle, tried
    return enough, found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("nets", nargs="*", default=NETS, help=", ".join(CASES))
    for name in parser.parse_args().nets:
        case = CASES[name]
        with tempfile.TemporaryDirectory() as folder:
            net = case.file(Path(folder))
            needed, alone = least(case, net)
            print(f"{name}: one process needs {needed:.0f} MB ({alone.seconds:.1f} s)", flush=True)
            for ranks in (5, 2):
                found = run(case, net, ranks, needed / 2)
                times = f"{found.seconds:.1f} s, {found.seconds / alone.seconds:.2f} times as long"
                print(
                    f"  {ranks - 1} builders, {needed / 2:.0f} MB each: {found.verdict}, {times},"
                    f" {found.most:.0f} MB at the end",
                    flush=True,
                )


if __name__ == "__main__":
    main()
