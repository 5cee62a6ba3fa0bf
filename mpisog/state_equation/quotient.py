"""Weightings of a whole large net that weigh alike what looks alike.

Places of a large net are often copies of each other, and a question about all copies needs no
weighting that tells them apart. So places are put into classes: first by what the question says
about them, then again and again by the classes that the firings connect them with, until nothing
changes (colour refinement). The program over the classes is as strong as that over the places if
the classes agree in the initial marking too, and it may be a thousand times smaller. It is no less
sound where refining stops early: whatever it finds is checked in integers on the whole net.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise
from typing import Any

from mpisog.nets.model import Marking
from mpisog.nets.semiflows import Effect
from mpisog.state_equation.program import Program
from mpisog.state_equation.systems import Row, System

MOST_CLASSES = 2_000
"""Refining stops before there are more: the program would take too long."""

MOST_NONZEROS = 20_000
"""Of the program over the classes."""

REFINING_SHARE = 0.5
"""Of the time for a question."""

_SEED = 1
"""Of the numbers that signatures are made with; the same in every run."""

_ALIKE = 2**31
"""Factors that differ by a multiple begin with one colour: they have to fit into a word."""


class Quotient:
    """Questions about one net."""

    def __init__(self, initial: Marking, changes: Sequence[Effect]) -> None:
        self._initial = initial
        self._changes = changes

    def prepare(self) -> None:
        """Make what all questions need."""
        _ = self._columns, self._tokens

    def excludes(self, system: System, deadline: float) -> bool:
        """Whether a weighting of classes shows that no reachable marking solves the system."""
        whole = Program(self._initial, self._changes)
        half = time.monotonic() + REFINING_SHARE * (deadline - time.monotonic())
        tried = 0
        for marked in (False, True):  # without the initial marking there are fewer classes
            class_of = self._classes(system, marked, half)
            count = int(class_of.max()) + 1
            found = None if count == tried else self._find(system, class_of, deadline)
            if found is not None:
                factors, weights = found
                return whole.refutes(system, factors, [weights[c] for c in class_of.tolist()])
            tried = count
        return False

    def _find(
        self, system: System, class_of: Any, deadline: float
    ) -> tuple[list[int], list[int]] | None:
        """Factors of the rows, and weights of the classes, as the solver proposes them."""
        numpy = _numpy()
        rows = [_of_classes(row, class_of) for row in system]
        count = int(class_of.max()) + 1
        changes = self._of_classes(class_of, count)
        left = deadline - time.monotonic()
        if None in rows or changes is None or left <= 0:
            return None
        tokens = numpy.zeros(count, dtype=numpy.int64)
        numpy.add.at(tokens, class_of, self._tokens)
        # What is wanted of a class is what is wanted of all its places together.
        program = Program(tokens.tolist(), changes)
        return program.find(tuple(row for row in rows if row is not None), left)

    def _of_classes(self, class_of: Any, count: int) -> list[Effect] | None:
        """What firings change of classes, each change once; nothing where that is too much."""
        numpy = _numpy()
        from scipy.sparse import csr_array

        places = len(self._initial)
        member = csr_array(
            (numpy.ones(places, dtype=numpy.int64), (numpy.arange(places), class_of)),
            shape=(places, count),
        )
        signatures = self._rows @ _scrambled(class_of.astype(numpy.uint64)).view(numpy.int64)
        _, first = numpy.unique(signatures, return_index=True)
        found = (self._rows[first] @ member).tocsr()
        found.eliminate_zeros()
        if found.nnz > MOST_NONZEROS:
            return None
        ends = found.indptr.tolist()
        columns, values = found.indices.tolist(), found.data.tolist()
        parts = [slice(a, b) for a, b in pairwise(ends) if a < b]
        return [dict(zip(columns[part], values[part], strict=True)) for part in parts]

    def _classes(self, system: System, marked: bool, deadline: float) -> Any:
        """By place, the number of its class."""
        numpy = _numpy()
        colours = self._first_colours(system, marked)
        classes, class_of = numpy.unique(colours, return_inverse=True)
        while time.monotonic() < deadline:
            of_firings = _scrambled((self._rows @ colours.view(numpy.int64)).view(numpy.uint64))
            seen = (self._columns @ of_firings.view(numpy.int64)).view(numpy.uint64)
            colours = _scrambled(seen + numpy.uint64(3) * colours)
            finer, finer_of = numpy.unique(colours, return_inverse=True)
            if len(finer) > MOST_CLASSES or len(finer) == len(classes):
                break
            classes, class_of = finer, finer_of
        return class_of

    def _first_colours(self, system: System, marked: bool) -> Any:
        """By what the rows say about a place, and what it holds at first."""
        numpy = _numpy()
        rows = numpy.random.default_rng(_SEED).integers(1 << 62, size=len(system))
        colours = numpy.zeros(len(self._initial), dtype=numpy.int64)
        for (terms, _), number in zip(system, rows, strict=True):
            places = [place for place, _ in terms]
            factors = [factor % _ALIKE for _, factor in terms]
            colours[places] += number * numpy.array(factors, dtype=numpy.int64)
        if marked:
            colours += self._tokens * numpy.int64(0x5851F42D4C957F2D)
        return _scrambled(colours.view(numpy.uint64))

    @cached_property
    def _rows(self) -> Any:
        """What firings change, a row for each."""
        numpy = _numpy()
        from scipy.sparse import csr_array

        sizes = numpy.fromiter(map(len, self._changes), numpy.int64, len(self._changes))
        ends = numpy.concatenate(([0], numpy.cumsum(sizes)))
        total = int(ends[-1])
        places = numpy.fromiter((p for e in self._changes for p in e), numpy.int64, total)
        tokens = numpy.fromiter((d for e in self._changes for d in e.values()), numpy.int64, total)
        return csr_array((tokens, places, ends), shape=(len(sizes), len(self._initial)))

    @cached_property
    def _columns(self) -> Any:
        return self._rows.T.tocsr()

    @cached_property
    def _tokens(self) -> Any:
        numpy = _numpy()
        return numpy.array(self._initial, dtype=numpy.int64)


def _of_classes(row: Row, class_of: Any) -> Row | None:
    """The row over classes; nothing where it says different things about one."""
    found: dict[int, int] = {}
    numbers = class_of[[place for place, _ in row[0]]].tolist() if row[0] else []
    for number, (_, factor) in zip(numbers, row[0], strict=True):
        if found.setdefault(number, factor) != factor:
            return None
    return tuple(found.items()), row[1]


def _scrambled(numbers: Any) -> Any:
    """Other numbers, as if by chance: the same for the same (a step of splitmix64)."""
    numpy = _numpy()
    numbers = numbers + numpy.uint64(0x9E3779B97F4A7C15)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        numbers = (numbers ^ (numbers >> numpy.uint64(shift))) * numpy.uint64(factor)
    return numbers ^ (numbers >> numpy.uint64(31))


def _numpy() -> Any:
    import numpy

    return numpy
