"""Threads and ranks against one thread, and the volume that ranks send, each net in one run.

``python benchmarks/parallel.py [NET ...]`` builds the observation graph of a formula that holds, so
that all of it is needed. Every line is a ratio within the same run; on a machine with other work,
or with fewer cores than threads, the ratios say little.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from mpisog.dist.plan import PLACEMENTS
from mpisog.nets.generators import generate
from mpisog.nets.pnml_writer import write_pnml


@dataclass(frozen=True)
class Case:
    """A net, a formula that holds on it, and how the graph is to be built."""

    family: str
    parameter: int
    formula: str
    options: tuple[str, ...] = ()


STATIC = ("--aggregation", "static")

CASES = {
    "robot": Case("robot_manipulation", 13, 'G("r_moving >= 3" -> !"r_active >= 42")', STATIC),
    "robot-25": Case("robot_manipulation", 25, 'G("p_rdy >= 3" -> !"access >= 52")', STATIC),
    "fms": Case("fms", 10, 'G("P1 >= 5" -> !"M1 >= 4") & G("P2 >= 4" -> !"M2 >= 2")', STATIC),
    "kanban": Case("kanban", 20, 'G("Pout1 >= 5" -> !"Pm4 >= 21")', STATIC),
    "ring": Case("ring", 12, "G(!(A_1 & B_1)) & G(!(C_4 & D_4)) & G(!(E_8 & F_8))"),
    "philosophers": Case(
        "philosophers", 40, " & ".join(f"G(!(Eat_{i} & Eat_{i + 1}))" for i in range(1, 17, 2))
    ),
}


def seconds_and_bytes(case: Case, net: Path, ranks: int, *more: str) -> tuple[float, int]:
    """One run of mpisog: the time of the check and what the builders sent."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder, "report.json")
        command = [sys.executable, "-m", "mpisog", "check", str(net), "-f", case.formula]
        command += ["--engine", "sog", "--backend", "ldd", "--reduce", "none", *case.options, *more]
        command += ["--json", str(report)]
        launcher = [shutil.which("mpirun", path=str(Path(sys.executable).parent)) or "mpirun"]
        launched = [*launcher, "-n", str(ranks), *command] if ranks > 1 else command
        done = subprocess.run(launched, env=environment(), capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"{' '.join(launched)} ended with {done.returncode}:\n{done.stderr}")
        result = json.loads(report.read_text())["results"][0]
    return result["seconds"], sum(rank["bytes_sent"] for rank in result["ranks"])


def environment() -> dict[str, str]:
    return {
        **os.environ,
        "OMPI_ALLOW_RUN_AS_ROOT": "1",
        "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
        "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe",
    }


def measure(name: str, case: Case, many: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        net = Path(folder, f"{name}.pnml")
        with net.open("wb") as stream:
            write_pnml(generate(case.family, case.parameter), stream)
        single, _ = seconds_and_bytes(case, net, 1)
        print(f"{name}: one thread {single:.1f} s", flush=True)
        for strategy in ("eager", "on-demand"):
            taken, _ = seconds_and_bytes(case, net, 1, "--threads", "2", "--strategy", strategy)
            print(f"  2 threads, {strategy}: {single / taken:.2f} times as fast", flush=True)
        taken, _ = seconds_and_bytes(case, net, 1, "--threads", "2", "--parallel", "operations")
        print(f"  2 threads inside operations: {single / taken:.2f} times as fast", flush=True)
        one, _ = seconds_and_bytes(case, net, 2)
        print(f"  2 ranks (one builder): {one / single:.2f} of the time of one process", flush=True)
        for placement in PLACEMENTS:
            two, sent = seconds_and_bytes(case, net, 3, "--placement", placement)
            line = f"{one / two:.2f} times as fast as 2, {sent / 1e6:.2f} MB sent"
            print(f"  3 ranks, {placement}: {line}", flush=True)
        if many:
            two, _ = seconds_and_bytes(case, net, 3)
            crowd, _ = seconds_and_bytes(case, net, many)
            print(f"  {many} ranks: {crowd / two:.2f} of the time of 3", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("nets", nargs="*", default=list(CASES), help=", ".join(CASES))
    parser.add_argument("--many", type=int, default=8, help="ranks to crowd the machine with")
    given = parser.parse_args()
    for name in given.nets:
        measure(name, CASES[name], given.many)


if __name__ == "__main__":
    main()
