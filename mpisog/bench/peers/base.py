"""What an adapter of another tool is, and how it is run."""

from __future__ import annotations

import re
import shutil
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Protocol

from mpisog.bench.cases import Formula
from mpisog.bench.commands import Answer, environment
from mpisog.bench.measure import Bounds, Measured, Stop, in_turn, measure
from mpisog.bench.suite import Limits
from mpisog.formulas.atoms import Atom, Comparison, Dead, Fire, Fireable
from mpisog.formulas.properties import Property, from_texts
from mpisog.nets.bounds import place_bounds
from mpisog.nets.load import load_net
from mpisog.nets.model import PetriNet
from mpisog.spotglue.ltl import BoundFormula, bind


class Unfit(Exception):
    """A tool that cannot say what this net or formula says; no error of anybody's."""


@dataclass(frozen=True)
class PeerProblem:
    """A net and a formula in all the shapes an adapter may need."""

    path: Path
    net: PetriNet
    bound: BoundFormula
    threads: int = 1

    @cached_property
    def bounds(self) -> list[int | None]:
        """The most tokens of each place, where structure tells."""
        return place_bounds(self.net)

    def atoms(self, place: Callable[[int], str], words: Words) -> list[str]:
        """Every atom as a condition on variables."""
        return [self._atom(atom, place, words) for atom in self.bound.atoms]

    def _atom(self, atom: Atom, place: Callable[[int], str], words: Words) -> str:
        match atom:
            case Comparison(terms, op, bound):
                total = " + ".join(f"{factor} * {place(p)}" for p, factor in terms) or "0"
                return f"({total} {words.operators.get(op, op)} {bound})"
            case Fireable(transitions):
                return self._any(transitions, place, words)
            case Dead():
                everything = self._any(range(len(self.net.transitions)), place, words)
                return f"({words.no} {everything})"
            case Fire():
                raise Unfit("the tool knows no events")

    def _any(self, transitions: Sequence[int], place: Callable[[int], str], words: Words) -> str:
        enabled = [self.enabled(t, place, words) for t in transitions]
        return "(" + f" {words.either} ".join(enabled) + ")" if enabled else words.false

    def enabled(self, transition: int, place: Callable[[int], str], words: Words) -> str:
        """Whether a transition can fire."""
        needs = [f"{place(p)} >= {weight}" for p, weight in self.net.transitions[transition].pre]
        return "(" + f" {words.both} ".join(needs) + ")" if needs else words.true


@dataclass(frozen=True)
class Words:
    """How a language writes conditions."""

    both: str
    either: str
    no: str
    true: str
    false: str
    operators: dict[str, str]


C_WORDS = Words("&&", "||", "!", "1", "0", {})
SMV_WORDS = Words("&", "|", "!", "TRUE", "FALSE", {"==": "="})


def with_atoms(formula: str, texts: Sequence[str]) -> str:
    """The formula over ``a0``, ``a1``, ... with these texts in their places."""
    return re.sub(r"\ba(\d+)\b", lambda found: texts[int(found[1])], formula)


class Peer(Protocol):
    """An adapter."""

    @property
    def name(self) -> str:
        """What suites call it."""
        ...

    @property
    def programs(self) -> tuple[str, ...]:
        """All of them must be on PATH."""
        ...

    @property
    def version_option(self) -> str:
        """Makes the first of them tell its version."""
        ...

    def commands(self, problem: PeerProblem, folder: Path) -> list[list[str]]:
        """Write the input; the commands, the last of which gives the verdict. Raises ``Unfit``."""
        ...

    def verdict(self, last: Measured) -> str | None:
        """TRUE, FALSE, or nothing when it has not decided."""
        ...


def missing_programs(peer: Peer) -> list[str]:
    """What is not on PATH."""
    return [program for program in peer.programs if shutil.which(program) is None]


def peer_version(peer: Peer) -> str:
    """The first line that it says about itself."""
    try:
        done = subprocess.run(
            [peer.programs[0], peer.version_option],
            capture_output=True, text=True, timeout=10, check=False, stdin=subprocess.DEVNULL,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired):
        return "unknown version"
    lines = (done.stdout + done.stderr).strip().splitlines()
    return lines[0].strip() if lines else "unknown version"


def read_property(path: Path, net: PetriNet, formula: Formula) -> Property:
    """The property behind a formula of a suite."""
    if formula.logic == "xml":
        from mpisog.formulas.mcc_xml import read_mcc_properties

        return read_mcc_properties(str(formula.source), net, [formula.text])[0]
    return from_texts([formula.text], formula.logic)[0]


def run_peer(
    peer: Peer, path: Path, formula: Formula, limits: Limits, folder: Path, stop: Stop
) -> tuple[Measured, list[Answer]]:
    """Measure all commands together; the answer's seconds are the last one's."""
    try:
        net = load_net(path)
        prop = read_property(path, net, formula)
        if prop.existential:
            raise Unfit("the formula asks for a run")
        commands = peer.commands(PeerProblem(path, net, bind(prop, net)), folder)
    except Unfit as reason:
        return _NOTHING, [_answer(peer, formula, "UNFIT", 0.0, str(reason))]
    return _run_all(peer, formula, commands, limits, folder, stop)


def _run_all(
    peer: Peer,
    formula: Formula,
    commands: Sequence[Sequence[str]],
    limits: Limits,
    folder: Path,
    stop: Stop,
) -> tuple[Measured, list[Answer]]:
    total, last = _NOTHING, _NOTHING
    deadline = time.monotonic() + limits.timeout
    for command in commands:
        bounds = Bounds(max(0.1, deadline - time.monotonic()), limits.memory)
        last = measure(command, bounds, folder, environment(), stop)
        total = in_turn(total, last)
        if last.ended is not None or (command is not commands[-1] and last.code != 0):
            break
    if last.ended is not None:
        return total, [_answer(peer, formula, "UNKNOWN", last.wall, f"out of {last.ended}")]
    verdict = peer.verdict(last) if command is commands[-1] else None
    said = (last.stderr or last.stdout).strip().splitlines()[-1:]
    reason = None if verdict else f"exit code {last.code}: {' '.join(said)}"[:300]
    return total, [_answer(peer, formula, verdict or "UNKNOWN", last.wall, reason)]


_NOTHING = Measured(0.0, 0.0, 0, 0, 0, None, "", "")


def _answer(
    peer: Peer, formula: Formula, verdict: str, seconds: float, reason: str | None
) -> Answer:
    return {
        "formula": formula.name,
        "text": formula.text,
        "verdict": verdict,
        "expected": formula.expected,
        "seconds": round(seconds, 6),
        "engine": peer.name,
        "reason": reason,
        "figures": {},
    }
