"""What a task of the native observation graph costs beside the kernel's own operations.

``python benchmarks/tasks.py [NET ...]`` builds the graphs of ``parallel.py`` in one process with
one thread, under ``perf record``, and adds up samples by what is on the stack: the recursive
computations of the kernel with all that they call, the way into them and out again, references to
sets, the graph (aggregates, tables, who is next), memory that these ask for, Spot, the rest. A
task is building an aggregate or expanding one. Needs Linux's ``perf``.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator
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

LIBRARY = "/_native."
COMPUTATION = r"mpisog::mdd::(\(anonymous|[a-z])"
"""The kernel's recursive functions; its classes begin with a capital letter."""

BESIDE = (
    ("memory", r"malloc|_int_free|cfree|unlink_chunk|operator (new|delete)"),
    ("references", r"mpisog::mdd::Set::"),
    ("entering", r"mpisog::mdd::"),
    ("graph", r"mpisog::sog::"),
)
"""What a task does beside them, by the innermost frame that one of these fits."""

FREQUENCY = 400
STACK_BYTES = 4096


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
    command = ["perf", "script", "--no-inline", "-i", str(data), "-F", "ip,sym,dso"]
    found: defaultdict[str, int] = defaultdict(int)
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as script:
        assert script.stdout is not None
        for frames in _stacks(script.stdout):
            found[_kind(frames)] += 1
    if script.returncode != 0:
        sys.exit("perf script failed")
    return found


def _stacks(lines: Iterable[str]) -> Iterator[list[str]]:
    """The frames of each sample, innermost first."""
    frames: list[str] = []
    for line in lines:
        if line.strip():
            frames.append(line)
        elif frames:
            yield frames
            frames = []
    if frames:
        yield frames


def _kind(frames: list[str]) -> str:
    own = [frame for frame in frames if LIBRARY in frame]
    if any(re.search(COMPUTATION, frame) for frame in own):
        return "kernel"
    if any("mpisog::sog::" in frame for frame in own):
        inner = (kind for frame in frames for kind, fits in BESIDE if re.search(fits, frame))
        return "Spot" if re.search(r"spot::|bdd_", frames[0]) else next(inner)
    # Deep recursions are recorded in part only; what has no name is in the kernel's own files.
    is_deep = own and "[unknown]" in own[-1]
    return "kernel" if is_deep else "rest"


def measure(name: str) -> None:
    """One line for a net."""
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder, "perf.data")
        record = ["perf", "record", "-q", "-e", "cpu-clock", "-F", str(FREQUENCY)]
        record += ["--call-graph", f"dwarf,{STACK_BYTES}", "-o", str(data)]
        command = [*record, "--", sys.executable, __file__, "--build", name]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        tasks = json.loads(done.stdout)["tasks"]
        found = samples(data)
    cost = {kind: 1e6 * count / FREQUENCY / tasks for kind, count in sorted(found.items())}
    parts = ", ".join(f"{kind} {microseconds:.2f}" for kind, microseconds in cost.items())
    beside = sum(cost.get(kind, 0.0) for kind, _ in BESIDE)
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
