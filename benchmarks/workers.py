"""Property files of the contest on one process, on ``--jobs 2`` and on ``mpirun -n 3``.

Ways take turns, file by file, in rounds; medians are shown. Beside the seconds: how many properties
are decided, and how busy the workers were until the last unit was handed out.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from common import shared_data

from mpisog.bench.commands import environment

WAYS = {
    "one process": ([], []),
    "--jobs 2": ([], ["--jobs", "2"]),
    "mpirun -n 3": (["mpirun", "--oversubscribe", "-n", "3"], []),
}
"""What comes before the command, and its options."""


FILES = (
    "CircularTrains-PT-192/LTLFireability",
    "CircularTrains-PT-096/LTLCardinality",
    "Solitaire-PT-FrnNC7x7/LTLFireability",
    "SimpleLoadBal-PT-10/LTLFireability",
    "Anderson-PT-07/LTLCardinality",
    "Anderson-PT-07/LTLFireability",
    "HouseConstruction-PT-00020/LTLFireability",
    "IOTPpurchase-PT-C12M10P15D17/LTLFireability",
    "Peterson-PT-4/LTLFireability",
    "ERK-PT-010000/LTLCardinality",
)
"""Those that take one process longest at 10 s a formula, at most two of one family."""


@dataclass(frozen=True)
class Measure:
    """One run."""

    wall: float
    decided: int
    busy: tuple[float, ...]


def main() -> int:
    options = _options()
    folder = shared_data("MPISOG_MCC_DIR", "mcc")
    sums: dict[str, float] = defaultdict(float)
    decided: dict[str, int] = defaultdict(int)
    for name in options.files:
        runs: dict[str, list[Measure]] = {way: [] for way in options.way}
        for _ in range(options.rounds):
            for way in options.way:
                runs[way].append(_measure(folder, name, way, options.timeout))
        for way, measures in runs.items():
            wall = statistics.median(measure.wall for measure in measures)
            sums[way] += wall
            decided[way] += min(measure.decided for measure in measures)
            busy = " ".join(f"{share:.0%}" for share in measures[-1].busy)
            found = min(measure.decided for measure in measures)
            print(
                f"{name:<45} {way:<12} {wall:7.1f} s  decided {found:2d}  busy {busy}", flush=True
            )
    _summarise(sums, decided)
    return 0


def _summarise(sums: dict[str, float], decided: dict[str, int]) -> None:
    print()
    base = sums.get("one process")
    for way, seconds in sums.items():
        gain = "" if base is None else f"  {base / seconds:.2f} times as fast"
        print(f"{way:<12} {seconds:8.1f} s  decided {decided[way]}{gain}")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="workers", description=__doc__.splitlines()[0])
    parser.add_argument(
        "files", nargs="*", default=FILES, metavar="NET/EXAMINATION", help="default: ten slow ones"
    )
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--timeout", type=float, default=10, help="seconds for each formula")
    parser.add_argument("--way", action="append", choices=list(WAYS), help="default: all")
    options = parser.parse_args()
    options.way = options.way or list(WAYS)
    return options


def _measure(folder: Path, name: str, way: str, timeout: float) -> Measure:
    model, examination = name.split("/")
    before, more = WAYS[way]
    with tempfile.TemporaryDirectory() as scratch:
        report = Path(scratch, "report.json")
        command: Sequence[str | Path] = [
            *before, sys.executable, "-m", "mpisog", "check", folder / model / "model.pnml",
            "-x", folder / model / f"{examination}.xml", "--mcc", "--progress", "none",
            "--timeout", str(timeout), "--json", report, *more,
        ]  # fmt: skip
        started = time.monotonic()
        subprocess.run(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment()
        )
        wall = time.monotonic() - started
        data = json.loads(report.read_text())
    decided = sum(result["verdict"] != "UNKNOWN" for result in data["results"])
    return Measure(wall, decided, tuple(w["busy_share"] for w in data.get("workers", ())))


if __name__ == "__main__":
    sys.exit(main())
