"""The decision-diagram kernel against the yardstick, and against itself on two threads.

    python benchmarks/kernel.py [REPETITIONS]

The yardstick is a small C++ program (ldd_floor.cpp) with its nets, from MPISOG_YARDSTICK_DIR or
../shared/yardstick. It starts from places in a good order; ours gets them shuffled and its time
includes choosing an order. Runs are interleaved, the ratio of the medians counts.
"""

from __future__ import annotations

import re
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from math import exp, log
from pathlib import Path

from common import CLONE, build_native, shared_data

from mpisog.nets.generators import generate
from mpisog.nets.model import Marking
from mpisog.symbolic.mdd import MddDomain
from mpisog.symbolic.protocol import all_steps

SLOW = {"spool5", "erk100"}
"""Half a minute each for the yardstick: once is enough."""


def build_floor(folder: Path) -> Path:
    program = CLONE / "build" / "ldd_floor"
    program.parent.mkdir(exist_ok=True)
    subprocess.run(["g++", "-O2", "-o", program, folder / "ldd_floor.cpp"], check=True)
    return program


def seconds(command: list[str | Path], stdin: Path) -> float:
    with stdin.open() as stream:
        done = subprocess.run(command, stdin=stream, capture_output=True, text=True, check=True)
    found = re.search(r"time ([\d.]+)", done.stdout)
    assert found, done.stdout
    return float(found.group(1))


def ratios(repetitions: int) -> None:
    folder = shared_data("MPISOG_YARDSTICK_DIR", "yardstick")
    floor, ours = build_floor(folder), build_native("bench_closure")
    found: list[float] = []
    print(f"{'net':<10} {'floor s':>10} {'ours s':>10} {'ratio':>8}")
    for net in sorted(folder.glob("*.txt")):
        times: list[tuple[float, float]] = []
        for seed in range(1, (1 if net.stem in SLOW else repetitions) + 1):
            theirs = seconds([floor], net)
            times.append((theirs, seconds([ours, net, "--shuffle", str(seed)], net)))
        a, b = (statistics.median(column) for column in zip(*times, strict=True))
        found.append(a / b)
        print(f"{net.stem:<10} {a:>10.4f} {b:>10.4f} {a / b:>8.2f}", flush=True)
    print(f"geometric mean {exp(sum(map(log, found)) / len(found)):.2f}, least {min(found):.2f}")


def workers(net: str) -> None:
    """One closure with one and with two workers inside."""
    path = shared_data("MPISOG_YARDSTICK_DIR", "yardstick") / f"{net}.txt"
    program = build_native("bench_closure")
    pairs = [
        [seconds([program, path, "--workers", str(n)], path) for n in (1, 2)] for _ in range(3)
    ]
    one, two = (statistics.median(column) for column in zip(*pairs, strict=True))
    print(f"one closure of {net}: 1 worker {one:.2f} s, 2 workers {two:.2f} s, {two / one:.2f}")


def two_threads(size: int = 8) -> None:
    """Two different sets closed on one kernel, one after the other and at the same time."""
    net = generate("robot_manipulation", 5 * size)
    more = tuple(tokens + (tokens > 0) for tokens in net.initial)

    def closing(domain: MddDomain, start: Marking) -> Callable[[], None]:
        return lambda: domain.closure(domain.singleton(start), tuple(all_steps(net))) and None

    def timed(together: bool) -> float:
        domain = MddDomain(net)
        threads = [threading.Thread(target=closing(domain, m)) for m in (net.initial, more)]
        started = time.perf_counter()
        for thread in threads:
            thread.start()
            if not together:
                thread.join()
        for thread in threads:
            thread.join()
        return time.perf_counter() - started

    pairs = [(timed(False), timed(True)) for _ in range(3)]
    apart, together = (statistics.median(column) for column in zip(*pairs, strict=True))
    print(
        f"two closures of {net.name}: one after the other {apart:.2f} s, "
        f"at the same time {together:.2f} s, {together / apart:.2f}"
    )


if __name__ == "__main__":
    ratios(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
    workers("spool5")
    workers("erk100")
    two_threads()
