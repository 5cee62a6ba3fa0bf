"""Backend ``bdd``: binary decision diagrams of CUDD, by way of ``dd``.

One thread at a time works in a domain. A single operation of CUDD cannot be interrupted, so a time
limit is noticed only between two of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import wraps
from itertools import islice
from threading import RLock
from typing import Concatenate, ParamSpec, TypeVar
from weakref import WeakValueDictionary

from mpisog.budget import Budget, resident_bytes
from mpisog.errors import LimitReached, Unbounded
from mpisog.formulas.atoms import Comparison, Dead, Fireable, StateAtom
from mpisog.nets.bounds import place_bounds
from mpisog.nets.model import Marking, PetriNet
from mpisog.nets.ordering import order_within
from mpisog.symbolic.bdd_diagram import Diagram, from_bytes, snapshot, to_bytes
from mpisog.symbolic.bdd_encoding import MAX_BITS, Encoding, Function, limited, name
from mpisog.symbolic.bdd_linear import Comparisons
from mpisog.symbolic.bdd_moves import Move, TooFewBits, changes
from mpisog.symbolic.covering import growing_place
from mpisog.symbolic.protocol import Domain, Step, Terms, all_steps

DEFAULT_MEMORY = 4 << 30
LEAST_MEMORY = 64 << 20

SUSPICIOUS_BITS = 3
"""From this size on, a place without a known bound makes a closure look for endless growth."""

STARTS = 8
"""Markings from which endless growth is looked for."""

P = ParamSpec("P")
R = TypeVar("R")


class BddSet:
    """A set of one domain, which makes only one object of a set: equal sets are identical."""

    __slots__ = ("__weakref__", "domain", "function")

    def __init__(self, domain: BddDomain, function: Function) -> None:
        self.domain = domain
        self.function = function

    def __or__(self, other: BddSet) -> BddSet:
        return self.domain.unite(self, other)

    def __and__(self, other: BddSet) -> BddSet:
        return self.domain.intersect(self, other)

    def __sub__(self, other: BddSet) -> BddSet:
        return self.domain.subtract(self, other)

    def __bool__(self) -> bool:
        return bool(self.function != self.domain.encoding.false)


def _alone(
    method: Callable[Concatenate[BddDomain, P], R],
) -> Callable[Concatenate[BddDomain, P], R]:
    """Run in one thread at a time, with lack of memory reported as a limit."""

    @wraps(method)
    def run(self: BddDomain, /, *args: P.args, **kwargs: P.kwargs) -> R:
        with self._lock, limited(self._memory):
            return method(self, *args, **kwargs)

    return run


class BddDomain(Domain[BddSet]):
    """Sets of markings in one manager of CUDD; places get more bits when they need them."""

    name = "bdd"

    def __init__(
        self, net: PetriNet, order: Sequence[int] | None = None, budget: Budget | None = None
    ) -> None:
        self.net = net
        self.budget = budget or Budget()
        self.order = tuple(order_within(net, self.budget) if order is None else order)
        self._memory = _budget(self.budget)
        self._bounds = place_bounds(net)
        self._lock = RLock()
        self._sets: WeakValueDictionary[Function, BddSet] = WeakValueDictionary()
        self._moves: dict[tuple[Step, bool], Move] = {}
        pairs = zip(self._bounds, net.initial, strict=True)
        bits = [_width(max(initial, bound or 0)) for bound, initial in pairs]
        self.encoding = Encoding(self.order, bits, self._memory)
        self._comparisons = Comparisons(self.encoding)

    @_alone
    def empty(self) -> BddSet:
        """No marking."""
        return self._set(self.encoding.false)

    @_alone
    def singleton(self, marking: Marking) -> BddSet:
        """One marking."""
        for place, tokens in enumerate(marking):
            self._widen(place, _width(tokens))
        values = {}
        for place, tokens in enumerate(marking):
            values.update(self.encoding.values(place, tokens))
        return self._set(self.encoding.cube(values))

    @_alone
    def unite(self, a: BddSet, b: BddSet) -> BddSet:
        """Union."""
        return self._set(a.function | b.function)

    @_alone
    def intersect(self, a: BddSet, b: BddSet) -> BddSet:
        """Intersection."""
        return self._set(a.function & b.function)

    @_alone
    def subtract(self, a: BddSet, b: BddSet) -> BddSet:
        """Difference."""
        return self._set(a.function & ~b.function)

    @_alone
    def image(self, states: BddSet, steps: Sequence[Step]) -> BddSet:
        """What one step leads to."""
        return self._moved(states, steps, forward=True)

    @_alone
    def preimage(self, states: BddSet, steps: Sequence[Step]) -> BddSet:
        """From where one step leads into the set."""
        return self._moved(states, steps, forward=False)

    @_alone
    def closure(
        self, states: BddSet, steps: Sequence[Step], within: BddSet | None = None
    ) -> BddSet:
        """Everything reachable, by chaining."""
        if within is not None:
            return self._closed_within(states, steps, within, forward=True)
        reached = states
        while True:
            try:
                return self._set(self._chain(reached.function, self._in_order(steps, True), None))
            except TooFewBits as stuck:
                reached = self._set(stuck.reached)
                self._grow(stuck)
                self._suspect(stuck, states, steps)

    @_alone
    def backward_closure(self, states: BddSet, steps: Sequence[Step], within: BddSet) -> BddSet:
        """Everything in ``within`` that can reach the set there."""
        return self._closed_within(states, steps, within, forward=False)

    @_alone
    def filter(self, states: BddSet, atom: StateAtom) -> BddSet:
        """The markings in which the atom holds."""
        match atom:
            case Comparison(terms, op, bound):
                comparisons = self._comparisons.under(self.budget)
                return self._set(comparisons.holding(terms, op, bound, states.function))
            case Fireable(transitions):
                return self._set(self._enabled(states.function, [Step(t) for t in transitions]))
            case Dead():
                alive = self._enabled(states.function, all_steps(self.net))
                return self._set(states.function & ~alive)

    @_alone
    def count(self, states: BddSet) -> int:
        """Exact."""
        return self._snapshot(states.function).count()

    @_alone
    def count_steps(self, states: BddSet, steps: Sequence[Step]) -> int:
        """Exact, step by step."""
        total = 0
        for step in steps:
            self.budget.check()
            total += self._snapshot(states.function & self._move(step, True).guard).count()
        return total

    @_alone
    def largest_sum(self, states: BddSet, terms: Terms) -> int:
        """The largest value of a linear form."""
        coefficients = [0] * len(self.order)
        for place, coefficient in terms:
            coefficients[place] += coefficient
        ordered = [coefficients[place] for place in self.order]
        return self._snapshot(states.function).largest_sum(ordered)

    @_alone
    def largest_tokens(self, states: BddSet) -> tuple[int, ...]:
        """For each place the most tokens."""
        return self._marking(self._snapshot(states.function).largest_tokens())

    @_alone
    def pick(self, states: BddSet) -> Marking:
        """The smallest, compared by places as they are ordered."""
        if not states:
            raise ValueError("the set is empty")
        ones = self.encoding.smallest(states.function)
        return tuple(
            sum(1 << bit for bit in range(bits) if name(place, bit) in ones)
            for place, bits in enumerate(self.encoding.bits)
        )

    def markings(self, states: BddSet) -> Iterator[Marking]:
        """In ascending order, compared by places as they are ordered."""
        with self._lock:
            diagram = self._snapshot(states.function)
        return map(self._marking, diagram.markings())

    @_alone
    def contains(self, states: BddSet, marking: Marking) -> bool:
        """Membership."""
        values: dict[str, bool] = {}
        for place, tokens in enumerate(marking):
            if tokens > self.encoding.capacity(place):
                return False
            values.update(self.encoding.values(place, tokens))
        return bool(self.encoding.cube(values) & states.function != self.encoding.false)

    @_alone
    def serialise(self, states: BddSet) -> bytes:
        """The nodes in a canonical order, without the leading zeros of places."""
        return to_bytes(self._snapshot(states.function))

    @_alone
    def deserialise(self, data: bytes) -> BddSet:
        """The set again."""
        diagram = from_bytes(data, len(self.order))
        for place, width in zip(self.order, diagram.widths, strict=True):
            self._widen(place, width)
        return self._set(self._built(diagram))

    @_alone
    def nodes(self, states: BddSet) -> int:
        """Nodes of the diagram, without the leading zeros that places got because of other sets.

        With them, an aggregate that was cut off by size would be cut off elsewhere the next time.
        """
        return len(self._snapshot(states.function).trimmed().nodes) + 1

    @_alone
    def table_nodes(self) -> int:
        """Nodes the manager has now."""
        return len(self.encoding.manager)

    def _set(self, function: Function) -> BddSet:
        found = self._sets.get(function)
        if found is None:
            found = self._sets[function] = BddSet(self, function)
        return found

    def _moved(self, states: BddSet, steps: Sequence[Step], forward: bool) -> BddSet:
        while True:
            try:
                found = self.encoding.false
                for step in steps:
                    self.budget.check()
                    move = self._move(step, forward)
                    move.check(states.function)
                    found |= move.fire(states.function)
                return self._set(found)
            except TooFewBits as stuck:
                self._grow(stuck)

    def _closed_within(
        self, states: BddSet, steps: Sequence[Step], within: BddSet, forward: bool
    ) -> BddSet:
        """What does not fit into the bits is not in ``within`` either."""
        start = states.function & within.function
        return self._set(self._chain(start, self._in_order(steps, forward), within.function))

    def _chain(self, reached: Function, moves: Sequence[Move], within: Function | None) -> Function:
        """Fire one after another, each on all that the others have found, until none finds more."""
        idle = 0
        while idle < len(moves):
            for move in moves:
                self.budget.check()
                more = self._fired(reached, move, within)
                idle = idle + 1 if more == reached else 0
                reached = more
                if idle >= len(moves):
                    break
        return reached

    def _fired(self, reached: Function, move: Move, within: Function | None) -> Function:
        if within is not None:
            return reached | (move.fire(reached) & within)
        try:
            move.check(reached)
        except TooFewBits as stuck:
            stuck.reached = reached
            raise
        return reached | move.fire(reached)

    def _in_order(self, steps: Sequence[Step], forward: bool) -> list[Move]:
        """Those first that touch only the lowest levels."""
        moves = [self._move(step, forward) for step in steps]
        return sorted(moves, key=lambda move: -move.top)

    def _move(self, step: Step, forward: bool) -> Move:
        found = self._moves.get((step, forward))
        if found is None:
            parts = changes(self.net, step)
            if not forward:
                parts = [part.reversed() for part in parts]
            found = self._moves[step, forward] = Move(self.encoding, parts, self.budget)
        return found

    def _enabled(self, states: Function, steps: Sequence[Step]) -> Function:
        found = self.encoding.false
        for step in steps:
            self.budget.check()
            found |= states & self._move(step, True).guard
        return found

    def _grow(self, stuck: TooFewBits) -> None:
        for place, bits in stuck.bits.items():
            self._widen(place, bits)

    def _widen(self, place: int, bits: int) -> None:
        """Give a place at least so many bits; every set there is gets them, as zeros."""
        if bits <= self.encoding.bits[place]:
            return
        if bits > MAX_BITS:
            raise LimitReached(f"place '{self.net.places[place].id}' outgrows {MAX_BITS} bits")
        zeros = self.encoding.widen(place, bits)
        self._moves.clear()
        self._comparisons.forget()
        sets = list(self._sets.values())
        self._sets.clear()
        for states in sets:
            states.function &= zeros
            self._sets[states.function] = states

    def _suspect(self, stuck: TooFewBits, states: BddSet, steps: Sequence[Step]) -> None:
        """Stop a closure that cannot end."""
        unknown = (bits for place, bits in stuck.bits.items() if self._bounds[place] is None)
        if max(unknown, default=0) < SUSPICIOUS_BITS:
            return
        place = growing_place(self.net, islice(self.markings(states), STARTS), steps)
        if place is not None:
            culprit = self.net.places[place].id
            raise Unbounded(f"the net is unbounded: tokens pile up in place '{culprit}'")

    def _snapshot(self, function: Function) -> Diagram:
        return snapshot(self.encoding, function)

    def _built(self, diagram: Diagram) -> Function:
        """The function of a diagram whose bits all exist; further bits are zero."""
        manager = self.encoding.manager
        made = [manager.false, manager.true]
        for position, low, high in diagram.nodes:
            place, bit = self.order[diagram.places[position]], diagram.bits[position]
            made.append(manager.ite(self.encoding.variable(place, bit), made[high], made[low]))
        zeros = {
            name(place, bit): False
            for place, width in zip(self.order, diagram.widths, strict=True)
            for bit in range(width, self.encoding.bits[place])
        }
        return made[diagram.root] & self.encoding.cube(zeros)

    def _marking(self, values: Sequence[int]) -> Marking:
        marking = [0] * len(self.order)
        for place, tokens in zip(self.order, values, strict=True):
            marking[place] = tokens
        return tuple(marking)


def _width(tokens: int) -> int:
    return max(1, tokens.bit_length())


def _budget(budget: Budget) -> int:
    """What the budget leaves beside the memory that is in use already."""
    if budget.memory is None:
        return DEFAULT_MEMORY
    return max(LEAST_MEMORY, budget.memory - resident_bytes())
