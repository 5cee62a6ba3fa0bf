"""Random formulas, the same ones for the same seed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

import spot

_ALIAS = "random_proposition_{}"
_ALIASES: list[Any] = []
"""Made in turn and kept: Spot sorts propositions by their age, so that what else a process has done
would make a difference."""


def random_formulas(names: Sequence[str], count: int, size: int, seed: int) -> list[str]:
    """Different formulas without X of exactly that length, over propositions of these names."""
    return list(islice(endless_formulas(names, size, seed), count))


def endless_formulas(names: Sequence[str], size: int, seed: int) -> Iterator[str]:
    """The same without an end."""
    while len(_ALIASES) < len(names):
        _ALIASES.append(spot.formula.ap(_ALIAS.format(len(_ALIASES))))
    for formula in _long_enough(len(names), size, seed):
        yield _renamed(str(formula), names)


def _long_enough(propositions: int, size: int, seed: int) -> Iterator[object]:
    """Spot simplifies what is trivial, so some come out shorter than they were meant to be."""
    no_next = "=".join(["X", "0"])  # Spot writes into the string: a literal would be spoilt
    aliases = [_ALIAS.format(number) for number in range(propositions)]
    for formula in spot.randltl(aliases, -1, tree_size=size, seed=seed, ltl_priorities=no_next):
        if spot.length(formula) == size:
            yield formula


def _renamed(text: str, names: Sequence[str]) -> str:
    return re.sub(_ALIAS.format(r"(\d+)"), lambda match: f'"{names[int(match[1])]}"', text)
