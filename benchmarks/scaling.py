"""Predicted speed-up of many builder ranks, and what limits it, by simulation.

``python benchmarks/scaling.py [NET ...] --builders 1,2,4,8`` builds the observation graph of a
formula that holds with so many builders in this process, each with sets of its own, and a virtual
clock (``simulated_team.py``). ``--check`` measures one and two builders under ``mpirun`` too, in
turn, and shows how far the prediction is from them. docs/internals/scaling.md explains the columns.
"""

from __future__ import annotations

import argparse
import gc
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from parallel import (
    CASES,
    DEKKER_FLAGS,
    ONE_BUILDER,
    SECTIONS,
    STATIC,
    TWO_BUILDERS,
    Case,
    measure,
    never_both,
)
from simulated_machine import CountedTime, Machine, Timer, processor_time
from simulated_team import Figures, SimulatedTeam

from mpisog.budget import Budget, resident_bytes
from mpisog.config import RunConfig
from mpisog.engines.problem import Problem
from mpisog.engines.resources import Resources
from mpisog.engines.sog import Sog
from mpisog.formulas.properties import Property
from mpisog.nets.load import load_net
from mpisog.spotglue.ltl import bind

SMALL = {
    "robots-7": Case("robot_manipulation", 7, 'G("r_moving >= 3" -> !"r_active >= 24")', STATIC),
    "dekker-15-small": Case("Dekker-PT-015", None, never_both(*DEKKER_FLAGS[:8]), STATIC),
    "anderson-small": Case("Anderson-PT-04", None, never_both(*SECTIONS[:3]), STATIC),
    "ring-6": Case("ring", 6, never_both(("A_1", "B_1"), ("C_4", "D_4"), ("E_6", "F_6"))),
}
"""Some seconds for one builder: 256 of them repeat many of each other's operations."""

HEADER = (
    f"{'builders':>8} {'seconds':>8} {'speed-up':>8} {'idle':>5} {'rank 0':>6} {'operations':>10}"
    f" {'built':>6} {'messages':>9} {'MB':>7} {'MB a rank':>9}  limited by"
)


def simulate(case: Case, builders: int, machine: Machine, timer: Timer) -> Figures:
    """One check by rank 0 and so many builders."""
    options = dict(zip(case.options[::2], case.options[1::2], strict=True))
    config = RunConfig(
        backend=options["--backend"], aggregation=options.get("--aggregation", "precise")
    )
    with tempfile.TemporaryDirectory() as folder:
        net = load_net(case.file(Path(folder)))
    problem = Problem(net, bind(Property("formula", case.formula), net))
    gc.collect()
    gc.disable()  # as builder ranks do while they build
    team = SimulatedTeam(builders, machine, timer)
    try:
        finding = Sog().run(problem, Resources(net, config, team), Budget())
    finally:
        gc.enable()
    if finding.counterexample is not None:
        sys.exit(f"{case.formula} is violated: the graph was not built as a whole")
    return team.figures()


def limit(one: Figures, many: Figures, builders: int) -> str:
    """What takes most of the threads' time that one builder does not need."""
    again = many.built / one.built
    per_set = many.operations / max(1, one.operations) / again
    extra = max(0.0, many.tasks - one.tasks)
    ledger = many.ledger
    parts = {
        "repeated operations": extra if per_set >= again else 0.0,
        "sets built twice": extra if per_set < again else 0.0,
        "work elsewhere": ledger.apart,
        "rank 0": ledger.for_checker,
        "nothing to build": ledger.starved,
        "messages": many.protocol - one.protocol,
    }
    name = max(parts, key=lambda name: parts[name])
    threads = many.seconds * builders * many.threads
    return "-" if builders == 1 else f"{name} ({parts[name] / threads:.0%})"


def line(one: Figures, many: Figures, builders: int) -> str:
    """A row of the table."""
    threads = many.seconds * builders * many.threads
    return (
        f"{builders:>8} {many.seconds:>8.2f} {one.seconds / many.seconds:>8.2f}"
        f" {many.ledger.idle_seconds / threads:>5.0%} {many.checker / many.seconds:>6.0%}"
        f" {many.operations / max(1, one.operations):>10.2f} {many.built / one.built:>6.2f}"
        f" {many.messages:>9} {many.bytes / 1e6:>7.1f} {many.most_memory / 1e6:>9.0f}"
        f"  {limit(one, many, builders)}"
    )


def show(
    name: str, case: Case, builders: Sequence[int], machine: Machine, timer: Timer
) -> dict[int, Figures]:
    """The table of one net."""
    print(f"{name}: {case.formula}\n{HEADER}", flush=True)
    found: dict[int, Figures] = {}
    for number in builders:
        found[number] = simulate(case, number, machine, timer)
        print(line(found[builders[0]], found[number], number), flush=True)
    print(f"  this process has {resident_bytes() / 1e6:.0f} MB", flush=True)
    return found


def check(case: Case, found: dict[int, Figures], rounds: int) -> None:
    """The prediction for one and two builders beside real ones, medians of rounds."""
    two_ranks = TWO_BUILDERS["finder"]
    taken = measure(case, (ONE_BUILDER, two_ranks), rounds)
    one, two = taken[ONE_BUILDER].median, taken[two_ranks].median
    predicted = found[1].seconds / found[2].seconds
    print(f"  real: {one:.2f} s and {two:.2f} s; predicted {found[1].seconds:.2f} s and ", end="")
    print(f"{found[2].seconds:.2f} s; two builders {one / two:.2f} times as fast, ", end="")
    print(f"predicted {predicted:.2f}, {predicted / (one / two) - 1:+.0%}", flush=True)


def main() -> None:
    cases = {**CASES, **SMALL}
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("nets", nargs="*", default=list(SMALL), help=", ".join(cases))
    parser.add_argument("--builders", default="1,2,4,8,16,32,64,128,256", help="numbers of ranks")
    parser.add_argument("--threads", type=int, default=1, help="of each builder")
    parser.add_argument("--latency", type=float, default=Machine.latency, help="seconds")
    parser.add_argument("--bandwidth", type=float, default=Machine.bandwidth, help="bytes a second")
    parser.add_argument(
        "--counted", action="store_true", help="count operations instead of processor time"
    )
    parser.add_argument("--check", action="store_true", help="measure 1 and 2 real builders too")
    parser.add_argument("--rounds", type=int, default=3, help="of the real builders")
    given = parser.parse_args()
    machine = Machine(given.threads, given.latency, given.bandwidth)
    timer = CountedTime() if given.counted else processor_time
    for name in given.nets:
        builders = [1, 2] if given.check else [int(n) for n in given.builders.split(",")]
        found = show(name, cases[name], builders, machine, timer)
        if given.check:
            check(cases[name], found, given.rounds)


if __name__ == "__main__":
    main()
