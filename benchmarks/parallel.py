"""Threads and ranks against one thread, and the volume that ranks send, each net in one run.

``python benchmarks/parallel.py [NET ...]`` builds the observation graph of a formula that holds, so
that all of it is needed. All ways of building take turns, ``--rounds`` times; the median of each is
compared, so that every line is a ratio within the same run. Two processes that have nothing to do
with each other are measured too: what they lose beside each other is the machine's doing.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from statistics import mean, median

from common import shared_data

from mpisog.bench.commands import environment
from mpisog.nets.generators import generate
from mpisog.nets.pnml_writer import write_pnml
from mpisog.team.plan import PLACEMENTS


@dataclass(frozen=True)
class Case:
    """A net, a formula that holds on it, and how the graph is to be built.

    The net is of a family that can be generated, or one of the contest's.
    """

    net: str
    parameter: int | None
    formula: str
    options: tuple[str, ...] = ("--backend", "mdd")

    def file(self, folder: Path) -> Path:
        """The net as a file, made in the folder unless it exists."""
        if self.parameter is None:
            return shared_data("MPISOG_MCC_DIR", "mcc") / self.net / "model.pnml"
        path = folder / "net.pnml"
        with path.open("wb") as stream:
            write_pnml(generate(self.net, self.parameter), stream)
        return path


def never_both(*pairs: tuple[str, str]) -> str:
    """In each pair, never both places are marked. Of a conjunction each part is checked alone."""
    return "G !(" + " | ".join(f'("{a}" & "{b}")' for a, b in pairs) + ")"


STATIC = ("--backend", "mdd", "--aggregation", "static")
NUMBERED = ("--backend", "bits")
FLAGS = [(f"WantSection_{i}_F", f"WantSection_{i}_T") for i in range(4)]
TURNS = [(f"Turn_{i}_0", f"Turn_{i}_1") for i in range(3)]
WHERE = [(f"Idle_{i}", f"CS_{i}") for i in range(4)]
LEVELS = [(f"AskForSection_{i}_1", f"AskForSection_{i}_2") for i in range(4)]
DEKKER_FLAGS = [(f"flag_0_{i}", f"flag_1_{i}") for i in range(10)]
SECTIONS = [(f"ncs_{i}_0", f"cs_{i}_0") for i in range(4)]
PETERSON = never_both(*FLAGS, *TURNS, *WHERE, *LEVELS)

CASES = {
    **{
        f"robot-{n}": Case(
            "robot_manipulation", n, f'G("r_moving >= 3" -> !"r_active >= {3 * n + 3}")', STATIC
        )
        for n in (11, 12, 13, 14)
    },
    "robot-25": Case("robot_manipulation", 25, 'G("p_rdy >= 3" -> !"access >= 52")', STATIC),
    "dekker-20": Case("Dekker-PT-020", None, never_both(*DEKKER_FLAGS[:6]), STATIC),
    "dekker-15": Case("Dekker-PT-015", None, never_both(*DEKKER_FLAGS, ("p3_10", "p3_11")), STATIC),
    "anderson": Case("Anderson-PT-04", None, never_both(*SECTIONS), STATIC),
    "peterson": Case("Peterson-PT-3", None, PETERSON, NUMBERED),
    "pool": Case("SwimmingPool-PT-02", None, 'G("InBath >= 5" -> !"Undress >= 40")', STATIC),
    "fms": Case("fms", 6, 'G !(("P1 >= 5" & "M1 >= 4") | ("P2 >= 4" & "M2 >= 2"))', STATIC),
    "kanban": Case("kanban", 20, 'G("Pout1 >= 5" -> !"Pm4 >= 21")', STATIC),
    "ring": Case("ring", 12, never_both(("A_1", "B_1"), ("C_4", "D_4"), ("E_8", "F_8"))),
    "philosophers": Case(
        "philosophers", 40, never_both(*((f"Eat_{i}", f"Eat_{i + 1}") for i in range(1, 17, 2)))
    ),
}


@dataclass(frozen=True)
class Way:
    """One way to build a graph; ``copies`` are runs of the same beside each other."""

    ranks: int = 1
    options: tuple[str, ...] = ()
    copies: int = 1


ONE_THREAD, ONE_BUILDER = Way(), Way(2)
SIDE_BY_SIDE = Way(copies=2)
"""What the machine gives to two processes that have nothing to do with each other."""
THREADS = {
    "2 threads, eager": Way(1, ("--threads", "2")),
    "2 threads, on-demand": Way(1, ("--threads", "2", "--strategy", "on-demand")),
    "2 threads inside operations": Way(1, ("--threads", "2", "--parallel", "operations")),
}
TWO_BUILDERS = {name: Way(3, ("--placement", name)) for name in PLACEMENTS}
DEFAULTS = (ONE_THREAD, ONE_BUILDER, THREADS["2 threads, eager"], TWO_BUILDERS["finder"])


@dataclass(frozen=True)
class Measured:
    """Seconds of all rounds, and bytes that the builders sent in the last."""

    seconds: list[float]
    sent: int

    @property
    def median(self) -> float:
        """Of the seconds."""
        return median(self.seconds)


def seconds_and_bytes(case: Case, net: Path, way: Way) -> tuple[float, int]:
    """One run of mpisog: the time of the check and what the builders sent."""
    with ThreadPoolExecutor(way.copies) as pool:
        runs = [pool.submit(run_once, case, net, way) for _ in range(way.copies)]
    results = [run.result() for run in runs]
    return mean(seconds for seconds, _ in results), results[0][1]


def run_once(case: Case, net: Path, way: Way) -> tuple[float, int]:
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder, "report.json")
        command = [sys.executable, "-m", "mpisog", "check", str(net), "-f", case.formula]
        command += ["--engine", "sog", "--reduce", "none", *case.options, *way.options]
        command += ["--json", str(report)]
        launched = ["mpirun", "-n", str(way.ranks), *command] if way.ranks > 1 else command
        done = subprocess.run(launched, env=environment(), capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"{' '.join(launched)} ended with {done.returncode}:\n{done.stderr}")
        result = json.loads(report.read_text())["results"][0]
    return result["seconds"], sum(rank["bytes_sent"] for rank in result["ranks"])


def measure(case: Case, ways: Sequence[Way], rounds: int) -> dict[Way, Measured]:
    """All ways in turn, round after round."""
    runs: dict[Way, list[tuple[float, int]]] = {way: [] for way in ways}
    with tempfile.TemporaryDirectory() as folder:
        net = case.file(Path(folder))
        for _ in range(rounds):
            for way in ways:
                runs[way].append(seconds_and_bytes(case, net, way))
    return {way: Measured([s for s, _ in found], found[-1][1]) for way, found in runs.items()}


def show(name: str, taken: dict[Way, Measured], crowd: Way) -> None:
    """Every line is a ratio."""
    single, one = taken[ONE_THREAD].median, taken[ONE_BUILDER].median
    beside = taken[SIDE_BY_SIDE].median / single
    print(f"{name}: one thread {single:.1f} s, median of {len(taken[ONE_THREAD].seconds)}")
    print(f"  two such processes beside each other: {beside:.2f} of the time of one")
    for title, way in THREADS.items():
        if way in taken:
            print(f"  {title}: {single / taken[way].median:.2f} times as fast")
    print(f"  2 ranks (one builder): {one / single:.2f} of the time of one process")
    for title, way in TWO_BUILDERS.items():
        if way in taken:
            gain = f"{one / taken[way].median:.2f} times as fast as 2"
            print(f"  3 ranks, {title}: {gain}, {taken[way].sent / 1e6:.2f} MB sent")
    if crowd in taken:
        share = taken[crowd].median / taken[TWO_BUILDERS["finder"]].median
        print(f"  {crowd.ranks} ranks: {share:.2f} of the time of 3")
    for way, found in taken.items():
        shape = f"{way.copies} x {way.ranks} {' '.join(way.options)}"
        print(f"    {shape}: {' '.join(f'{s:.1f}' for s in found.seconds)} s")
    sys.stdout.flush()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("nets", nargs="*", default=list(CASES), help=", ".join(CASES))
    parser.add_argument("--many", type=int, default=8, help="ranks to crowd the machine with")
    parser.add_argument("--rounds", type=int, default=1, help="how often each way is measured")
    parser.add_argument("--quick", action="store_true", help="only the ways that are the default")
    given = parser.parse_args()
    crowd = Way(given.many)
    ways = [*DEFAULTS, SIDE_BY_SIDE]
    if not given.quick:
        ways += [way for way in (*THREADS.values(), *TWO_BUILDERS.values()) if way not in ways]
        ways.append(crowd)
    for name in given.nets:
        show(name, measure(CASES[name], ways, given.rounds), crowd)


if __name__ == "__main__":
    main()
