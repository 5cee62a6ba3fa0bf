"""Snapshots of sets, free of CUDD: for what needs exact integers, and for bytes.

Nodes are numbered from 2 on, children first, in the order of a depth-first walk that takes the low
child first; 0 is no marking and 1 every marking. A position is a bit of a place: places as they are
ordered, each from its most significant bit down.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, count
from typing import TypeVar

from mpisog.symbolic.bdd_encoding import MAX_BITS, Encoding, Function, children

Node = tuple[int, int, int]
"""Position, low child, high child."""

T = TypeVar("T", bound=Hashable)


@dataclass(frozen=True)
class Diagram:
    """A reduced ordered decision diagram; ``widths`` are bits by place, topmost place first."""

    widths: tuple[int, ...]
    nodes: tuple[Node, ...]
    root: int

    @cached_property
    def size(self) -> int:
        """Number of positions."""
        return sum(self.widths)

    @cached_property
    def places(self) -> list[int]:
        """For each position the rank of its place in the order."""
        return [rank for rank, width in enumerate(self.widths) for _ in range(width)]

    @cached_property
    def bits(self) -> list[int]:
        """For each position the bit it is."""
        return [bit for width in self.widths for bit in reversed(range(width))]

    @cached_property
    def ends(self) -> list[int]:
        """For each place the position after its last."""
        return list(accumulate(self.widths))

    @cached_property
    def positions(self) -> list[int]:
        """Position by number, that of the constants behind all others."""
        return [self.size, self.size, *(position for position, _, _ in self.nodes)]

    def count(self) -> int:
        """Number of markings."""
        at, counts = self.positions, [0, 1]
        for position, low, high in self.nodes:
            below = position + 1
            counts.append((counts[low] << at[low] - below) + (counts[high] << at[high] - below))
        return counts[self.root] << at[self.root]

    def largest_sum(self, coefficients: Sequence[int]) -> int:
        """The largest value of a linear form; one coefficient a place, topmost first."""
        pairs = zip(self.places, self.bits, strict=True)
        weights = [coefficients[place] << bit for place, bit in pairs]
        free = [0, *accumulate(max(0, weight) for weight in weights)]
        at: list[int] = self.positions
        best: list[int | None] = [None, 0]
        for position, low, high in self.nodes:
            start = free[position + 1]
            ends = ((best[low], free[at[low]]), (best[high], free[at[high]] + weights[position]))
            best.append(max(value + end - start for value, end in ends if value is not None))
        value = best[self.root]
        if value is None:
            raise ValueError("the set is empty")
        return value + free[at[self.root]]

    def largest_tokens(self) -> list[int]:
        """The most tokens by place, topmost first."""
        largest = [0] * len(self.widths)
        tails = [0, 0]
        skipped = [0] * (len(self.widths) + 1)
        for node in self.nodes:
            tails.append(self._tail(node, tails))
        for origin, target in self._edges():
            first = 0 if origin < 0 else self.places[origin] + 1
            last = len(self.widths) if target == 1 else self.places[self.positions[target]]
            if first < last:
                skipped[first] += 1
                skipped[last] -= 1
            if first <= last < len(self.widths):
                end = self.ends[last]
                entered = self._within(target, end - self.widths[last], end, tails)
                largest[last] = max(largest[last], entered)
        for place, over in enumerate(accumulate(skipped[:-1])):
            if over:
                largest[place] = (1 << self.widths[place]) - 1
        return largest

    def markings(self) -> Iterator[list[int]]:
        """Every marking, ascending, topmost place first."""
        stack = [(0, self.root, (0,) * len(self.widths))] if self.root else []
        while stack:
            position, number, values = stack.pop()
            if position == self.size:
                yield list(values)
                continue
            low = high = number
            if self.positions[number] == position:
                _, low, high = self.nodes[number - 2]
            if high:
                place = self.places[position]
                value = values[place] | 1 << self.bits[position]
                stack.append((position + 1, high, (*values[:place], value, *values[place + 1 :])))
            if low:
                stack.append((position + 1, low, values))

    def trimmed(self) -> Diagram:
        """The same without the leading bits that are zero in every marking."""
        widths = tuple(largest.bit_length() for largest in self.largest_tokens())
        starts = [0, *accumulate(widths)]
        numbers, nodes = [0, 1], []
        for position, low, high in self.nodes:
            place, bit = self.places[position], self.bits[position]
            if bit < widths[place]:
                moved = starts[place + 1] - 1 - bit
                nodes.append((moved, numbers[low], numbers[high]))
                numbers.append(len(nodes) + 1)
            else:
                numbers.append(numbers[low])
        return Diagram(widths, tuple(nodes), numbers[self.root])

    def is_canonical(self) -> bool:
        """Whether it is reduced, numbered and trimmed as every other diagram of its markings."""
        if self.root > len(self.nodes) + 1 or not all(map(self._proper, count(2), self.nodes)):
            return False
        again = numbered(self.root, lambda n: n if n < 2 else self.nodes[n - 2])
        return again == (self.nodes, self.root) and self.trimmed().widths == self.widths

    def _proper(self, number: int, node: Node) -> bool:
        position, low, high = node
        if low == high or max(low, high) >= number:
            return False
        return position < min(self.positions[low], self.positions[high])

    def _edges(self) -> Iterator[tuple[int, int]]:
        """(position, number) of each edge to some marking; the root's comes from -1."""
        if self.root:
            yield -1, self.root
        for position, low, high in self.nodes:
            if low:
                yield position, low
            if high:
                yield position, high

    def _tail(self, node: Node, tails: Sequence[int]) -> int:
        """The most that a node's bit and the lower ones of its place can be."""
        position, low, high = node
        own = 1 << self.bits[position] if high else 0
        end = self.ends[self.places[position]]
        return own + self._within(high or low, position + 1, end, tails)

    def _within(self, number: int, start: int, end: int, tails: Sequence[int]) -> int:
        """The most that the bits from ``start`` to the end of a place can be at a node."""
        reached = min(self.positions[number], end)
        free = (1 << end - start) - (1 << end - reached)
        return free + (tails[number] if reached < end else 0)


