"""Backend ``mdd``: native multi-valued decision diagrams with saturation, the default."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from mpisog import _native
from mpisog.budget import Budget, resident_bytes
from mpisog.errors import InternalError, LimitReached, Unbounded
from mpisog.formulas.atoms import Comparison, Dead, Fireable, StateAtom
from mpisog.nets.model import Marking, PetriNet
from mpisog.nets.ordering import order_within
from mpisog.symbolic.mdd_compiler import MddCompiler
from mpisog.symbolic.mdd_searches import MarkingSearches
from mpisog.symbolic.protocol import Classes, Condition, Domain, Step, Terms

T = TypeVar("T")

DEFAULT_MEMORY = 4 << 30
MEMORY_SHARE = 0.9
LEAST_MEMORY = 16 << 20
"""A kernel with less could not do anything."""

CHUNK = 1024
"""Markings that are taken out of a set at a time."""


class MddSet:
    """A set of one domain's kernel; equal sets are the same node there."""

    __slots__ = ("domain", "id", "native")

    def __init__(self, domain: MddDomain, native: _native.Set) -> None:
        self.domain = domain
        self.native = native
        self.id = native.id

    def __or__(self, other: MddSet) -> MddSet:
        return self.domain.unite(self, other)

    def __and__(self, other: MddSet) -> MddSet:
        return self.domain.intersect(self, other)

    def __sub__(self, other: MddSet) -> MddSet:
        return self.domain.subtract(self, other)

    def __bool__(self) -> bool:
        return self.id != 0  # the id of the empty set

    def __eq__(self, other: object) -> bool:
        return isinstance(other, MddSet) and self.id == other.id

    def __hash__(self) -> int:
        return self.id


