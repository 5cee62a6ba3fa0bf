"""Spin: one process that fires transitions, the formula translated by Spin itself.

A dead marking blocks the process; Spin then lets the claim go on over the same state for ever,
which is our semantics. Partial-order reduction is off: there is one process, nothing to reduce.
"""

from __future__ import annotations

import re
from pathlib import Path

from mpisog.bench.measure import Measured
from mpisog.bench.peers.base import C_WORDS, PeerProblem, Unfit
from mpisog.spotglue.dialects import has_next, spin_syntax

_DEPTH = 1_000_000
_BYTE = 255


class Spin:
    """The explicit model checker of Debian's package ``spin``; needs a C compiler."""

    name = "spin"
    programs = ("spin", "gcc")
    version_option = "-V"

    def commands(self, problem: PeerProblem, folder: Path) -> list[list[str]]:
        """Promela to C, C to a verifier, and that runs."""
        if has_next(problem.bound):
            raise Unfit("Spin is built without the next operator")
        (folder / "net.pml").write_text(promela(problem), encoding="utf-8")
        flags = ["-O2", "-w", "-DNOREDUCE", "-DNOFAIR", "-DVECTORSZ=65536"]
        return [
            ["spin", "-a", "net.pml"],
            ["gcc", *flags, "-o", "pan", "pan.c"],
            ["./pan", "-a", "-E", "-n", f"-m{_DEPTH}"],
        ]

    def verdict(self, last: Measured) -> str | None:
        """No error counts only when nothing was cut off."""
        errors = re.search(r"errors: (\d+)", last.stdout)
        if errors is None:
            return None
        if int(errors[1]) > 0:
            return "FALSE"
        cut = "max search depth too small" in last.stdout or "out of memory" in last.stdout
        return None if cut else "TRUE"


def promela(problem: PeerProblem) -> str:
    """The net and the formula."""
    net = problem.net
    lines = [
        f"{_type(bound)} {_place(p)} = {net.initial[p]};" for p, bound in enumerate(problem.bounds)
    ]
    lines += [f"#define a{n} {text}" for n, text in enumerate(problem.atoms(_place, C_WORDS))]
    lines += ["active proctype net() {", "  do"]
    for number, effect in enumerate(net.effects):
        changes = "; ".join(f"{_place(p)} = {_place(p)} + {d}" for p, d in effect.items())
        guard = problem.enabled(number, _place, C_WORDS)
        lines.append(f"  :: d_step {{ {guard} -> {changes or 'skip'} }}")
    lines += ["  od", "}", f"ltl property {{ {spin_syntax(problem.bound)} }}", ""]
    return "\n".join(lines)


def _type(bound: int | None) -> str:
    return "byte" if bound is not None and bound <= _BYTE else "int"


def _place(number: int) -> str:
    return f"p{number}"
