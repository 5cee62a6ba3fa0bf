"""Truth of every part of a formula at every instant of a word."""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set

from mpisog.spotglue.parts import Subformula
from mpisog.spotglue.words import Letter

Truth = Sequence[bool | None]
"""By instant; nothing where it depends on how the word goes on."""

_FALSE, _OPEN, _TRUE = 0, 1, 2
"""In this order a conjunction is the least value and a disjunction the greatest."""


def truths(parts: Sequence[Subformula], letters: Sequence[Letter], cycle_start: int) -> list[Truth]:
    """By part, then by instant. The word is ``letters`` and goes back to ``cycle_start``."""
    return [[value == _TRUE for value in row] for row in _values(parts, letters, cycle_start)]


def foreseen(
    parts: Sequence[Subformula], letters: Sequence[Letter], events: Set[int] = frozenset()
) -> list[Truth]:
    """What is known at the last of these letters, however the word goes on.

    ``events`` are the atoms of which nothing is known there: what fires next.
    """
    rows = _values(parts, letters, len(letters), events)
    return [[None if value == _OPEN else value == _TRUE for value in row] for row in rows]


def _values(
    parts: Sequence[Subformula], letters: Sequence[Letter], start: int, open: Set[int] = frozenset()
) -> list[list[int]]:
    rows: list[list[int]] = []
    for part in parts:
        if part.atom is None:
            rows.append(_row(part.operator, [rows[c] for c in part.children], len(letters), start))
            continue
        rows.append([_TRUE if part.atom in letter else _FALSE for letter in letters])
        if part.atom in open:
            rows[-1][-1] = _OPEN
    return rows


def _row(operator: str, children: list[list[int]], size: int, start: int) -> list[int]:
    left, right = (children + children)[:2] if children else ([], [])

    def backwards(last: int, step: Callable[[int, int], int]) -> list[int]:
        """From each instant's successor to the instant; the cycle twice, until it is stable."""
        row, after = [last] * size, last if start < size else _OPEN
        for instant in [*range(size - 1, start - 1, -1), *range(size - 1, -1, -1)]:
            after = row[instant] = step(instant, after)
        return row

    match operator:
        case "true" | "false":
            return [_TRUE if operator == "true" else _FALSE] * size
        case "!":
            return [_TRUE - value for value in left]
        case "&":
            return [min(values) for values in zip(*children, strict=True)]
        case "|":
            return [max(values) for values in zip(*children, strict=True)]
        case "->":
            return [max(_TRUE - a, b) for a, b in zip(left, right, strict=True)]
        case "<->":
            return [_TRUE - _differ(a, b) for a, b in zip(left, right, strict=True)]
        case "xor":
            return [_differ(a, b) for a, b in zip(left, right, strict=True)]
        case "X":
            return [*left[1:], left[start] if start < size else _OPEN]
        case "F":
            return backwards(_FALSE, lambda i, after: max(left[i], after))
        case "G":
            return backwards(_TRUE, lambda i, after: min(left[i], after))
        case "U":
            return backwards(_FALSE, lambda i, after: max(right[i], min(left[i], after)))
        case "W":
            return backwards(_TRUE, lambda i, after: max(right[i], min(left[i], after)))
        case "R":
            return backwards(_TRUE, lambda i, after: min(right[i], max(left[i], after)))
        case "M":
            return backwards(_FALSE, lambda i, after: min(right[i], max(left[i], after)))
    raise AssertionError(f"no such operator: {operator}")


def _differ(a: int, b: int) -> int:
    return _OPEN if _OPEN in (a, b) else abs(a - b)
