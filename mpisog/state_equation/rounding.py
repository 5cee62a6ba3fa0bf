"""Between exact numbers and the solver's floats."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

_DENOMINATOR = 1_000
_NOTHING = Fraction(0)


def integers(values: Iterable[float]) -> list[int]:
    """The rationals close to the floats, scaled to integers together."""
    fractions = [_close(float(value)) for value in values]
    scale = math.lcm(*(fraction.denominator for fraction in fractions))
    return [fraction.numerator * (scale // fraction.denominator) for fraction in fractions]


def _close(value: float) -> Fraction:
    """Most weights are nothing, and need no work."""
    return Fraction(value).limit_denominator(_DENOMINATOR) if value else _NOTHING


def sparse(entries: Sequence[tuple[int, int, int]], shape: tuple[int, int]) -> Any:
    """A matrix from (row, column, value) triples."""
    from scipy.sparse import csr_array

    rows, columns, values = zip(*entries, strict=True) if entries else ((), (), ())
    return csr_array((list(map(float, values)), (rows, columns)), shape=shape)
