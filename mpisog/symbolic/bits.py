"""Backend ``bits``: all reachable markings are enumerated once; sets are sets of their numbers.

The fastest backend for nets with few markings, the last resort for nets with some millions whose
diagrams are large, and none at all for others. Only reachable markings
can be in a set, so ``preimage`` gives the reachable predecessors; engines never ask for others.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from time import monotonic

from mpisog import _native
from mpisog.budget import Budget
from mpisog.errors import InternalError, LimitReached, Unbounded
from mpisog.formulas.atoms import Fireable, StateAtom
from mpisog.formulas.native import native_atom
from mpisog.nets.model import Marking, PetriNet
from mpisog.nets.native import native_net
from mpisog.symbolic.protocol import (
    DIGESTS,
    Classes,
    Condition,
    Domain,
    Step,
    Terms,
    with_label,
)

MANY_MARKINGS = 20_000_000
"""Beyond this number they take too much memory."""

MUCH_WORK = 400_000_000
"""What an enumeration may cost, in words written: some ten seconds."""

POLL_EVERY = 0.1
"""Seconds between looks at the budget."""

CHUNK = 1024
"""Markings that are taken out of a set at a time."""

MOST_SPLITTING = 64
"""Atoms that native code splits a set by at a time."""

MarkingSet = _native.MarkingSet


class TooManyMarkings(LimitReached):
    """The net is not for this backend."""


class BitsDomain(Domain[MarkingSet]):
    """Sets of numbers of markings; safe to use from several threads at once.

    ``order`` makes no difference. ``most`` and ``work`` limit the enumeration, in markings and in
    words of markings written: the same net ends it at the same place on every machine.
    """

    name = "bits"

    def __init__(
        self,
        net: PetriNet,
        order: Sequence[int] | None = None,
        budget: Budget | None = None,
        *,
        most: int = MANY_MARKINGS,
        work: int = MUCH_WORK,
    ) -> None:
        self.net = net
        self._budget = budget or Budget()
        self._due = 0.0
        self.reachable = _enumerate(net, self._budget, most, work)
        self._steps: dict[tuple[Step, ...], _native.MarkingSteps] = {}
        self._labels: dict[tuple[Condition, ...], MarkingSet] = {}
        self._truths: dict[StateAtom, _native.MarkingTruth] = {}

    @property
    def budget(self) -> Budget:
        """Ends loops of operations that take too long; each operation is short."""
        return self._budget

    @budget.setter
    def budget(self, budget: Budget) -> None:
        self._budget = budget
        self._due = 0.0

    def empty(self) -> MarkingSet:
        """No marking."""
        return self.reachable.empty()

    def singleton(self, marking: Marking) -> MarkingSet:
        """One marking, which must be reachable."""
        states = self.reachable.singleton(marking)
        if states is None:
            raise ValueError("the marking is not reachable")
        return states

    def image(self, states: MarkingSet, steps: Sequence[Step]) -> MarkingSet:
        """What one step leads to."""
        self._look()
        return self.reachable.image(states, self.compiled(steps))

    def preimage(self, states: MarkingSet, steps: Sequence[Step]) -> MarkingSet:
        """The reachable markings from where one step leads into the set."""
        self._look()
        return self.reachable.preimage(states, self.compiled(steps))

    def closure(
        self, states: MarkingSet, steps: Sequence[Step], within: MarkingSet | None = None
    ) -> MarkingSet:
        """Everything that a breadth-first search finds."""
        self._look()
        return self.reachable.closure(states, self.compiled(steps), within)

    def close(
        self,
        states: MarkingSet,
        steps: tuple[Step, ...],
        label: tuple[Condition, ...],
        leaving: Fireable,
    ) -> tuple[MarkingSet, MarkingSet]:
        """What is reachable while the label stays, and where it ends; see ``sog.closure``."""
        closed = self.closure(states, steps, self.everywhere(label) if label else None)
        return closed, self.filter(closed, leaving)

    def everywhere(self, label: tuple[Condition, ...]) -> MarkingSet:
        """All reachable markings with that label."""
        if label not in self._labels:
            atoms, truth = zip(*label, strict=True)
            everywhere = with_label(self, self.reachable.everything(), atoms, truth)
            self._labels.setdefault(label, everywhere)  # native code points to it
        return self._labels[label]

    def backward_closure(
        self, states: MarkingSet, steps: Sequence[Step], within: MarkingSet
    ) -> MarkingSet:
        """Everything in ``within`` that can reach the set there."""
        self._look()
        return self.reachable.backward_closure(states, self.compiled(steps), within)

    def filter(self, states: MarkingSet, atom: StateAtom) -> MarkingSet:
        """The markings in which the atom holds."""
        self._look()
        return self.truth(atom).among(states)

    def split(self, states: MarkingSet, atoms: Sequence[StateAtom]) -> Classes[MarkingSet]:
        """The classes of markings that agree on every atom."""
        return self._classes(self.reachable.split(states, self._all_truths(atoms)), atoms)

    def split_image(
        self, states: MarkingSet, steps: Sequence[Step], atoms: Sequence[StateAtom]
    ) -> Classes[MarkingSet]:
        """The same of what one step leads to."""
        self._look()
        compiled, truths = self.compiled(steps), self._all_truths(atoms)
        return self._classes(self.reachable.split_image(states, compiled, truths), atoms)

    def _classes(
        self, found: list[tuple[list[bool], MarkingSet]], atoms: Sequence[StateAtom]
    ) -> Classes[MarkingSet]:
        """With labels as tuples; atoms beyond the first ones, which native code splits by."""
        classes = [(tuple(label), part) for label, part in found]
        rest = atoms[MOST_SPLITTING:]
        if not rest:
            return classes
        return [(a + b, part) for a, whole in classes for b, part in self.split(whole, rest)]

    def _all_truths(self, atoms: Sequence[StateAtom]) -> list[_native.MarkingTruth]:
        return [self.truth(atom) for atom in atoms[:MOST_SPLITTING]]

    def truth(self, atom: StateAtom) -> _native.MarkingTruth:
        """Where an atom holds, for native code."""
        truth = self._truths.get(atom)
        if truth is None:
            truth = self._truths.setdefault(atom, self.reachable.truth(native_atom(atom)))
        return truth

    def count(self, states: MarkingSet) -> int:
        """Known already."""
        return states.count

    def count_steps(self, states: MarkingSet, steps: Sequence[Step]) -> int:
        """Exact."""
        return self.reachable.count_steps(states, self.compiled(steps))

    def largest_sum(self, states: MarkingSet, terms: Terms) -> int:
        """Try every marking."""
        return self.reachable.largest_sum(states, terms)

    def largest_tokens(self, states: MarkingSet) -> tuple[int, ...]:
        """For each place the most tokens."""
        return tuple(self.reachable.largest_tokens(states))

    def pick(self, states: MarkingSet) -> Marking:
        """The one with the smallest number: no other is nearer to the initial marking."""
        picked = self.reachable.pick(states)
        if picked is None:
            raise ValueError("the set is empty")
        return tuple(picked)

    def markings(self, states: MarkingSet) -> Iterator[Marking]:
        """Every marking, some at a time."""
        first = 0
        while True:
            chunk, first = self.reachable.markings_from(states, first, CHUNK)
            if not chunk:
                return
            yield from map(tuple, chunk)

    def contains(self, states: MarkingSet, marking: Marking) -> bool:
        """Membership."""
        return self.reachable.contains(states, marking)

    def fingerprint(self, states: MarkingSet) -> bytes:
        """16 bytes that depend on the markings only; lists of numbers are long."""
        return DIGESTS["xxh3"](self.serialise(states))

    def serialise(self, states: MarkingSet) -> bytes:
        """The numbers: they mean the same wherever the net is the same."""
        return self.reachable.serialise(states)

    def deserialise(self, data: bytes) -> MarkingSet:
        """The set again."""
        return self.reachable.deserialise(data)

    def nodes(self, states: MarkingSet) -> int:
        """Number of markings."""
        return states.count

    def explicit_path(
        self,
        target: Marking,
        steps: tuple[Step, ...],
        within: MarkingSet,
        sources: MarkingSet,
        at_once: bool,
    ) -> tuple[Marking, tuple[int, ...]] | None:
        """A shortest way to one marking; see ``trace.paths``."""
        self._look()
        compiled = self.compiled(steps)
        found = self.reachable.find_path(target, compiled, within, sources, at_once)
        return None if found is None else (tuple(found[0]), tuple(found[1]))

    def explicit_cycle(
        self, states: MarkingSet, steps: tuple[Step, ...], _limit: int
    ) -> Marking | None:
        """A marking on a cycle, however long it takes; see ``sog.divergence``."""
        self._look()
        found = self.reachable.find_cycle(states, self.compiled(steps))
        return None if found is None else tuple(found)

    def peak_bytes(self) -> int:
        """The memory of the markings and the steps between them."""
        return self.reachable.bytes

    def compiled(self, steps: Sequence[Step]) -> _native.MarkingSteps:
        """Steps for native code."""
        key = steps if isinstance(steps, tuple) else tuple(steps)
        if key not in self._steps:
            tuples = [(step.transition, step.at_least, step.at_most) for step in key]
            self._steps.setdefault(key, self.reachable.steps(tuples))
        return self._steps[key]

    def _look(self) -> None:
        """Stop when the budget says so; it is asked now and then."""
        now = monotonic()
        if now >= self._due:
            self._due = now + POLL_EVERY
            if self.poll():
                self._due = 0.0
                self._budget.check()

    def poll(self) -> bool:
        """Whether the budget says stop; for native loops of operations."""
        self._budget.units = ("markings", "firings")
        return self._budget.poll(self.reachable.size, self.reachable.edges)


def _enumerate(net: PetriNet, budget: Budget, most: int, work: int) -> _native.ReachableMarkings:
    budget.check()
    budget.units = ("markings", "firings")
    found = _native.enumerate_markings(native_net(net), most, work, budget.poll)
    match found.ending:
        case _native.Ending.complete if found.reachable is not None:
            return found.reachable
        case _native.Ending.unbounded:
            place = net.places[found.unbounded_place].id
            raise Unbounded(f"the net is unbounded: tokens pile up in place '{place}'")
        case _native.Ending.too_many:
            raise TooManyMarkings("the net has too many markings for the backend 'bits'")
    raise budget.stopped or InternalError("stopped without a reason")
