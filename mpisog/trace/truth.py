"""Truth of every part of a formula at every instant of an ultimately periodic word."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from mpisog.spotglue.parts import Subformula
from mpisog.spotglue.words import Letter

Truth = list[bool]
"""By instant; after the last one the word goes on at the start of its cycle."""


def truths(parts: Sequence[Subformula], letters: Sequence[Letter], cycle_start: int) -> list[Truth]:
    """By part, then by instant. The word is ``letters`` and goes back to ``cycle_start``."""
    known: list[Truth] = []
    for part in parts:
        children = [known[child] for child in part.children]
        known.append(_truth(part, children, letters, cycle_start))
    return known


def _truth(
    part: Subformula, children: list[Truth], letters: Sequence[Letter], cycle_start: int
) -> Truth:
    size = len(letters)
    if part.atom is not None:
        return [part.atom in letter for letter in letters]
    left, right = (children + children)[:2] if children else ([], [])

    def backwards(last: bool, step: Callable[[int, bool], bool]) -> Truth:
        """From each instant's successor to the instant; the cycle twice, until it is stable."""
        truth, after = [last] * size, last
        for instant in [*range(size - 1, cycle_start - 1, -1), *range(size - 1, -1, -1)]:
            after = truth[instant] = step(instant, after)
        return truth

    match part.operator:
        case "true" | "false":
            return [part.operator == "true"] * size
        case "!":
            return [not value for value in left]
        case "&":
            return [all(values) for values in zip(*children, strict=True)]
        case "|":
            return [any(values) for values in zip(*children, strict=True)]
        case "->":
            return [not a or b for a, b in zip(left, right, strict=True)]
        case "<->":
            return [a == b for a, b in zip(left, right, strict=True)]
        case "xor":
            return [a != b for a, b in zip(left, right, strict=True)]
        case "X":
            return [*left[1:], left[cycle_start]]
        case "F":
            return backwards(False, lambda i, after: left[i] or after)
        case "G":
            return backwards(True, lambda i, after: left[i] and after)
        case "U":
            return backwards(False, lambda i, after: right[i] or (left[i] and after))
        case "W":
            return backwards(True, lambda i, after: right[i] or (left[i] and after))
        case "R":
            return backwards(True, lambda i, after: right[i] and (left[i] or after))
        case "M":
            return backwards(False, lambda i, after: right[i] and (left[i] or after))
    raise AssertionError(f"no such operator: {part.operator}")
