"""Damage for files, formulas and packets, and how long it may take to notice."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

AT_ONCE = 1.0
"""Seconds of work in which whatever cannot be used is refused."""


@contextmanager
def at_once() -> Iterator[None]:
    """Processor time is measured: a busy machine is no failure."""
    start = time.process_time()
    yield
    assert time.process_time() - start < AT_ONCE


def damaged(dice: random.Random, sample: bytes, pieces: Sequence[bytes]) -> bytes:
    """A sample with some pieces cut, copied or put in."""
    data = bytearray(sample)
    for _ in range(dice.randint(1, 6)):
        start = dice.randint(0, len(data))
        end = start + dice.choice((0, 0, 1, 5, 40))
        copied = data[start : start + dice.choice((3, 20, 100))]
        data[start:end] = dice.choice((*pieces, b"", dice.randbytes(2), copied * 2))
    return bytes(data)
