"""What a task of the native observation graph costs beside the kernel's own operations.

``python benchmarks/tasks.py [NET ...]`` builds the graphs of ``parallel.py`` in one process with
one thread, under ``perf record``, and adds up samples by what they fall into: the kernel's
operations, the graph (aggregates, tables, who is next), memory given out, references to sets, Spot,
the rest. A task is building an aggregate or expanding one. Needs Linux's ``perf``.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

from parallel import CASES, Case

from mpisog.budget import Budget
from mpisog.config import RunConfig
from mpisog.engines.problem import Problem
from mpisog.engines.resources import Resources
from mpisog.engines.sog import Sog
from mpisog.formulas.properties import Property
from mpisog.nets.load import load_net
from mpisog.sog.native_graph import NativeGraph
from mpisog.spotglue.ltl import bind

KINDS = (
    ("references", r"mpisog::mdd::(Core::(retain|release)|Set::)"),
    ("graph", r"mpisog::sog::|mpisog::pins::"),
    ("kernel", r"mpisog::|memcmp|clear_page"),
    ("memory", r"malloc|_int_free|cfree|unlink_chunk|operator (new|delete)"),
    ("Spot", r"spot::|bdd_"),
)
"""By the name of the function, the first that fits. Unnamed ones of our library: the kernel's."""

BESIDE = ("references", "graph", "memory")
"""What a task costs beside the kernel's operations."""

FREQUENCY = 1000


def build(name: str) -> None:
    """In the measured process: builds the graph and prints its number of tasks."""
    case: Case = CASES[name]
    options = dict(zip(case.options[::2], case.options[1::2], strict=True))
    config = RunConfig(
        backend=options["--backend"], aggregation=options.get("--aggregation", "precise")
    )
    with tempfile.TemporaryDirectory() as folder:
        net = load_net(case.file(Path(folder)))
    bound = bind(Property("formula", case.formula), net)
    resources = Resources(net, config)
    Sog().run(Problem(net, bound), resources, Budget())
    graph = resources.of(net, Budget()).known_graph(bound.atoms, config)
    assert isinstance(graph, NativeGraph)
    built, building, expanding, _ = graph.work
    print(json.dumps({"tasks": built + graph.size, "seconds": building + expanding}))


def samples(data: Path) -> dict[str, int]:
    """Of each kind."""
    command = ["perf", "script", "-i", str(data), "-F", "ip,sym,dso"]
    listed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    found: defaultdict[str, int] = defaultdict(int)
    for line in listed.splitlines():
        found[_kind(line)] += 1
    return found


def _kind(line: str) -> str:
    for kind, pattern in KINDS:
        if re.search(pattern, line):
            return kind
    return "kernel" if "/_native." in line else "rest"


def measure(name: str) -> None:
    """One line for a net."""
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder, "perf.data")
        record = ["perf", "record", "-q", "-e", "cpu-clock", "-F", str(FREQUENCY), "-o", data]
        command = [*record, "--", sys.executable, __file__, "--build", name]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        tasks = json.loads(done.stdout)["tasks"]
        found = samples(data)
    cost = {kind: 1e6 * count / FREQUENCY / tasks for kind, count in sorted(found.items())}
    parts = ", ".join(f"{kind} {microseconds:.2f}" for kind, microseconds in cost.items())
    beside = sum(cost.get(kind, 0.0) for kind in BESIDE)
    print(f"{name}: {tasks} tasks, {beside:.2f} microseconds each beside the kernel ({parts})")


def main() -> None:
    if sys.argv[1:2] == ["--build"]:
        build(sys.argv[2])
        return
    if shutil.which("perf") is None:
        sys.exit("perf is missing")
    for name in sys.argv[1:] or ["fms", "ring"]:
        measure(name)


if __name__ == "__main__":
    main()
