"""LTSmin: explicit search of the product (``-mc``), or fixed points of the formula (``-sym``)."""

from __future__ import annotations

import re
from pathlib import Path

from mpisog.bench.measure import Measured
from mpisog.bench.peers.base import C_WORDS, PeerProblem, with_atoms
from mpisog.bench.peers.renamed import place, renamed
from mpisog.nets.load import write_net
from mpisog.spotglue.dialects import spin_syntax

_COUNTEREXAMPLE = 1


class Ltsmin:
    """The rival of both pmc-sog papers, with their depth-first search."""

    name = "ltsmin-mc"
    programs = ("pnml2lts-mc",)
    version_option = "--version"

    def commands(self, problem: PeerProblem, folder: Path) -> list[list[str]]:
        """Nested depth-first search."""
        write_input(problem, folder)
        threads = f"--threads={problem.threads}"
        return [
            ["pnml2lts-mc", "--strategy=ndfs", "--ltl-semantics=spin", "--ltl=formula.ltl",
             threads, "plain.pnml"],
        ]  # fmt: skip

    def verdict(self, last: Measured) -> str | None:
        """Exit code 1 is a counterexample; 0 counts only when the search says that it is over."""
        said = last.stdout + last.stderr
        if last.code == _COUNTEREXAMPLE and re.search("cycle FOUND", said, re.IGNORECASE):
            return "FALSE"
        return "TRUE" if last.code == 0 and "Explored" in said else None


class LtsminSymbolic:
    """Decision diagrams; it forgets runs that end in a dead marking."""

    name = "ltsmin-sym"
    programs = ("pnml2lts-sym",)
    version_option = "--version"

    def commands(self, problem: PeerProblem, folder: Path) -> list[list[str]]:
        """Saturation, as the contest's scripts of LTSmin ask for."""
        write_input(problem, folder)
        options = ["--saturation=sat-like", "--order=chain-prev"]
        return [["pnml2lts-sym", *options, "--ltl=formula.ltl", "plain.pnml"]]

    def verdict(self, last: Measured) -> str | None:
        """``... does not hold for the initial state``."""
        found = re.search(r"(not hold|holds) for the initial state", last.stdout + last.stderr)
        return None if found is None else {"holds": "TRUE", "not hold": "FALSE"}[found[1]]


def write_input(problem: PeerProblem, folder: Path) -> None:
    """Places get plain names: LTSmin's formulas know them as variables."""
    write_net(renamed(problem.net), folder / "plain.pnml")
    formula = with_atoms(spin_syntax(problem.bound), problem.atoms(place, C_WORDS))
    (folder / "formula.ltl").write_text(formula + "\n", encoding="utf-8")
