"""Changes that can be part of a cycle, against all small combinations."""

from __future__ import annotations

from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st

from mpisog import _native
from mpisog.nets.repeatable import repeatable

PLACES = 3
changes = st.dictionaries(
    st.integers(0, PLACES - 1), st.integers(-2, 2).filter(bool), max_size=PLACES
)


def restoring(family: list[dict[int, int]], times: tuple[int, ...]) -> bool:
    return not any(
        sum(n * change.get(place, 0) for n, change in zip(times, family, strict=True))
        for place in range(PLACES)
    )


@settings(deadline=None, max_examples=150)
@given(st.lists(changes, max_size=4))
def test_what_is_part_of_a_combination_that_restores_is_kept(family):
    kept = set(repeatable(family, PLACES))
    for times in product(range(5), repeat=len(family)):
        if restoring(family, times):
            assert kept >= {index for index, n in enumerate(times) if n}


def test_what_nothing_makes_up_for_is_left_out():
    to, fro, out = {0: -1, 1: 1}, {0: 1, 1: -1}, {1: -1, 2: 1}
    assert repeatable([to, fro, out], PLACES) == [0, 1]
    # Each place is filled and emptied, but there are ever fewer tokens.
    assert repeatable([{0: -1, 1: -1, 2: 1}, {0: 1, 2: -1}, {1: 1, 2: -1}], PLACES) == []
    assert repeatable([], PLACES) == []


def test_no_program_that_does_not_fit_into_memory():
    family = [{0: -1, 1: 1}] * 50_000
    assert repeatable(family, PLACES) == []
    _native.set_memory_limit(_native.resident_bytes() + (60 << 20))
    try:
        assert repeatable(family, PLACES) == [*range(len(family))]
    finally:
        _native.set_memory_limit(0)
