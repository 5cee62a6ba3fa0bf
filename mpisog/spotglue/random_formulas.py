"""Random formulas, the same ones for the same seed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import spot


def random_formulas(names: Sequence[str], count: int, size: int, seed: int) -> list[str]:
    """Different formulas without X of exactly that length, over propositions of these names."""
    found = _long_enough(list(names), size, seed)
    return [str(next(found)) for _ in range(count)]


def _long_enough(names: list[str], size: int, seed: int) -> Iterator[object]:
    """Spot simplifies what is trivial, so some come out shorter than they were meant to be."""
    no_next = "=".join(["X", "0"])  # Spot writes into the string: a literal would be spoilt
    for formula in spot.randltl(names, -1, tree_size=size, seed=seed, ltl_priorities=no_next):
        if spot.length(formula) == size:
            yield formula
