"""What a formula observes of a net, and which steps it cannot see.

A step is silent in a marking when its transition is unobserved and leaves every state atom as it
is. Whether a transition can do that depends on the label (the atoms' truth values) of the markings
it starts from, and is sorted out here once for each label.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property

from mpisog import _native
from mpisog.budget import memory_limit_reached
from mpisog.errors import known_name
from mpisog.formulas.atoms import Atom, Dead, Fire, Fireable, StateAtom, holds, observed_places
from mpisog.nets.model import PetriNet
from mpisog.sog.divergence import cycle_candidates
from mpisog.sog.visibility import Guard, blocked_transitions, effect, keep_truth
from mpisog.symbolic.protocol import Condition, HashedOnce, Step

Label = tuple[bool, ...]
"""Truth values of the state atoms, in their order."""

AGGREGATIONS = ("precise", "static")

BYTES_OF_MOVE = 400
"""What a label takes for each unobserved transition: much, where a net has 100,000."""

NEVER = Guard(at_most={0: -1})
"""Of a transition that is not silent anywhere."""


@dataclass(frozen=True)
class Move:
    """What one unobserved transition can do, given the truth of the atoms that it touches."""

    inside: Step | None
    """The step where it is silent, or where it may be if that has to be checked."""
    checked: bool
    exit: Step | None
    """The step where it may lead out of the aggregate."""


@dataclass(frozen=True)
class LabelSteps:
    """How markings of one label move.

    ``free`` steps are silent exactly where their guards hold. ``checked`` steps may be silent, but
    guards cannot say where: what they lead to has to be filtered. ``exits`` are the unobserved
    transitions that may lead out of the aggregate.
    """

    free: tuple[Step, ...]
    checked: tuple[Step, ...]
    exits: tuple[Step, ...]
    postponed: tuple[Step, ...]
    """Forbidden inside an aggregate though they may be silent; guards need not say where."""
    silent: tuple[Step, ...]
    """All that may be silent; between markings of the label they are."""
    leaving: Fireable
    """The state atom "a step that is not silent may be possible"."""
    inside: tuple[Step, ...]
    """The free and the checked steps."""
    kept: tuple[Condition, ...]
    """What of the label the checked steps must keep."""

    @cached_property
    def one_by_one(self) -> tuple[tuple[Step], ...]:
        """The free steps, each on its own."""
        return tuple((step,) for step in self.free)


def known_aggregation(name: str) -> str:
    """The name, or a ``UsageError`` if there is no such aggregation."""
    return known_name("aggregation", name, AGGREGATIONS)


class Observation:
    """State atoms and observed transitions of a formula.

    ``aggregation`` is ``precise`` (a step is silent when it changes no truth value) or ``static``
    (the papers': only transitions that leave every observed place alone are silent). ``forbidden``
    transitions are never taken inside an aggregate, and an aggregate with more than
    ``aggregate_nodes`` grows no further: both limit its size; verdicts stay the same. With
    ``aggregate_markings`` an aggregate is entered through one marking and has that many at most.
    """

    def __init__(
        self,
        net: PetriNet,
        atoms: Sequence[Atom],
        aggregation: str = "precise",
        forbidden: frozenset[int] = frozenset(),
        aggregate_nodes: int | None = None,
        aggregate_markings: int | None = None,
    ) -> None:
        self.net = net
        self.atoms = tuple(atoms)
        self.aggregation = known_aggregation(aggregation)
        self.forbidden = forbidden
        self.aggregate_nodes = aggregate_nodes
        self.state_atoms: tuple[StateAtom, ...] = tuple(
            atom for atom in self.atoms if not isinstance(atom, Fire)
        )
        self.events = tuple(sorted({a.transition for a in self.atoms if isinstance(a, Fire)}))
        """The observed transitions."""
        self.some_event = Fireable(self.events)
        """The state atom "an observed step can be done at once"."""
        self.precise = aggregation == "precise"
        """Whether every unobserved step that keeps the label is silent."""
        takes_apart = self.precise and not self.events
        self.aggregate_markings = aggregate_markings if takes_apart else None
        """Nothing: entry sets are not taken apart, see ``closure``."""
        self._steps: dict[Label, LabelSteps] = {}
        self._cycle_steps: dict[Label, tuple[Step, ...]] = {}
        # Labels are many, but what they are made of is not.
        self._blocked = cache(self._find_blocked)
        self._move = cache(self._find_move)

    def initial_label(self) -> Label:
        """The label of the initial marking."""
        return tuple(holds(atom, self.net, self.net.initial, None) for atom in self.state_atoms)

    def steps(self, label: Label) -> LabelSteps:
        """The steps of markings with this label."""
        if label not in self._steps:
            self._steps[label] = self._classify(label)
        return self._steps[label]

    def cycle_steps(self, label: Label) -> tuple[Step, ...]:
        """The silent steps that can be part of a cycle."""
        if label not in self._cycle_steps:
            found = cycle_candidates(self.steps(label).silent, self._effects)
            self._cycle_steps.setdefault(label, found)
        return self._cycle_steps[label]

    def dead_flipped(self, label: Label) -> Label | None:
        """The label of dead markings that otherwise look like this; nothing if none is seen."""
        if Dead() not in self.state_atoms:
            return None
        index = self.state_atoms.index(Dead())
        return None if label[index] else (*label[:index], True, *label[index + 1 :])

    @cached_property
    def _effects(self) -> list[Mapping[int, int]]:
        return [effect(transition) for transition in self.net.transitions]

    @cached_property
    def _places_of(self) -> list[set[int]]:
        return [observed_places(atom, self.net) for atom in self.state_atoms]

    @cached_property
    def places(self) -> set[int]:
        """Those whose tokens the state atoms look at."""
        return set().union(*self._places_of)

    @cached_property
    def _unobserved(self) -> list[tuple[int, tuple[int, ...]]]:
        """The unobserved transitions, each with the state atoms that decide where it is silent."""
        return [
            (index, self._atoms_touched(change) if self.precise else ())
            for index, change in enumerate(self._effects)
            if index not in self.events
        ]

    def _atoms_touched(self, change: Mapping[int, int]) -> tuple[int, ...]:
        return tuple(i for i, seen in enumerate(self._places_of) if not seen.isdisjoint(change))

    def _classify(self, label: Label) -> LabelSteps:
        free: list[Step] = []
        checked: list[Step] = []
        exits: list[Step] = []
        postponed: list[Step] = []
        if not _native.memory_fits(BYTES_OF_MOVE * len(self._unobserved)):
            raise memory_limit_reached()
        blocked = set().union(*map(self._blocked, range(len(label)), label))
        for index, touched in self._unobserved:
            if index in blocked:
                continue
            move = self._move(index, tuple([label[i] for i in touched]))
            if move.inside:
                inside = checked if move.checked else free
                (postponed if index in self.forbidden else inside).append(move.inside)
            if move.exit:
                exits.append(move.exit)
        return self._label_steps(label, free, checked, exits, postponed)

    def _find_blocked(self, atom: int, truth: bool) -> frozenset[int]:
        return blocked_transitions(self.net, self.state_atoms[atom], truth)

    def _find_move(self, index: int, truths: Label) -> Move:
        guard = self._guard(index, truths) if self.may_stay(index) else NEVER
        if guard is None:
            return Move(Step(index), checked=True, exit=Step(index))
        inside = None if guard.never else guard.step(index)
        return Move(inside, checked=False, exit=Step(index) if guard else None)

    def _label_steps(
        self,
        label: Label,
        free: Sequence[Step],
        checked: Sequence[Step],
        exits: Sequence[Step],
        postponed: Sequence[Step],
    ) -> LabelSteps:
        return LabelSteps(
            free=HashedOnce(free),
            checked=HashedOnce(checked),
            exits=HashedOnce(exits),
            postponed=HashedOnce(postponed),
            silent=HashedOnce((*free, *checked, *postponed)),
            leaving=self._leaving(exits) if self.precise else self._always_leaving,
            inside=HashedOnce((*free, *checked)),
            kept=self._touched(label, checked),
        )

    def _leaving(self, exits: Sequence[Step]) -> Fireable:
        return Fireable((*self.events, *(step.transition for step in exits)))

    @cached_property
    def _always_leaving(self) -> Fireable:
        """For all labels: without ``precise`` what leaves from some is silent nowhere."""
        visible = (index for index, _ in self._unobserved if not self.may_stay(index))
        return Fireable((*self.events, *visible))

    def _touched(self, label: Label, steps: Sequence[Step]) -> tuple[Condition, ...]:
        """The part of the label that steps may change; deadness aside, see ``visibility``."""
        changed = {place for step in steps for place in self._effects[step.transition]}
        return HashedOnce(
            (atom, truth)
            for atom, places, truth in zip(self.state_atoms, self._places_of, label, strict=True)
            if not isinstance(atom, Dead) and not places.isdisjoint(changed)
        )

    def may_stay(self, index: int) -> bool:
        """Whether the unobserved transition can be silent anywhere."""
        return self.precise or self.places.isdisjoint(self._effects[index])

    def _guard(self, index: int, truths: Label) -> Guard | None:
        """Where the transition is silent, or nothing when guards cannot say."""
        guard = Guard()
        change = self._effects[index]
        for i, truth in zip(self._atoms_touched(change), truths, strict=True):
            if not keep_truth(guard, self.state_atoms[i], truth, change, self.net):
                return None
        return guard
