"""The experiments of the MCLCD paper (2011): Figure 11's formulas, and Anderson of Figure 33.

    python benchmarks/mclcd.py [ROW ...] [--threads N,N] [--variants A,B]
    python benchmarks/mclcd.py --speed-up NET ... [--rounds N]

A row is a family and a parameter, such as ph:9 or peg:rectangle-6x4, or anderson:05; without any,
those of DEFAULT are run. For each formula and variant: the verdict beside the paper's, seconds
forward and backward, rounds of clearing, firings computed again, megabytes. Below, the relations
that the paper's text and Figure 33 give. `--speed-up` explores nets with one and two threads,
beside what the machine gives to two processes that each explore alone; by the clock, and without
the time in which others had the processors. Nets of the contest are
taken from MPISOG_MCC_DIR, or from ../shared/mcc beside the clone.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from common import shared_data

import mpisog
from mpisog.nets.generators import BOARD_FAMILIES, formulas_of, generate, generate_board
from mpisog.nets.model import PetriNet

DEFAULT = ("sokoban:room", "ph:9", "peg:rectangle-6x4", "tk:14", "tk_m:14", "anderson:05")
VARIANTS = ("rg", "rpg", "no-graph")

# Formula by formula, as in Figure 11, and for Anderson in Figure 33.
PAPER_VERDICTS = {
    "sokoban": "TT", "ph": "TFTTF", "peg": "TT", "tk": "FTT", "tk_m": "TTT", "anderson": "FT",
}  # fmt: skip
PAPER_SIZES = {
    "sokoban": "7e7 markings, 18e7 firings",
    "ph": "14e7 markings, 17e8 firings (ph:13)",
    "peg": "18e7 markings, 15e8 or 22e8 firings (peg:english)",
    "tk": "23e7 markings, 22e8 firings (tk:22; ours has more firings: its net is not printed)",
    "tk_m": "5e7 markings, 4e8 firings (tk_m:20), 98 rounds, 2e9 firings computed again",
    "anderson": "18e6 markings (anderson:06)",
}
# Seconds and GB on 16 processors.
FIGURE_33 = {
    ("F1", "rg"): (28.8, 2.8),
    ("F1", "rpg"): (94.4, 1.8),
    ("F2", "rg"): (26.4, 2.9),
    ("F2", "rpg"): (50.4, 1.8),
}
MEMORY = "12G"


@dataclass(frozen=True)
class Run:
    """One formula checked by one variant."""

    row: str
    formula: str
    variant: str
    threads: int
    result: mpisog.Result

    def figure(self, name: str) -> float:
        """One of the result's statistics."""
        return float(self.result.statistics.get(name, 0))

    @property
    def forward(self) -> float:
        """Seconds."""
        return self.figure("forward_seconds")

    @property
    def backward(self) -> float:
        """Seconds of clearing and collecting."""
        return self.figure("clearing_seconds") + self.figure("collecting_seconds")

    @property
    def megabytes(self) -> float:
        """At most, by the engine's own account."""
        return self.figure("bytes") / 2**20


def load(row: str) -> tuple[PetriNet, Sequence[tuple[str, str]]]:
    """The net of a row and its formulas."""
    family, _, parameter = row.partition(":")
    if family in BOARD_FAMILIES:
        return generate_board(family, parameter)
    if family != "anderson":
        return generate(family, int(parameter)), formulas_of(family, int(parameter))
    folder = shared_data("MPISOG_MCC_DIR", "mcc")
    net = mpisog.load_net(folder / f"Anderson-PT-{parameter}" / "model.pnml")
    inside = [p.id for p in net.places if p.id.startswith("cs_")]
    first = f'"{" + ".join(id for id in inside if id.startswith("cs_0_"))} >= 1"'
    anybody = f'"{" + ".join(inside)} >= 1"'
    return net, (("F1", f"-{first} ==> {first}"), ("F2", f"A[]<> {anybody}"))


def runs(row: str, variants: Sequence[str], threads: Sequence[int]) -> Iterator[Run]:
    net, formulas = load(row)
    for name, formula in formulas:
        for variant in variants:
            for count in threads:
                result = mpisog.check(
                    net, formula, "lrl", engine="mclcd", reduce="none", variant=variant,
                    threads=count, memory=MEMORY,
                )  # fmt: skip
                yield Run(row, name, variant, count, result)


def show(run: Run, paper: str) -> None:
    family = run.row.partition(":")[0]
    seconds, gigabytes = FIGURE_33.get((run.formula, run.variant), (None, None))
    printed = f"  paper {seconds} s {gigabytes} GB" if family == "anderson" and seconds else ""
    print(
        f"{run.formula:<14} {run.result.verdict!s:<8}{paper:<6} {run.variant:<9} {run.threads:>2}"
        f" {run.figure('markings'):>12,.0f} {run.forward:>9.2f} {run.backward:>9.2f}"
        f" {run.figure('rounds'):>6.0f} {run.figure('recomputed'):>14,.0f}"
        f" {run.megabytes:>9.0f}{printed}",
        flush=True,
    )


