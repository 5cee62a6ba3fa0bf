"""NuSMV and nuXmv: places as bounded integers, one disjunct a transition, dead markings repeat."""

from __future__ import annotations

from pathlib import Path

from mpisog.bench.measure import Measured
from mpisog.bench.peers.base import SMV_WORDS, PeerProblem, Unfit
from mpisog.spotglue.dialects import letter_syntax


class NuSmv:
    """BDD-based LTL, the rival of the MC-SOG paper."""

    name = "nusmv"
    programs: tuple[str, ...] = ("NuSMV",)
    version_option = "-help"

    def commands(self, problem: PeerProblem, folder: Path) -> list[list[str]]:
        """One file, one command."""
        (folder / "net.smv").write_text(smv(problem), encoding="utf-8")
        return [[self.programs[0], "-dynamic", "net.smv"]]

    def verdict(self, last: Measured) -> str | None:
        """``-- specification ... is true``."""
        lines = [line for line in last.stdout.splitlines() if line.startswith("-- specification")]
        ends = {"is true": "TRUE", "is false": "FALSE"}
        return next((v for line in lines for end, v in ends.items() if line.endswith(end)), None)


class NuXmv(NuSmv):
    """Its successor takes the same input."""

    name = "nuxmv"
    programs = ("nuXmv",)


def smv(problem: PeerProblem) -> str:
    """The net and the formula."""
    if None in problem.bounds:
        raise Unfit("no bound of all places is known")
    net = problem.net
    lines = ["MODULE main", "VAR"]
    lines += [f"  {_place(p)} : 0..{max(1, bound or 0)};" for p, bound in enumerate(problem.bounds)]
    lines += ["DEFINE"]
    lines += [f"  a{n} := {text};" for n, text in enumerate(problem.atoms(_place, SMV_WORDS))]
    enabled = [problem.enabled(t, _place, SMV_WORDS) for t in range(len(net.transitions))]
    lines += [f"  t{number} := {text};" for number, text in enumerate(enabled)]
    start = [f"{_place(p)} = {tokens}" for p, tokens in enumerate(net.initial)]
    lines += ["INIT", "  " + " & ".join(start), "TRANS"]
    steps = [f"(t{t} & {_step(problem, t)})" for t in range(len(enabled))]
    nothing = " & ".join(f"!t{t}" for t in range(len(enabled))) or "TRUE"
    steps.append(f"({nothing} & {_step(problem, None)})")
    lines += ["  " + "\n  | ".join(steps), f"LTLSPEC {letter_syntax(problem.bound)}", ""]
    return "\n".join(lines)


def _step(problem: PeerProblem, transition: int | None) -> str:
    effect = {} if transition is None else problem.net.effects[transition]
    changes = [
        f"next({_place(p)}) = {_place(p)} + {effect[p]}"
        if p in effect
        else f"next({_place(p)}) = {_place(p)}"
        for p in range(len(problem.net.places))
    ]
    return " & ".join(changes)


def _place(number: int) -> str:
    return f"p{number}"
