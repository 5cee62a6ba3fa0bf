"""Runs as command lines of mpisog, and what its JSON reports say."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from mpisog.bench.cases import Formula
from mpisog.bench.measure import Bounds, Measured, Stop, in_turn, measure
from mpisog.bench.suite import Configuration, Limits
from mpisog.cluster.scripts import own_command, own_mpirun

REPORT = "report.json"
_GRACE = 30.0
"""Seconds beside the time limit: starting, reading the net, replaying, writing the report."""
_LAST_RESORT = "after a limit or a signal"
"""So ends the reason of what the watchdog of a process left open."""
_KEPT_RANK_FIGURES = ("rank", "host", "built", "held", "bytes_sent", "memory", "idle_share")

Answer = dict[str, Any]
"""What a run says about one formula."""


def run_mpisog(
    configuration: Configuration,
    net: Path,
    formulas: Sequence[Formula],
    limits: Limits,
    folder: Path,
    stop: Stop,
) -> tuple[Measured, list[Answer]]:
    """Measure one process, or a job of ranks, and read its report.

    One that was ended by force leaves formulas behind that it never came to: another takes them.
    """
    command = command_line(configuration, net, formulas, limits, folder)
    bounds = Bounds(limits.timeout * max(1, len(formulas)) * 1.2 + _GRACE)
    (folder / REPORT).unlink(missing_ok=True)
    measured = measure(command, bounds, folder, environment(), stop)
    answers = read_answers(folder / REPORT, formulas, measured)
    undecided = _ended_by_force(answers)
    if len(undecided) < 2 or stop:
        return measured, answers
    spent = sum(answer["seconds"] for answer in answers)
    undecided[0]["seconds"] = max(0.0, round(measured.wall - spent, 6))
    names = [answer["formula"] for answer in undecided[1:]]
    left = [formula for formula in formulas if formula.name in names]
    later, found = run_mpisog(configuration, net, left, limits, folder, stop)
    new = {answer["formula"]: answer for answer in found}
    return in_turn(measured, later), [new.get(a["formula"], a) for a in answers]


def _ended_by_force(answers: Sequence[Answer]) -> list[Answer]:
    """What the watchdog left open: the first was being checked, the others waited."""
    return [a for a in answers if str(a["reason"]).endswith(_LAST_RESORT)]


def command_line(
    configuration: Configuration,
    net: Path,
    formulas: Sequence[Formula],
    limits: Limits,
    folder: Path,
) -> list[str]:
    """What is started."""
    command = [*own_command(), configuration.command, str(net)]
    if configuration.command == "check":
        command += _formula_options(formulas, folder)
        command += ["--no-trace"]
        if not {"--shorten", "--shortest"} & set(configuration.options):
            command += ["--shorten", "0"]  # time for finding a counterexample, not for polishing it
    command += configuration.options
    if configuration.command != "unfold":  # it prints its figures
        command += ["--json", str(folder / REPORT), "--no-progress"]
    command += ["--timeout", f"{limits.timeout:g}"]
    if limits.memory is not None:
        command += ["--memory", str(limits.memory)]
    if configuration.ranks == 1:
        return command
    return [own_mpirun(), "-n", str(configuration.ranks), *command]


def _formula_options(formulas: Sequence[Formula], folder: Path) -> list[str]:
    """A formula alone stands on the command line; many stand in a file."""
    if len(formulas) == 1:
        return formulas[0].options
    options: list[str] = []
    for source in dict.fromkeys(f.source for f in formulas if f.logic == "xml"):
        options += ["-x", str(source)]
    for formula in formulas:
        if formula.logic == "xml":
            options += ["--property", formula.text]
    for logic, option in (("ltl", "-F"), ("lrl", "-L")):
        lines = [f"{f.name}: {f.text}\n" for f in formulas if f.logic == logic]
        if lines:
            path = folder / f"formulas.{logic}"
            path.write_text("".join(lines), encoding="utf-8")
            options += [option, str(path)]
    return options


def environment() -> dict[str, str]:
    """Ours, without anything that would configure mpisog; more ranks than cores are fine."""
    clean = {k: v for k, v in os.environ.items() if not k.startswith("MPISOG_")}
    return {
        **clean,
        "XDG_CONFIG_HOME": os.devnull,
        "OMPI_ALLOW_RUN_AS_ROOT": "1",
        "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
        "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe",
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")]),
    }


def read_answers(report: Path, formulas: Sequence[Formula], measured: Measured) -> list[Answer]:
    """One answer a formula, also where there is no report."""
    if measured.code == 0 and measured.stdout.startswith("events: "):
        return [_net_answer(_printed_figures(measured.stdout))]
    try:
        data = json.loads(report.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        data = None
    if data is None or measured.ended is not None:
        return [_without_report(formula, measured) for formula in formulas]
    if data["command"] != "check":
        return [_net_answer(data)]
    by_name = {result["name"]: result for result in data["results"]}
    if len(formulas) == 1 and len(data["results"]) == 1:
        by_name = {formulas[0].name: data["results"][0]}
    return [
        _answer(formula, by_name[formula.name])
        if formula.name in by_name
        else _without_report(formula, measured)
        for formula in formulas
    ]


def _answer(formula: Formula, result: Mapping[str, Any]) -> Answer:
    verdict = "ERROR" if result.get("error") else result["verdict"]
    trace = result.get("trace") or {}
    ranks = [
        {name: rank[name] for name in _KEPT_RANK_FIGURES if name in rank}
        for rank in result.get("ranks", ())
    ]
    return {
        "formula": formula.name,
        "text": formula.text if formula.logic != "xml" else result["formula"],
        "verdict": verdict,
        "expected": formula.expected,
        "seconds": result["seconds"],
        "engine": result["engine"],
        "reason": result.get("reason"),
        "figures": result.get("statistics", {}),
        **({"ranks": ranks} if ranks else {}),
        **({"steps": len(trace["prefix"]) + len(trace["cycle"])} if "cycle" in trace else {}),
    }


def _printed_figures(text: str) -> dict[str, Any]:
    """Of ``mpisog unfold``: ``events: 96`` and so on."""
    pairs = (line.partition(": ")[::2] for line in text.splitlines())
    figures = {name: float(value) for name, value in pairs}
    return {"command": "unfold", **{k: int(v) if v.is_integer() else v for k, v in figures.items()}}


def _net_answer(data: Mapping[str, Any]) -> Answer:
    """Of a command that is about the net alone; the answer is its size."""
    figures = data.get("figures") or data
    size = figures.get("states") if data["command"] == "states" else figures.get("events")
    kept = {k: v for k, v in figures.items() if isinstance(v, int | float) and k != "schema"}
    return {
        "formula": "net",
        "text": "",
        "verdict": "UNKNOWN" if size is None else str(size),
        "expected": None,
        "seconds": data.get("seconds") or 0.0,
        "engine": data.get("engine") or data["command"],
        "reason": data.get("reason"),
        "figures": kept,
    }


def _without_report(formula: Formula, measured: Measured) -> Answer:
    """The process has not come to its end: out of time, unfit, or a bug."""
    said = next((line for line in measured.stderr.splitlines() if line.strip()), "")
    verdict = {3: "UNFIT", 4: "ERROR"}.get(measured.code, "UNKNOWN")
    reason = said or f"exit code {measured.code}"
    if measured.ended is not None:
        verdict, reason = "UNKNOWN", f"ended from outside: {measured.ended}"
    return {
        "formula": formula.name,
        "text": formula.text,
        "verdict": verdict,
        "expected": formula.expected,
        "seconds": measured.wall,
        "engine": "",
        "reason": reason[:300],
        "figures": {},
    }
