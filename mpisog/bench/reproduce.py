"""What is left of a disagreement: the smallest net and formula, and how to see it."""

from __future__ import annotations

import shlex
import tempfile
from dataclasses import replace
from pathlib import Path

from mpisog.bench.cases import Case, Formula
from mpisog.bench.commands import command_line
from mpisog.bench.measure import Stop
from mpisog.bench.peers.base import read_property
from mpisog.bench.plan import Run
from mpisog.bench.runner import DECIDED, Disagreement, execute
from mpisog.bench.shrink import Reproduction, shrink
from mpisog.bench.suite import Configuration, Suite
from mpisog.nets.load import load_net, write_net
from mpisog.nets.model import PetriNet
from mpisog.spotglue.ltl import bind, shown

SECONDS = 300.0
"""For making a disagreement smaller."""


def write_reproduction(found: Disagreement, suite: Suite, folder: Path) -> Path:
    """A folder with net, formula and commands; shrunk where two configurations disagree."""
    target = folder / "disagreement"
    target.mkdir(exist_ok=True)
    net = load_net(found.case.path)
    formula = _text(found, net)
    pair = _pair(found, suite)
    small = Reproduction(net, formula)
    if pair is not None and formula:
        small = shrink(small, _Differ(suite, pair, found.formula.logic, folder), SECONDS)
    write_net(small.net, target / "net.pnml")
    (target / "formula.ltl").write_text(small.formula + "\n", encoding="utf-8")
    lines = [found.text, "", "shrunk:" if pair else "not shrunk: one party is a known verdict"]
    for tool in pair or ():
        if tool.peer is None:
            shown_formula = Formula("formula", small.formula, _logic(found))
            command = command_line(tool, Path("net.pnml"), [shown_formula], suite.limits, Path())
            lines.append(shlex.join(command))
        else:
            lines.append(f"(peer {tool.peer})")
    (target / "README.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return target


def _logic(found: Disagreement) -> str:
    return "ltl" if found.formula.logic == "xml" else found.formula.logic


def _text(found: Disagreement, net: PetriNet) -> str:
    """The formula as text, also when it came from XML."""
    if found.formula.logic == "none":
        return ""
    if found.formula.logic != "xml":
        return found.formula.text
    return shown(bind(read_property(found.case.path, net, found.formula), net), net)


def _pair(found: Disagreement, suite: Suite) -> tuple[Configuration, Configuration] | None:
    """Two configurations of different verdicts; none when only a known verdict disagrees."""
    by_verdict = {
        answer: suite.configuration(name)
        for name, answer in found.answers.items()
        if name != "expected" and answer in DECIDED
    }
    return (by_verdict["TRUE"], by_verdict["FALSE"]) if len(by_verdict) == 2 else None


class _Differ:
    """Runs both configurations on a candidate."""

    def __init__(
        self, suite: Suite, pair: tuple[Configuration, Configuration], logic: str, folder: Path
    ) -> None:
        limits = replace(suite.limits, timeout=min(10.0, suite.limits.timeout))
        self._suite = replace(suite, limits=limits)
        self._pair, self._folder = pair, folder
        self._logic = "ltl" if logic == "xml" else logic

    def __call__(self, net: PetriNet, formula: str) -> bool:
        with tempfile.TemporaryDirectory(dir=self._folder) as scratch:
            path = Path(scratch, "net.pnml")
            write_net(net, path)
            case = Case("candidate", path, "", ())
            asked = Formula("formula", formula, self._logic)
            verdicts = set()
            for number, tool in enumerate(self._pair):
                where = Path(scratch, str(number))
                where.mkdir()
                run = Run(tool, case, (asked,), 0, "")
                _, (answer,) = execute(run, self._suite, where, Stop())
                verdicts.add(answer["verdict"])
            return verdicts == set(DECIDED)
