"""Unfoldings: rates of complete prefixes, and where the engine beats ``sog`` and ``explicit``.

    python benchmarks/unfolding.py [--seconds S] [--prefixes]

Each check has S seconds (default 10) in a process of its own, on the net as it is and on the
reduced one. Contest nets are taken from MPISOG_MCC_DIR, or from ../shared/mcc beside the clone.
"""

from __future__ import annotations

import argparse
import re
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from common import shared_data

from mpisog.budget import Budget
from mpisog.nets.generators import generate
from mpisog.nets.load import write_net
from mpisog.unfolding.prefix import Prefix

PREFIXES = (("dac", 15), ("dp", 12), ("ring_exclusion", 9), ("dpd", 7), ("dpd", 9), ("loops", 1000))
REPETITIONS = 5

CHECKS = (
    (("loops", 1000), "G F loop1_a"),
    (("loops", 1000), "G(loop1_a | loop1_b)"),
    (("philosophers", 100), "G(Think_1 -> F Eat_1)"),
    (("philosophers", 100), "G(Eat_1 -> (Eat_1 U Think_1))"),
    (("philosophers", 100), "G F(Think_1 | dead)"),
    (("dp", 30), "G(phil1_eat -> !phil2_eat)"),
    (("dp", 30), "G F(phil1_eat | dead)"),
    (("dpd", 7), "G(phil1_reads -> F phil1_ready)"),
    (("ring_exclusion", 9), "G(user1_use -> !user2_use)"),
    (("ring_exclusion", 9), "G(user1_wait -> F user1_use)"),
    (("ring", 6), "G(A_1 -> F C_1)"),
    (("circular_trains", 24), "G F Section_1"),
    ("Referendum-PT-0050", "G(voted_yes_1 -> G voted_yes_1)"),
    ("Dekker-PT-015", "G(flag_1_0 -> F flag_0_0)"),
    ("Railroad-PT-010", "G F pl_P10_1"),
    ("Eratosthenes-PT-050", "F !p25"),
)
ENGINES = ("unfolding", "sog", "explicit")


def prefixes() -> None:
    row = "{:<18} {:>8} {:>11} {:>9} {:>9} {:>12} {:>8}"
    print(row.format("net", "events", "conditions", "cut-offs", "ms", "events/s", "bytes/ev"))
    for family in PREFIXES:
        net = generate(*family)
        seconds = []
        for _ in range(REPETITIONS):
            prefix = Prefix(net, None, Budget())
            started = time.perf_counter()
            prefix.build()
            seconds.append(time.perf_counter() - started)
        events, conditions, cutoffs, _ = prefix.native.figures
        taken = statistics.median(seconds)
        print(
            row.format(
                net.name,
                events,
                conditions,
                cutoffs,
                f"{1000 * taken:.1f}",
                f"{events / taken:,.0f}",
                prefix.native.peak_bytes // events,
            )
        )


def check(path: Path, formula: str, engine: str, reduce: str, seconds: float) -> str:
    """The verdict's first letter and the seconds the formula took; a dash if it is undecided."""
    command = [sys.executable, "-m", "mpisog", "check", str(path), "-f", formula, "-v"]
    command += ["--engine", engine, "--reduce", reduce, "--timeout", str(seconds), "--no-trace"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode > 2:
        return done.stderr.strip().split(": ")[1][:9]
    taken = re.search(r"engine \S+, ([\d.]+) s", done.stdout)
    undecided = taken is None or done.stdout.startswith("UNKNOWN")
    return "-" if undecided else f"{done.stdout[0]} {float(taken[1]):.2f}"


def checks(seconds: float) -> None:
    columns = [(engine, reduce) for reduce in ("none", "full") for engine in ENGINES]
    row = "{:<20} {:<34}" + " {:>10}" * len(columns)
    print(row.format("", "", *(f"{reduce}" for _, reduce in columns)))
    print(row.format("net", "formula", *(engine for engine, _ in columns)))
    with tempfile.TemporaryDirectory() as folder:
        for source, formula in CHECKS:
            if isinstance(source, str):
                name = source
                path = shared_data("MPISOG_MCC_DIR", "mcc") / source / "model.pnml"
            else:
                net = generate(*source)
                name, path = net.name, Path(folder) / f"{net.name}.pnml"
                write_net(net, path)
            found = [check(path, formula, *column, seconds) for column in columns]
            print(row.format(name[:20], formula[:34], *found), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--prefixes", action="store_true", help="only the rates of prefixes")
    options = parser.parse_args()
    prefixes()
    if not options.prefixes:
        print()
        checks(options.seconds)


if __name__ == "__main__":
    main()
