"""pmc-sog, the tool of the papers: its own net format, formulas over marked places."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from mpisog.bench.measure import Measured
from mpisog.bench.peers.base import PeerProblem, Unfit, with_atoms
from mpisog.bench.peers.renamed import place, transition
from mpisog.formulas.atoms import Atom, Comparison
from mpisog.nets.model import PetriNet
from mpisog.spotglue.dialects import has_next, letter_syntax


class PmcSog:
    """One process with threads; it forgets runs that end in a dead marking."""

    name = "pmc-sog"
    programs = ("pmc-sog",)
    version_option = "--help"

    def commands(self, problem: PeerProblem, folder: Path) -> list[list[str]]:
        """Progressive construction on the fly, as in the papers."""
        if has_next(problem.bound):
            raise Unfit("the observation graph is built without the next operator")
        names = [_marked_place(atom) for atom in problem.bound.atoms]
        formula = with_atoms(letter_syntax(problem.bound), names)
        (folder / "net.net").write_text(net_text(problem.net), encoding="utf-8")
        (folder / "formula.ltl").write_text(formula + "\n", encoding="utf-8")
        files = ["--net", "net.net", "--ltl", "formula.ltl"]
        return [["pmc-sog", "--n", str(problem.threads), *files, "--progressive"]]

    def verdict(self, last: Measured) -> str | None:
        """Its exit code says nothing."""
        found = re.search(r"Property is (verified|violated)", last.stdout)
        return None if found is None else {"verified": "TRUE", "violated": "FALSE"}[found[1]]


def _marked_place(atom: Atom) -> str:
    match atom:
        case Comparison(((number, 1),), ">=", 1):
            return place(number)
        case _:
            raise Unfit("the tool's atoms are marked places")


def net_text(net: PetriNet) -> str:
    """Places with their tokens, transitions with their arcs."""
    lines = [
        f"#place {place(p)}" + (f" mk({tokens}<..>)" if tokens else "")
        for p, tokens in enumerate(net.initial)
    ]
    for number, found in enumerate(net.transitions):
        lines += [f"#trans {transition(number)}", f"in {_arcs(found.pre)}"]
        lines += [f"out {_arcs(found.post)}", "#endtr"]
    return "\n".join([*lines, ""])


def _arcs(arcs: Iterable[tuple[int, int]]) -> str:
    weighted = (f"{place(p)}:{weight if weight > 1 else ''}<..>;" for p, weight in arcs)
    return "{" + "".join(weighted) + "}"
