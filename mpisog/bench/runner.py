"""Running a suite: what is not yet known, one run after the other or several at a time."""

from __future__ import annotations

import tempfile
import threading
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from mpisog.bench.cases import Case, Formula
from mpisog.bench.commands import Answer, run_mpisog
from mpisog.bench.measure import Measured, Stop
from mpisog.bench.peers import PEERS
from mpisog.bench.peers.base import missing_programs, run_peer
from mpisog.bench.plan import Part, Run, plan
from mpisog.bench.results import Record, Results, ResultsWriter
from mpisog.bench.selection import select, selected, unfiltered
from mpisog.bench.suite import Configuration, Suite
from mpisog.errors import UsageError, nearest

DECIDED = ("TRUE", "FALSE")


@dataclass(frozen=True)
class Disagreement:
    """Two answers to one question; only one can be right."""

    case: Case
    formula: Formula
    answers: dict[str, str]
    """By configuration; ``expected`` is what was known beforehand."""

    @property
    def text(self) -> str:
        """One line."""
        said = ", ".join(f"{name}: {answer}" for name, answer in self.answers.items())
        about = f", {self.formula.name}: {self.formula.text}" if self.formula.text else ""
        return f"{self.case.net}{about} -- {said}"


@dataclass(frozen=True)
class Plan:
    """What is to be done, and where results go."""

    suite: Suite
    tools: Sequence[Configuration]
    cases: Sequence[Case]
    jobs: int
    part: Part | None
    folder: Path


Tell = Callable[[Run, int, int], None]
"""Called when a run begins, with the number of runs that are done and known so far."""


@dataclass
class Session:
    """One invocation of ``mpisog bench run``."""

    work: Plan
    results: Results
    writer: ResultsWriter
    stop: Stop
    tell: Tell
    begun: int = 0
    finished: int = 0
    known: int = 0
    """Runs that an earlier session has finished."""
    disagreement: Disagreement | None = None
    _answers: dict[tuple[str, str, str], dict[str, str]] = field(
        default_factory=lambda: defaultdict(dict)
    )
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def run(self) -> None:
        """All runs that are not yet known; ends early when told to, or at a disagreement."""
        with ThreadPoolExecutor(self.work.jobs) as pool:
            running: list[Future[None]] = []
            for run in self._missing():
                if self.stop:
                    break
                running = [future for future in running if not _raised(future)]
                while len(running) >= self.work.jobs:
                    _raised(running.pop(0), wait=True)
                running.append(pool.submit(self._one, run))
            for future in running:
                _raised(future, wait=True)

    def _missing(self) -> Iterator[Run]:
        """Lazily: the formulas of a net are chosen when its turn comes."""
        for run in self._all():
            record = self.results.runs.get(run.key)
            if record is None:
                yield run
            else:
                with self._lock:
                    self.known += 1
                    self._compare(run, record["results"])
            if self.stop:
                return

    def _all(self) -> Iterator[Run]:
        suite, part = self.work.suite, self.work.part
        random = suite.formulas.random
        whole_nets = random is not None and random.is_filtered
        piece = 0
        for case in self.work.cases:
            if whole_nets and part is not None:
                piece += 1
                if not part.has(piece - 1):
                    continue
            for group in plan(suite, case, self._formulas(case), self.work.tools):
                if not whole_nets and part is not None:
                    piece += 1
                    if not part.has(piece - 1):
                        continue
                yield from group

    def _formulas(self, case: Case) -> list[Formula]:
        spec = self.work.suite.formulas.random
        if spec is None:
            return list(case.formulas)
        if not spec.is_filtered:
            return [*case.formulas, *unfiltered(case, spec)]
        known = self.results.selections.get(case.net)
        record = select(case, spec, known, self.work.folder, self.stop)
        if record != known and not self.stop:
            self.writer.add(record)
            self.results.add(record)
        return [*case.formulas, *selected(record, spec)]

    def _one(self, run: Run) -> None:
        if self.stop:
            return
        with self._lock:
            self.begun += 1
            self.tell(run, self.finished, self.known)
        with tempfile.TemporaryDirectory(dir=self.work.folder, prefix="run-") as scratch:
            measured, answers = execute(run, self.work.suite, Path(scratch), self.stop)
        if measured.ended == "stopped":  # it says nothing about the run
            return
        record = _record(run, measured, answers)
        with self._lock:
            self.writer.add(record)
            self.results.add(record)
            self.finished += 1
            self._compare(run, answers)

    def _compare(self, run: Run, answers: Sequence[Answer]) -> None:
        """All answers to one question, and what was known beforehand, must be one."""
        for formula, answer in zip(run.formulas, answers, strict=True):
            question = (run.configuration.command, run.case.net, formula.name)
            found = self._answers[question]
            if formula.expected is not None:
                found["expected"] = formula.expected
            verdict = answer["verdict"]
            if verdict in DECIDED or verdict.isdecimal():
                found[run.configuration.name] = verdict
            if len(set(found.values())) > 1 and self.disagreement is None:
                self.disagreement = Disagreement(run.case, formula, dict(found))
                self.stop.set()


def execute(run: Run, suite: Suite, folder: Path, stop: Stop) -> tuple[Measured, list[Answer]]:
    """Measure one run."""
    tool = run.configuration
    if tool.peer is not None:
        return run_peer(
            PEERS[tool.peer], run.case.path, run.formulas[0], suite.limits, folder, stop
        )
    return run_mpisog(tool, run.case.path, run.formulas, suite.limits, folder, stop)


def _record(run: Run, measured: Measured, answers: Sequence[Answer]) -> Record:
    return {
        "type": "run",
        "key": run.key,
        "net": run.case.net,
        "size": run.case.size,
        "configuration": run.configuration.name,
        "command": run.configuration.command,
        "repetition": run.repetition,
        "wall": round(measured.wall, 4),
        "cpu": round(measured.cpu, 4),
        "peak_bytes": measured.peak_bytes,
        "processes": measured.processes,
        "exit_code": measured.code,
        "ended": measured.ended,
        "results": list(answers),
    }


def choose_tools(suite: Suite, wanted: Sequence[str]) -> list[Configuration]:
    """The configurations that were asked for and are installed."""
    names = [tool.name for tool in suite.configurations]
    for name in wanted:
        if name not in names:
            hint = nearest(name, names) or f"the suite has: {', '.join(names)}"
            raise UsageError(f"suite '{suite.name}' has no configuration '{name}'", hint=hint)
    tools = [t for t in suite.configurations if not wanted or t.name in wanted]
    for tool in tools:
        if tool.peer is not None and tool.peer not in PEERS:
            raise UsageError(f"there is no peer '{tool.peer}'", hint=nearest(tool.peer, PEERS))
    return [t for t in tools if t.peer is None or not missing_programs(PEERS[t.peer])]


def absent_tools(suite: Suite) -> dict[str, list[str]]:
    """Peers of the suite that are not installed, and which programs are missing."""
    found = {}
    for tool in suite.configurations:
        if tool.peer is not None and (missing := missing_programs(PEERS[tool.peer])):
            found[tool.name] = missing
    return found


def _raised(future: Future[None], wait: bool = False) -> bool:
    """Whether it is over; what it raised is raised here."""
    if wait or future.done():
        future.result()
        return True
    return False
