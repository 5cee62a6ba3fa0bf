"""Large nets that are written as text at once, with a formula that says something about each.

A family is a function from the number of places to the lines of a Tina file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import isqrt
from pathlib import Path

MOST = 2**31 - 1
"""The largest weight that a file may have."""

Family = Callable[[int], Iterator[str]]


def chain(size: int) -> Iterator[str]:
    yield "pl p0 (1)"
    for i in range(size - 1):
        yield f"tr t{i} p{i} -> p{i + 1}"


def ring(size: int) -> Iterator[str]:
    yield "pl p0 (1)"
    for i in range(size):
        yield f"tr t{i} p{i} -> p{(i + 1) % size}"


def star(size: int) -> Iterator[str]:
    yield "pl p0 (1)"
    for i in range(1, size):
        yield f"tr out{i} p0 -> p{i}"
        yield f"tr in{i} p{i} -> p0"


def loops(size: int) -> Iterator[str]:
    for i in range(0, size, 2):
        yield f"pl p{i} (1)"
        yield f"tr t{i} p{i} -> p{i + 1}"
        yield f"tr t{i + 1} p{i + 1} -> p{i}"


def grid(size: int) -> Iterator[str]:
    side = isqrt(size)
    yield "pl p0 (1)"
    for i in range(side):
        for j in range(side):
            here = i * side + j
            if i + 1 < side:
                yield f"tr d{here} p{here} -> p{here + side}"
            if j + 1 < side:
                yield f"tr r{here} p{here} -> p{here + 1}"


def fork(size: int) -> Iterator[str]:
    """One transition marks half of the places, each of which then moves on by itself."""
    half = size // 2
    yield "pl start (1)"
    yield "tr go start -> " + " ".join(f"p{i}" for i in range(half))
    for i in range(half):
        yield f"tr t{i} p{i} -> q{i}"


def wide(size: int) -> Iterator[str]:
    """A transition with 10,000 arcs, and a chain for the rest."""
    for i in range(5_000):
        yield f"pl a{i} (1)"
    inputs = " ".join(f"a{i}" for i in range(5_000))
    yield f"tr go {inputs} -> p0 " + " ".join(f"b{i}" for i in range(4_999))
    for i in range(max(1, size - 10_000)):
        yield f"tr t{i} p{i} -> p{i + 1}"


def heavy(size: int) -> Iterator[str]:
    """Arcs of the greatest weight."""
    yield f"pl p0 ({MOST})"
    for i in range(size - 1):
        yield f"tr t{i} p{i}*{MOST} -> p{i + 1}*{MOST}"


def million(size: int) -> Iterator[str]:
    """A million tokens in one place."""
    yield "pl p0 (1000000)"
    for i in range(size - 1):
        yield f"tr t{i} p{i} -> p{i + 1}"


FAMILIES: dict[str, Family] = {
    family.__name__: family
    for family in (chain, ring, star, loops, grid, fork, wide, heavy, million)
}
FORMULA = "G(p0 -> F p1)"


def written(family: str, size: int, folder: Path) -> str:
    """The path of such a net."""
    path = folder / f"{family}-{size}.net"
    path.write_text("\n".join(["net large", *FAMILIES[family](size)]) + "\n", encoding="utf-8")
    return str(path)