def relations(done: Sequence[Run]) -> None:
    """What the paper says about variants, formula by formula where there was a backward phase."""
    print("\nvariants compared, where there was a backward phase (time and memory of rg are 1)")
    keyed = {(r.row, r.formula, r.variant): r for r in done if r.backward > 0}
    for (row, formula, variant), rg in keyed.items():
        if variant != "rg":
            continue
        parts = []
        for other in ("rpg", "no-graph"):
            if run := keyed.get((row, formula, other)):
                total = (run.forward + run.backward) / (rg.forward + rg.backward)
                parts.append(f"{other} time {total:.2f} memory {run.megabytes / rg.megabytes:.2f}")
        print(f"{row:<20} {formula:<14} {rg.result.verdict!s:<6} {'; '.join(parts)}")


_EXPLORE = """
import os, sys, threading, time, mpisog

def threads():
    for task in os.listdir('/proc/self/task'):
        try:
            with open(f'/proc/self/task/{task}/schedstat') as file:
                running, waiting, _ = map(int, file.read().split())
        except (OSError, ValueError):  # it has just ended
            continue
        yield task, (time.monotonic(), running, waiting)

def look():
    while not over:
        for task, now in threads():
            seen.setdefault(task, [now, now])[1] = now
        time.sleep(0.02)

net, seen, over = mpisog.load_net(sys.argv[1]), {}, False
old = {task for task, _ in threads()}
looking = threading.Thread(target=look)
looking.start()
old.add(str(looking.native_id))
seconds = mpisog.states(net, 'explicit', threads=int(sys.argv[2])).seconds
over = True
looking.join()
own = [last[0] - first[0] - (last[2] - first[2]) / 1e9
       for task, (first, last) in seen.items() if task not in old]
print(seconds, max(own))
"""


def explore(net: str, threads: int, processes: int = 1) -> tuple[float, float]:
    """Seconds of the slowest of some processes that explore at the same time.

    First by the clock, then without those in which a thread waited for a processor that another
    program had: what the clock would say if each thread had a processor of its own.
    """
    command = [sys.executable, "-c", _EXPLORE, net, str(threads)]
    started = [
        subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(processes)
    ]
    figures = [process.communicate()[0].split() for process in started]
    return max(float(clock) for clock, _ in figures), max(float(own) for _, own in figures)


def speed_up(nets: Sequence[str], rounds: int) -> None:
    """Ratios round by round, so that what disturbs one does not disturb all, and their medians."""
    for net in nets:
        ratios = []
        for _ in range(rounds):
            alone, together = explore(net, 1), explore(net, 2)
            beside = explore(net, 1, processes=2)
            print(
                f"{net}: one thread {alone[0]:.2f} s (own {alone[1]:.2f}),"
                f" two {together[0]:.2f} s ({together[1]:.2f}),"
                f" beside another process {beside[0]:.2f} s ({beside[1]:.2f})",
                flush=True,
            )
            ratios.append([
                factor * one / other
                for factor, others in ((1, together), (2, beside))
                for one, other in zip(alone, others, strict=True)
            ])  # fmt: skip
        clock, own, machine, machine_own = map(statistics.median, zip(*ratios, strict=True))
        print(
            f"{net}: two threads {clock:.2f} times one by the clock, {own:.2f} without waiting"
            f" for processors; two processes {machine:.2f} and {machine_own:.2f}",
            flush=True,
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("rows", nargs="*", metavar="ROW")
    parser.add_argument("--threads", default="1")
    parser.add_argument("--variants", default=",".join(VARIANTS))
    parser.add_argument("--speed-up", nargs="+", default=[], metavar="NET")
    parser.add_argument("--rounds", type=int, default=3, help="of --speed-up")
    options = parser.parse_args()
    if options.speed_up:
        speed_up(options.speed_up, options.rounds)
        return
    threads = [int(count) for count in options.threads.split(",")]
    begun = time.monotonic()
    done: list[Run] = []
    header = f"{'formula':<14} {'verdict':<8}{'paper':<6} {'variant':<9} {'th':>2} {'markings':>12}"
    header += f" {'forward s':>9} {'back s':>9} {'rounds':>6} {'recomputed':>14} {'MB':>9}"
    for row in options.rows or DEFAULT:
        family = row.partition(":")[0]
        print(f"\n{row}   (paper: {PAPER_SIZES[family]})\n{header}")
        names: list[str] = []
        for run in runs(row, options.variants.split(","), threads):
            names += [] if run.formula in names else [run.formula]
            show(run, PAPER_VERDICTS[family][names.index(run.formula)])
            done.append(run)
    relations(done)
    print(f"\n{time.monotonic() - begun:.0f} s in all")


if __name__ == "__main__":
    main()