class MddDomain(Domain[MddSet]):
    """Sets of markings in one native kernel; safe to use from several threads at once."""

    name = "mdd"

    def __init__(
        self,
        net: PetriNet,
        order: Sequence[int] | None = None,
        budget: Budget | None = None,
        workers: int = 1,
    ) -> None:
        self.net = net
        self._budget = budget or Budget()
        self.order = tuple(order_within(net, self._budget) if order is None else order)
        # Weakly: the kernel would otherwise keep the domain that keeps the kernel.
        this = weakref.ref(self)
        self.kernel = _native.Sets(
            len(self.order), self._memory_budget(), workers, lambda *counts: _poll(this(), *counts)
        )
        self.compiler = MddCompiler(net, self.order, self.kernel, self._budget)
        self.searches = MarkingSearches(net, self.order, self.kernel)

    @property
    def budget(self) -> Budget:
        """Ends operations that take too long."""
        return self._budget

    @budget.setter
    def budget(self, budget: Budget) -> None:
        self._budget = self.compiler.budget = budget
        self.kernel.resume()

    def empty(self) -> MddSet:
        """No marking."""
        return MddSet(self, self.kernel.empty())

    def singleton(self, marking: Marking) -> MddSet:
        """One marking."""
        return self._set(self.kernel.from_markings, [self.compiler.to_levels(marking)])

    def unite(self, a: MddSet, b: MddSet) -> MddSet:
        """Union."""
        return self._set(self.kernel.unite, a.native, b.native)

    def intersect(self, a: MddSet, b: MddSet) -> MddSet:
        """Intersection."""
        return self._set(self.kernel.intersect, a.native, b.native)

    def subtract(self, a: MddSet, b: MddSet) -> MddSet:
        """Difference."""
        return self._set(self.kernel.subtract, a.native, b.native)

    def image(self, states: MddSet, steps: Sequence[Step]) -> MddSet:
        """What one step leads to."""
        return self._set(self.kernel.image, states.native, self.compiler.steps(steps))

    def preimage(self, states: MddSet, steps: Sequence[Step]) -> MddSet:
        """From where one step leads into the set."""
        return self._set(self.kernel.preimage, states.native, self.compiler.steps(steps))

    def closure(
        self, states: MddSet, steps: Sequence[Step], within: MddSet | None = None
    ) -> MddSet:
        """Everything reachable, by saturation."""
        events = self.compiler.steps(steps)
        if within is None:
            return self._set(self.kernel.closure, states.native, events)
        return self._set(self.kernel.closure_within, states.native, events, within.native, False)

    def backward_closure(self, states: MddSet, steps: Sequence[Step], within: MddSet) -> MddSet:
        """Everything in ``within`` that can reach the set there."""
        events = self.compiler.steps(steps)
        return self._set(self.kernel.closure_within, states.native, events, within.native, True)

    def close(
        self,
        states: MddSet,
        steps: tuple[Step, ...],
        label: tuple[Condition, ...],
        leaving: Fireable,
    ) -> tuple[MddSet, MddSet] | None:
        """What is reachable while the label stays, and where it ends; see ``sog.closure``."""
        wanted = self.compiler.firings(leaving.transitions)
        if not label:
            found = self._run(self.kernel.close, states.native, self.compiler.steps(steps), wanted)
            return MddSet(self, found.states), MddSet(self, found.leaving)
        events = self.compiler.labelled(steps, label)
        if events is None:
            return None
        try:
            found = self._run(self.kernel.close_labelled, states.native, events, wanted)
        except _native.TooComplex:
            self.compiler.give_up(steps, label)
            return None
        return MddSet(self, found.states), MddSet(self, found.leaving)

    def explicit_part(
        self, start: Marking, steps: tuple[Step, ...], label: tuple[Condition, ...], limit: int
    ) -> tuple[MddSet, MddSet, MddSet]:
        """Some of what is reachable while the label stays, depth first; see ``sog.closure``."""
        found = self._run(self.searches.part, start, steps, label, limit)
        return (
            MddSet(self, found.inside),
            MddSet(self, found.beyond),
            MddSet(self, found.deepest),
        )

    def filter(self, states: MddSet, atom: StateAtom) -> MddSet:
        """The markings in which the atom holds."""
        return self._set(self._filter, states.native, atom)

    def split(self, states: MddSet, atoms: Sequence[StateAtom]) -> Classes[MddSet]:
        """The classes of markings that agree on every atom."""
        compiled = self.compiler.atoms(tuple(atoms))
        return self._classes(self._run(self.kernel.split, states.native, compiled))

    def split_image(
        self, states: MddSet, steps: Sequence[Step], atoms: Sequence[StateAtom]
    ) -> Classes[MddSet]:
        """The same of what one step leads to."""
        events, compiled = self.compiler.steps(steps), self.compiler.atoms(tuple(atoms))
        return self._classes(self._run(self.kernel.split_image, states.native, events, compiled))

    def _classes(self, found: _native.Split) -> Classes[MddSet]:
        return [(tuple(found.label(i)), MddSet(self, found.part(i))) for i in range(len(found))]

    def count(self, states: MddSet) -> int:
        """Exact."""
        return int.from_bytes(self._run(self.kernel.count, states.native), "little")

    def count_steps(self, states: MddSet, steps: Sequence[Step]) -> int:
        """Exact."""
        events = self.compiler.steps(steps)
        return int.from_bytes(self._run(self.kernel.count_steps, states.native, events), "little")

    def largest_sum(self, states: MddSet, terms: Terms) -> int:
        """The largest value of a linear form."""
        largest = self._run(self.kernel.largest_sum, states.native, self.compiler.by_level(terms))
        if largest is None:
            raise ValueError("the set is empty")
        return largest

    def largest_tokens(self, states: MddSet) -> tuple[int, ...]:
        """For each place the most tokens."""
        if not states:
            return (0,) * len(self.order)
        return self.compiler.to_marking(self._run(self.kernel.largest_values, states.native))

    def pick(self, states: MddSet) -> Marking:
        """The first in the order of the levels."""
        picked = self._run(self.kernel.pick, states.native)
        if picked is None:
            raise ValueError("the set is empty")
        return self.compiler.to_marking(picked)

    def nearest(self, states: MddSet, wished: Marking) -> Marking:
        """One with the fewest tokens more or less than the wished marking."""
        found = self._run(self.kernel.nearest, states.native, self.compiler.to_levels(wished))
        if found is None:
            raise ValueError("the set is empty")
        return self.compiler.to_marking(found)

    def markings(self, states: MddSet) -> Iterator[Marking]:
        """Every marking, some at a time."""
        while states:
            chunk = self._run(self.kernel.first_markings, states.native, CHUNK)
            yield from (self.compiler.to_marking(values) for values in chunk)
            states = states - self._set(self.kernel.from_markings, chunk)

    def contains(self, states: MddSet, marking: Marking) -> bool:
        """Membership."""
        return self._run(self.kernel.contains, states.native, self.compiler.to_levels(marking))

    def fingerprint(self, states: MddSet) -> bytes:
        """12 bytes that depend on the markings and the order only."""
        return self._run(self.kernel.fingerprint, states.native)

    def serialise(self, states: MddSet) -> bytes:
        """The nodes in a canonical order."""
        return self._run(self.kernel.serialise, states.native)

    def deserialise(self, data: bytes) -> MddSet:
        """The set again."""
        return self._set(self.kernel.deserialise, data)

    def nodes(self, states: MddSet) -> int:
        """Nodes of the diagram."""
        return self._run(self.kernel.node_count, states.native)

    def explicit_path(
        self,
        target: Marking,
        steps: tuple[Step, ...],
        within: MddSet,
        sources: MddSet,
        at_once: bool,
    ) -> tuple[Marking, tuple[int, ...]] | bool | None:
        """A short way to one marking, marking by marking; see ``trace.paths``."""
        if not sources:
            return None
        near = self.nearest(sources, target)
        inside, starts = within.native, sources.native
        return self._run(self.searches.path, target, near, steps, inside, starts, at_once)

    def explicit_cycle(
        self, states: MddSet, steps: tuple[Step, ...], limit: int
    ) -> Marking | bool | None:
        """A marking on a cycle, marking by marking; see ``sog.divergence``."""
        found = self._run(self.searches.cycle, states.native, states.native, steps, limit)
        return tuple(found[2]) if isinstance(found, tuple) else found

    def explicit_lasso(
        self, starts: MddSet, within: MddSet, steps: tuple[Step, ...]
    ) -> tuple[Marking, tuple[int, ...], tuple[int, ...]] | None:
        """A start, firings from it to a cycle, and the cycle's; nothing when none is found."""
        found = self._run(self.searches.cycle, starts.native, within.native, steps)
        if not isinstance(found, tuple):
            return None
        return tuple(found[0]), tuple(found[1]), tuple(found[3])

    def table_nodes(self) -> int:
        """Nodes that the kernel has now, garbage included."""
        return self.kernel.statistics()[0]

    def peak_bytes(self) -> int:
        """The most memory the kernel has used so far."""
        return self.kernel.statistics()[2]

    def _filter(self, states: _native.Set, atom: StateAtom) -> _native.Set:
        match atom:
            case Comparison():
                return self.kernel.filter(states, *self.compiler.comparison(atom))
            case Fireable(transitions):
                return self.kernel.fireable(states, self.compiler.firings(transitions))
            case Dead():
                return self.kernel.dead(states, self.compiler.all_steps)

    def _memory_budget(self) -> int:
        """Most of what the budget leaves beside the memory that is in use already.

        Stacks, labels and what Python keeps of sets come on top.
        """
        if self.budget.memory is None:
            return DEFAULT_MEMORY
        return max(LEAST_MEMORY, int(MEMORY_SHARE * (self.budget.memory - resident_bytes())))

    def _run(self, operation: Callable[..., T], *arguments: Any) -> T:
        """Call the kernel; what it throws becomes our errors."""
        try:
            return operation(*arguments)
        except _native.OutOfMemory:
            raise LimitReached("the memory limit of the decision diagrams is reached") from None
        except _native.Cancelled:
            raise self.budget.stopped or InternalError("stopped without a reason") from None
        except _native.ValueOverflow:
            raise Unbounded("a place holds more than 4 billion tokens") from None

    def _set(self, operation: Callable[..., _native.Set], *arguments: Any) -> MddSet:
        return MddSet(self, self._run(operation, *arguments))


def _poll(domain: MddDomain | None, *counts: int) -> bool:
    if domain is None:
        return True
    domain.budget.units = ("nodes", "computations")
    return domain.budget.poll(*counts)
