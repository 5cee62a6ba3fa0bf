"""What `auto` costs beside the engine that is best for a formula, in one process.

    python benchmarks/auto.py [--rounds N] [--timeout S]

The papers' nets and formulas, and violated kin. Each run is a process of its own, so loading
counts; the rounds go through all runs in turn. Prints medians, and whether `auto` takes at most 1.5
times the best engine and 0.3 s. The nets are in MPISOG_MCC_DIR or ../shared/mcc.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from collections import defaultdict
from pathlib import Path
from statistics import median

from common import shared_data

ENGINES = ("dfs", "explicit", "sog", "symbolic", "mclcd")
FACTOR, ADDED = 1.5, 0.3
ROBOTS, MOVES = "(!r_moving U p_sc) | G !r_moving", "G !r_moving"
BATH, NO_BATH = "G(Entered -> F InBath)", "G(Entered -> F !InBath)"
CASES = (
    ("Philosophers-PT-000010", "G(Catch1_1 -> F Eat_1)"),
    ("Philosophers-PT-000010", "G !(Eat_1 & Eat_2)"),
    ("RobotManipulation-PT-00020", ROBOTS),
    ("RobotManipulation-PT-00020", MOVES),
    ("RobotManipulation-PT-00050", ROBOTS),
    ("RobotManipulation-PT-00050", MOVES),
    ("SwimmingPool-PT-03", BATH),
    ("SwimmingPool-PT-03", NO_BATH),
    ("SwimmingPool-PT-05", BATH),
    ("SwimmingPool-PT-05", NO_BATH),
    ("TokenRing-PT-010", "G(State_0_0 -> F State_0_1)"),
    ("TokenRing-PT-010", "G(State_0_0 -> F !State_0_0)"),
)


def seconds(net: Path, formula: str, engine: str, timeout: float) -> float | None:
    """Of a whole process; nothing when it has no verdict."""
    arguments = ["check", str(net), "-f", formula, "--engine", engine, "--timeout", f"{timeout}"]
    command = [sys.executable, "-m", "mpisog", *arguments, "--no-trace"]
    started = time.monotonic()
    done = subprocess.run(command, capture_output=True, check=False)
    return time.monotonic() - started if done.returncode in (0, 1) else None


def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(description="What auto costs beside the best engine.")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--timeout", type=float, default=20.0)
    options = parser.parse_args()
    folder = shared_data("MPISOG_MCC_DIR", "mcc")
    spent: dict[tuple[int, str], list[float]] = defaultdict(list)
    hopeless: set[tuple[int, str]] = set()
    for _ in range(options.rounds):
        for number, (net, formula) in enumerate(CASES):
            for engine in ("auto", *ENGINES):
                if (number, engine) in hopeless:
                    continue
                took = seconds(folder / net / "model.pnml", formula, engine, options.timeout)
                if took is None:
                    hopeless.add((number, engine))
                else:
                    spent[number, engine].append(took)
    print(f"{'net':<28}{'formula':<34}{'auto':>7}{'best':>7}  engine")
    for number, (net, formula) in enumerate(CASES):
        medians = {e: median(spent[number, e]) for e in ENGINES if spent[number, e]}
        best = min(medians, key=lambda engine: medians[engine])
        auto = median(spent[number, "auto"]) if spent[number, "auto"] else float("inf")
        fine = auto <= FACTOR * medians[best] + ADDED
        times = f"{auto:>7.2f}{medians[best]:>7.2f}"
        print(f"{net:<28}{formula:<34}{times}  {best}{'' if fine else '  TOO SLOW'}")


if __name__ == "__main__":
    main()
