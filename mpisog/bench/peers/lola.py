"""LoLA 2: the net in its own format, the formula as CTL* over all paths."""

from __future__ import annotations

import re
from pathlib import Path

from mpisog.bench.measure import Measured
from mpisog.bench.peers.base import PeerProblem, Words
from mpisog.bench.peers.renamed import place, renamed
from mpisog.nets.load import write_net
from mpisog.spotglue.dialects import letter_syntax

_WORDS = Words("AND", "OR", "NOT", "TRUE", "FALSE", {"==": "="})
_OPERATORS = {"&": "AND", "|": "OR", "!": "NOT", "1": "TRUE", "0": "FALSE"}


class Lola:
    """Explicit search with stubborn sets."""

    name = "lola"
    programs = ("lola",)
    version_option = "--version"

    def commands(self, problem: PeerProblem, folder: Path) -> list[list[str]]:
        """Atoms are conditions on tokens."""
        write_net(renamed(problem.net), folder / "plain.lola")
        words = re.findall(r"[a-zA-Z0-9]+|[&|!()]", letter_syntax(problem.bound))
        atoms = problem.atoms(place, _WORDS)
        translated = [
            atoms[int(word[1:])] if re.fullmatch(r"a\d+", word) else _OPERATORS.get(word, word)
            for word in words
        ]
        return [["lola", f"--formula=A({' '.join(translated)})", "plain.lola"]]

    def verdict(self, last: Measured) -> str | None:
        """``lola: result: yes``."""
        found = re.search(r"result: (yes|no)\b", last.stdout + last.stderr)
        return None if found is None else {"yes": "TRUE", "no": "FALSE"}[found[1]]
