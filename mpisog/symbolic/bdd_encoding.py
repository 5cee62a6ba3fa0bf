"""Tokens as bits: the CUDD variables of a net's places, and constraints on single places.

A place has its bits from the most significant down, each followed by a twin that holds the value
after a step. Every set fixes all bits of all places, so a place gets more bits by requiring that
the new ones are zero in every set that exists.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from mpisog.errors import LimitReached, UsageError
from mpisog.sizes import format_bytes

MAX_BITS = 40
"""No net that can be explored has more tokens in a place."""

INITIAL_CACHE = 1 << 14
"""Entries; CUDD adds more when they pay off."""

VARIABLE_BYTES = 16 << 10
"""What CUDD and its Python side take for a variable before anything is computed, about."""

Function = Any
"""A ``dd.cudd.Function``: the package has no type information for its compiled modules."""


class Encoding:
    """The manager with its variables; ``bits`` is by place, ``order`` has the topmost first."""

    def __init__(self, order: Sequence[int], bits: Sequence[int], memory: int) -> None:
        variables = 2 * sum(bits)
        if variables * VARIABLE_BYTES > memory:
            raise LimitReached(
                f"{variables} variables would take CUDD more than {format_bytes(memory)}"
            )
        self._cudd = _cudd()
        self.order = tuple(order)
        self.bits = list(bits)
        self.manager = self._cudd.BDD(initial_cache_size=INITIAL_CACHE)
        self.manager.configure(reordering=False, max_memory=memory)
        for place in self.order:
            for bit in reversed(range(self.bits[place])):
                self.manager.add_var(name(place, bit))
                self.manager.add_var(twin(place, bit))

    @property
    def false(self) -> Function:
        """No marking."""
        return self.manager.false

    @property
    def true(self) -> Function:
        """Every marking that the bits can express."""
        return self.manager.true

    def widen(self, place: int, bits: int) -> Function:
        """Give a place more bits; what is returned must be required of every set."""
        level = self.manager.level_of_var(name(place, self.bits[place] - 1))
        fresh = range(self.bits[place], bits)
        for bit in fresh:
            self.manager.insert_var(name(place, bit), level)
            self.manager.insert_var(twin(place, bit), level + 1)
        self.bits[place] = bits
        return self.cube({name(place, bit): False for bit in fresh})

    def cube(self, values: Mapping[str, bool]) -> Function:
        """The conjunction of variables with these values."""
        return self.manager.cube(dict(values))

    def variable(self, place: int, bit: int) -> Function:
        """One bit of a place."""
        return self.manager.var(name(place, bit))

    def capacity(self, place: int) -> int:
        """The most tokens that the bits of a place can express."""
        return (1 << self.bits[place]) - 1

    def names(self, place: int) -> list[str]:
        """The variables of a place."""
        return [name(place, bit) for bit in range(self.bits[place])]

    def twins(self, place: int) -> list[str]:
        """The variables of a place's next value."""
        return [twin(place, bit) for bit in range(self.bits[place])]

    def values(self, place: int, tokens: int) -> dict[str, bool]:
        """The bits of a token count."""
        return {name(place, bit): bool(tokens >> bit & 1) for bit in range(self.bits[place])}

    def smallest(self, states: Function) -> set[str]:
        """The variables that are one in the first marking of a set that is not empty."""
        ones = set()
        while states.var is not None:
            low, high = children(states)
            if low == self.false:
                ones.add(states.var)
            states = high if low == self.false else low
        return ones

    def level(self, place: int) -> int:
        """Level of a place's topmost variable."""
        top: int = self.manager.level_of_var(name(place, self.bits[place] - 1))
        return top

    def at_least(self, place: int, tokens: int) -> Function:
        """Markings with so many tokens in the place."""
        if tokens <= 0:
            return self.true
        if tokens > self.capacity(place):
            return self.false
        reached = self.true
        for bit in range(self.bits[place]):
            variable = self.variable(place, bit)
            reached = variable & reached if tokens >> bit & 1 else variable | reached
        return reached

    def between(self, place: int, least: int, most: int | None) -> Function:
        """Markings with a token count in a range that may be open."""
        at_least = self.at_least(place, least)
        return at_least if most is None else at_least & ~self.at_least(place, most + 1)

    def shifted(self, place: int, change: int) -> Function:
        """Next value = value + change, where both fit into the bits."""
        small, large = (name, twin) if change > 0 else (twin, name)
        without, carried = self.true, self.false
        for bit in range(self.bits[place]):
            a = self.manager.var(small(place, bit))
            b = self.manager.var(large(place, bit))
            same = a.equiv(b)
            unlike = ~same
            if abs(change) >> bit & 1:
                without, carried = unlike & ~a & without, (unlike & a & without) | (same & carried)
            else:
                without, carried = (same & without) | (unlike & ~a & carried), unlike & a & carried
        return without if abs(change) <= self.capacity(place) else self.false

    def unprimed(self, place: int) -> Function:
        """Value = next value."""
        equal = self.true
        for bit in range(self.bits[place]):
            equal &= self.variable(place, bit).equiv(self.manager.var(twin(place, bit)))
        return equal

    def and_exists(self, a: Function, b: Function, variables: Sequence[str]) -> Function:
        """Conjunction without some variables."""
        return self._cudd.and_exists(a, b, variables) if variables else a & b


def name(place: int, bit: int) -> str:
    """The variable of a bit."""
    return f"{place}.{bit}"


def twin(place: int, bit: int) -> str:
    """The variable of a bit after a step."""
    return f"{place}.{bit}'"


def children(function: Function) -> tuple[Function, Function]:
    """What is left of a function where its topmost variable is false, and where it is true."""
    low, high = function.low, function.high
    return (~low, ~high) if function.negated else (low, high)


@contextmanager
def limited(memory: int) -> Iterator[None]:
    """CUDD's lack of memory as the limit it is."""
    try:
        yield
    except (RuntimeError, ValueError) as error:
        if "NULL" not in str(error) and "memory" not in str(error):
            raise
        reason = f"memory limit of {format_bytes(memory)} for decision diagrams reached"
        raise LimitReached(reason) from None


def _cudd() -> Any:
    try:
        import dd.cudd
    except ImportError as error:
        message = f"the backend 'bdd' needs dd with CUDD: {error}"
        raise UsageError(message, hint="pip install 'mpisog[bdd]'") from None
    return dd.cudd