def snapshot(encoding: Encoding, states: Function) -> Diagram:
    """The diagram of a set in CUDD."""

    def node(function: Function) -> int | tuple[int, Function, Function]:
        if function.var is None:
            return int(function == encoding.true)
        return (function.level // 2, *children(function))  # every other level is a twin's

    nodes, root = numbered(states, node)
    return Diagram(tuple(encoding.bits[place] for place in encoding.order), nodes, root)


def numbered(root: T, node: Callable[[T], int | tuple[int, T, T]]) -> tuple[tuple[Node, ...], int]:
    """Nodes in canonical order and the root's number; ``node`` gives the number of a constant."""
    numbers: dict[T, int] = {}
    found: dict[Node, None] = {}
    stack: list[tuple[T, tuple[int, T, T] | None]] = [(root, None)]
    while stack:
        name, opened = stack.pop()
        if opened is not None:
            position, low, high = opened
            found[position, numbers[low], numbers[high]] = None
            numbers[name] = len(found) + 1
        elif name not in numbers:
            content = node(name)
            if isinstance(content, int):
                numbers[name] = content
            else:
                stack += [(name, content), (content[2], None), (content[1], None)]
    return tuple(found), numbers[root]


def to_bytes(diagram: Diagram) -> bytes:
    """Little-endian: places, bits by place, root, nodes as three 32-bit numbers each."""
    trimmed = diagram.trimmed()
    head = struct.pack("<I", len(trimmed.widths)) + bytes(trimmed.widths)
    flat = [part for node in trimmed.nodes for part in node]
    return head + struct.pack(f"<I{len(flat)}I", trimmed.root, *flat)


def from_bytes(data: bytes, places: int) -> Diagram:
    """The diagram again; raises ``ValueError`` for what ``to_bytes`` cannot have made."""
    start = 4 + places
    if len(data) < start + 4 or (len(data) - start - 4) % 12:
        raise ValueError("the bytes of a set have another length")
    if int.from_bytes(data[:4], "little") != places:
        raise ValueError("the set belongs to a net with another number of places")
    (root,) = struct.unpack_from("<I", data, start)
    nodes = tuple(struct.iter_unpack("<III", data[start + 4 :]))
    diagram = Diagram(tuple(data[4:start]), nodes, root)
    if max(diagram.widths, default=0) > MAX_BITS or not diagram.is_canonical():
        raise ValueError("the bytes are not the canonical form of a set")
    return diagram
