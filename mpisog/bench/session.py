"""One invocation of ``mpisog bench run``: its folder, provenance, progress, and how it ends."""

from __future__ import annotations

import os
import platform
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from mpisog.bench.cases import cases
from mpisog.bench.measure import Stop
from mpisog.bench.peers import PEERS
from mpisog.bench.peers.base import peer_version
from mpisog.bench.plan import Part, Run
from mpisog.bench.reproduce import write_reproduction
from mpisog.bench.results import (
    SCHEMA,
    Record,
    Results,
    ResultsWriter,
    read_results,
    results_file,
)
from mpisog.bench.runner import Plan, Session, absent_tools, choose_tools
from mpisog.bench.suite import Configuration, Suite
from mpisog.errors import UsageError
from mpisog.report.provenance import input_digests, provenance
from mpisog.sizes import format_bytes
from mpisog.verdict import ExitCode

ROOT = Path("mpisog-bench")
"""Where results go unless told otherwise: a folder for each suite."""
SUITE_FILE = "suite.toml"
_EVERY = 30.0
"""Seconds between two lines of progress where standard error is no terminal."""


@dataclass(frozen=True)
class Request:
    """What the command line asks for."""

    suite: Suite
    source: Path
    """The suite's file."""
    folder: Path
    tools: Sequence[str]
    nets: Sequence[str]
    jobs: int
    part: Part | None
    resume: bool
    command_line: Sequence[str]


def run_suite(request: Request) -> ExitCode:
    """Run what is missing, and say how it went."""
    suite, folder = request.suite, request.folder
    tools = choose_tools(suite, request.tools)
    if not tools:
        raise UsageError("none of these tools is installed", hint="see 'mpisog bench list'")
    results = _known_results(request)
    nets = cases(suite, folder / "nets", request.nets)  # an error leaves no results behind
    part = None if request.part is None else f"{request.part.index + 1}"
    writer = ResultsWriter(results_file(folder, part))
    try:
        _copy_at_once(request.source, folder / SUITE_FILE)
        writer.add(_session_record(request, tools))
        progress = _Progress(suite.name)
        work = Plan(suite, tools, nets, request.jobs, request.part, folder)
        with _stopped_by_signals() as stop:
            session = Session(work, results, writer, stop, progress.show)
            session.run()
        progress.clear()
        return _ending(session, request, writer)
    finally:
        writer.close()


def _without_answers(results: Results) -> Iterator[tuple[str, str]]:
    """Configurations that took no formula, such as those with a misspelt option, and why."""
    answers: dict[str, list[Record]] = {}
    for run in results.runs.values():
        answers.setdefault(run["configuration"], []).extend(run["results"])
    for name, given in answers.items():
        if given and all(answer["verdict"] in ("UNFIT", "ERROR") for answer in given):
            yield name, given[0]["reason"]


def _copy_at_once(source: Path, target: Path) -> None:
    """Jobs of an array share the folder."""
    content = source.read_bytes()
    if not target.is_file() or target.read_bytes() != content:
        fresh = target.with_suffix(f".{os.getpid()}")
        fresh.write_bytes(content)
        fresh.replace(target)


def _known_results(request: Request) -> Results:
    if not request.folder.is_dir() or not any(request.folder.glob("results*.jsonl")):
        return Results()
    if not request.resume and request.part is None:
        raise UsageError(
            "there are results already", path=request.folder,
            hint="--resume goes on with them, --out DIR takes another folder",
        )  # fmt: skip
    return read_results(request.folder)


def _ending(session: Session, request: Request, writer: ResultsWriter) -> ExitCode:
    done = f"{session.finished} runs, {session.known} known before"
    if session.disagreement is not None:
        print(f"mpisog: DISAGREEMENT: {session.disagreement.text}", file=sys.stderr)
        print("shrinking it ...", file=sys.stderr, flush=True)
        target = write_reproduction(session.disagreement, request.suite, request.folder)
        writer.add({"type": "disagreement", "text": session.disagreement.text})
        print(f"mpisog: net, formula and commands are in {target}", file=sys.stderr)
        return ExitCode.VIOLATED
    if session.stop:
        print(f"{request.suite.name}: stopped after {done}; --resume goes on", file=sys.stderr)
        return ExitCode.UNKNOWN
    for name, programs in absent_tools(request.suite).items():
        print(f"{name}: absent ({', '.join(programs)} not found)")
    for name, reason in _without_answers(session.results):
        print(f"{name}: no answer at all: {reason}", file=sys.stderr)
    print(f"{request.suite.name}: {done}, no disagreement")
    print(f"results in {request.folder}; 'mpisog bench report {request.folder}' shows them")
    return ExitCode.OK


def _session_record(request: Request, tools: Sequence[Configuration]) -> Record:
    peers = [tool.peer for tool in tools if tool.peer is not None]
    return {
        "type": "session",
        "schema": SCHEMA,
        "suite": request.suite.name,
        "timeout": request.suite.limits.timeout,
        "jobs": request.jobs,
        "nets": list(request.nets),
        "tools": [tool.name for tool in tools],
        "absent": absent_tools(request.suite),
        "peers": {name: peer_version(PEERS[name]) for name in peers},
        "machine": _machine(),
        "provenance": provenance(request.command_line, input_digests([str(request.source)])),
    }


def _machine() -> dict[str, object]:
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return {
        "host": platform.node(),
        "processor": _processor(),
        "cores": os.cpu_count(),
        "memory": format_bytes(memory),
        "load": [round(load, 2) for load in os.getloadavg()],
    }


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(errors="replace").splitlines()
    except OSError:
        return platform.processor()
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.processor())


@contextmanager
def _stopped_by_signals() -> Iterator[Stop]:
    """Ctrl-C and SIGTERM end running processes; what is finished is on the disk.

    The watchdog of the command line does not hear of them: runs that ignore a signal take longer to
    end than it would wait.
    """
    stop = Stop()
    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGUSR1)
    watchdog = signal.set_wakeup_fd(-1)
    before = {n: signal.signal(n, lambda *_: stop.set()) for n in numbers}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        signal.set_wakeup_fd(watchdog, warn_on_full_buffer=False)


class _Progress:
    """A line on a terminal that changes; elsewhere a line every half minute."""

    def __init__(self, suite: str) -> None:
        self._suite = suite
        self._live = sys.stderr.isatty()
        self._started = self._last = time.monotonic()

    def show(self, run: Run, finished: int, known: int) -> None:
        """A run begins."""
        now = time.monotonic()
        about = run.formulas[0].name if len(run.formulas) == 1 else f"{len(run.formulas)} formulas"
        text = (
            f"{self._suite}: {finished} runs ({known} known before), {now - self._started:.0f} s; "
            f"now {run.case.net}, {about}, {run.configuration.name}"
        )
        if self._live:
            print(f"\r\x1b[K{text[: _columns()]}", end="", file=sys.stderr, flush=True)
        elif now - self._last >= _EVERY:
            self._last = now
            print(text, file=sys.stderr, flush=True)

    def clear(self) -> None:
        """Take the line away."""
        if self._live:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def _columns() -> int:
    try:
        return os.get_terminal_size(sys.stderr.fileno()).columns - 1
    except OSError:
        return 79
