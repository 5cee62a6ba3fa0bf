"""ITS-Tools' ``its-ltl``: the net as a GAL model, the formula in Spot's syntax."""

from __future__ import annotations

import re
from pathlib import Path

from mpisog.bench.measure import Measured
from mpisog.bench.peers.base import C_WORDS, PeerProblem, with_atoms
from mpisog.bench.peers.renamed import place, transition
from mpisog.spotglue.dialects import letter_syntax


class ItsLtl:
    """Symbolic LTL; dead markings are told to repeat."""

    name = "its-ltl"
    programs = ("its-ltl",)
    version_option = "--version"

    def commands(self, problem: PeerProblem, folder: Path) -> list[list[str]]:
        """Atoms stand in quotes inside the formula."""
        (folder / "net.gal").write_text(gal(problem), encoding="utf-8")
        texts = [text.replace(" ", "") for text in problem.atoms(place, C_WORDS)]
        formula = with_atoms(letter_syntax(problem.bound), [f'"{text}"' for text in texts])
        (folder / "formula.ltl").write_text(formula + "\n", encoding="utf-8")
        options = ["-i", "net.gal", "-t", "GAL", "-LTL", "formula.ltl"]
        return [["its-ltl", *options, "-c", "-stutter-deadlock"]]

    def verdict(self, last: Measured) -> str | None:
        """It prints ``Formula 0 is TRUE``."""
        found = re.search(r"Formula 0 is (TRUE|FALSE)", last.stdout)
        return None if found is None else found[1]


def gal(problem: PeerProblem) -> str:
    """The net."""
    lines = ["gal net {"]
    lines += [f"  int {place(p)} = {tokens};" for p, tokens in enumerate(problem.net.initial)]
    for number, effect in enumerate(problem.net.effects):
        changes = " ".join(f"{place(p)} = {place(p)} + {d};" for p, d in effect.items())
        guard = problem.enabled(number, place, C_WORDS).replace("(1)", "true")
        lines.append(f"  transition {transition(number)} [{guard}] {{ {changes} }}")
    return "\n".join([*lines, "}", "main net;", ""])
