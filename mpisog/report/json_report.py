"""The JSON report; its schema is documented in docs/json.md and tested."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from mpisog import __version__
from mpisog.engines.state_space import DeadMarking, StateFigures
from mpisog.executor.workload import WorkerLoad
from mpisog.nets.model import PetriNet
from mpisog.report.sog_export import figures, graph_data
from mpisog.report.traces import trace_data
from mpisog.sog.whole import WholeGraph
from mpisog.team.statistics import RankReport
from mpisog.trace.explain import Explanation
from mpisog.verdict import Result, results_code

SCHEMA = 1

LONG_TRACE = 1_000
"""Steps from which on the result of a check is not spread over lines."""


Provenance = Mapping[str, object]


class CheckReport:
    """The report of ``mpisog check``; each result is turned into text once.

    It is made again after every result, in case the next check has to be ended by force.
    """

    def __init__(self, net: PetriNet, net_path: str) -> None:
        self._net = net
        self._net_path = net_path
        self._texts: dict[str, tuple[Result, Explanation | None, str]] = {}

    def text(
        self,
        results: Sequence[Result],
        provenance: Provenance,
        stories: Mapping[str, Explanation],
        loads: Sequence[WorkerLoad] = (),
    ) -> str:
        """The whole report; ``stories`` are explanations by the name of the property."""
        header = _header("check", self._net, self._net_path, provenance)
        workers = {"workers": [_load(load) for load in loads]} if loads else {}
        report = {**header, "exit_code": int(results_code(results)), **workers, "results": []}
        parts = [self._part(result, stories.get(result.name)) for result in results]
        before, end = as_json(report).rsplit("[]", 1)
        listed = ",\n    ".join(parts)
        return f"{before}[\n    {listed}\n  ]{end}" if parts else as_json(report)

    def _part(self, result: Result, story: Explanation | None) -> str:
        before, told, text = self._texts.get(result.name, (None, None, ""))
        if before is not result or told is not story:  # a counterexample may have become shorter
            text = _nested(result, story)
            self._texts[result.name] = (result, story, text)
        return text


def _nested(result: Result, story: Explanation | None) -> str:
    """As an element of a list in the report; a long trace in one line, which is ten times faster.

    No string of JSON has a line break in it.
    """
    steps = 0 if result.trace is None else len(result.trace.prefix) + len(result.trace.cycle)
    indent = 2 if steps <= LONG_TRACE else None
    return json.dumps(result_data(result, story), indent=indent).replace("\n", "\n    ")


def states_report(
    net: PetriNet,
    net_path: str,
    figures: StateFigures | None,
    reason: str | None,
    dead: DeadMarking | None,
    provenance: Provenance,
) -> dict[str, object]:
    """The report of ``mpisog states``; the figures are null when a limit was reached."""
    names = (
        "states",
        "edges",
        "dead",
        "max_tokens_in_marking",
        "max_tokens_in_place",
        "engine",
        "seconds",
        "nodes",
    )
    return {
        **_header("states", net, net_path, provenance),
        **{name: None if figures is None else getattr(figures, name) for name in names},
        "complete": figures is not None,
        "reason": reason,
        "dead_path": None if dead is None else [net.transitions[t].id for t in dead.path],
        "dead_path_shortest": None if dead is None else dead.shortest,
    }


def info_report(
    net: PetriNet,
    net_path: str,
    facts: dict[str, object],
    observations: Sequence[dict[str, object]],
    provenance: Provenance,
) -> dict[str, object]:
    """The report of ``mpisog info``."""
    header = _header("info", net, net_path, provenance)
    return {**header, "facts": facts, "formulas": list(observations)}


def sog_report(
    net: PetriNet,
    net_path: str,
    settings: Mapping[str, object],
    whole: WholeGraph[Any] | None,
    seconds: float,
    reason: str | None,
    provenance: Provenance,
) -> dict[str, object]:
    """The report of ``mpisog sog``; without a graph when a limit was reached."""
    return {
        **_header("sog", net, net_path, provenance),
        **settings,
        "figures": None if whole is None else figures(whole),
        "seconds": round(seconds, 6),
        "complete": whole is not None,
        "reason": reason,
        "graph": None if whole is None else graph_data(whole),
    }


def doctor_report(findings: Sequence[Mapping[str, object]], code: int) -> dict[str, object]:
    """The report of ``mpisog doctor``."""
    return {
        "schema": SCHEMA,
        "command": "doctor",
        "mpisog": __version__,
        "exit_code": code,
        "findings": list(findings),
    }


def as_json(report: dict[str, object]) -> str:
    """The text of a report."""
    return json.dumps(report, indent=2) + "\n"


def _header(
    command: str, net: PetriNet, net_path: str, provenance: Provenance
) -> dict[str, object]:
    return {
        "schema": SCHEMA,
        "command": command,
        "mpisog": __version__,
        "net": {
            "path": net_path,
            "name": net.name,
            "places": len(net.places),
            "transitions": len(net.transitions),
            "arcs": net.arc_count,
        },
        "provenance": dict(provenance),
    }


def result_data(result: Result, story: Explanation | None) -> dict[str, object]:
    """One result of ``mpisog check``."""
    return {
        "name": result.name,
        "formula": result.formula,
        "verdict": str(result.verdict),
        "reason": result.reason,
        "error": result.error,
        "engine": result.engine,
        "seconds": round(result.seconds, 6),
        "statistics": dict(result.statistics),
        "ranks": [_rank(report) for report in result.ranks],
        "conjunct": result.conjunct,
        "trace_kind": result.trace_kind,
        "trace": None if result.trace is None else trace_data(result.trace, story),
        "notices": list(result.notices),
    }


def _load(load: WorkerLoad) -> dict[str, object]:
    return {
        "worker": load.worker,
        "units": load.units,
        "busy_share": round(load.busy_share, 4),
        "idle_share": round(1 - load.busy_share, 4),
        "busy": {stage: round(seconds, 4) for stage, seconds in load.busy.items()},
    }


def _rank(report: RankReport) -> dict[str, object]:
    """The figures of a builder, with the share of time in which its threads had nothing to do."""
    return {**asdict(report), "idle_share": round(report.idle_share, 4)}
