"""The observation graph as the Kripke structure that Spot pulls.

A state is the pair (aggregate, mode): waiting, or doing an observed step at once or after waiting.
A run that never leaves an aggregate goes on in a sink, one for each label. With event atoms there
may be several initial states, so an extra root comes first, and the formula is checked one instant
later. In integers: aggregates count from 0, the root is -1, sinks go down from -2; mode 0 waits,
mode k does observed transition k (counted from 1) at once, -k after waiting.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Protocol

from mpisog.formulas.atoms import Atom, Fire
from mpisog.sog.expansion import WAITING
from mpisog.sog.observation import Label, Observation

ROOT = -1
FIRST_SINK = -2

State = tuple[int, ...]
"""Number, mode, then the truth of each atom as 0 or 1."""


class PulledGraph(Protocol):
    """An observation graph by the numbers of its aggregates, wherever they are built."""

    observation: Observation

    def initial(self) -> int:
        """The aggregate of the initial marking."""

    def label(self, number: int) -> Label:
        """Of all markings of an aggregate."""

    def can_stutter(self, number: int) -> bool:
        """Whether there is a run that never leaves it."""

    def ready_events(self, number: int) -> Iterable[int]:
        """The observed transitions that can fire at once on entry."""

    def waited_events(self, number: int) -> Iterable[int]:
        """The observed transitions that can fire after waiting."""

    def targets(self, number: int, mode: int) -> Sequence[int]:
        """The aggregates that follow when it is left in that mode."""


class SogKripke:
    """Successors of Kripke states, for the atoms of one formula.

    Where ``may_end`` says so of a label, a run can seem to stay although it was not asked whether
    it can: an automaton that accepts this accepts every other way to go on too (see docs/sog.md).
    """

    def __init__(
        self,
        graph: PulledGraph,
        atoms: Sequence[Atom],
        may_end: Callable[[Label], bool] = lambda label: False,
    ) -> None:
        self.graph = graph
        self._may_end = may_end
        self._atoms = tuple(atoms)
        self._modes = {t: i for i, t in enumerate(graph.observation.events, start=1)}
        self._letters: dict[tuple[Label, int], tuple[int, ...]] = {}
        self._sinks: dict[Label, int] = {}
        self._labels: list[Label] = []

    @property
    def atom_count(self) -> int:
        """Number of atoms in every state."""
        return len(self._atoms)

    @property
    def has_root(self) -> bool:
        """Whether the extra root is there."""
        return any(isinstance(atom, Fire) for atom in self._atoms)

    def initial(self) -> State:
        """The root, or the one initial state."""
        if self.has_root:
            return (ROOT, WAITING, *(0 for _ in self._atoms))
        return self._state(self.graph.initial(), WAITING)

    def successors(self, number: int, mode: int) -> list[State]:
        """The Kripke states after one."""
        if number == ROOT:
            return list(self._entered([self.graph.initial()]))
        if number <= FIRST_SINK:
            return [self._sink_state(number)]
        if mode == WAITING:
            return self._after_waiting(number)
        return list(self._entered(self.graph.targets(number, mode)))

    def _after_waiting(self, number: int) -> list[State]:
        graph = self.graph
        states = [self._state(number, -self._modes[t]) for t in graph.waited_events(number)]
        states += self._entered(graph.targets(number, WAITING))
        label = graph.label(number)
        if graph.can_stutter(number) or self._may_end(label):
            states.append(self._sink_state(self._sink(label)))
        return states

    def _entered(self, numbers: Sequence[int]) -> Iterator[State]:
        for number in dict.fromkeys(numbers):
            for transition in self.graph.ready_events(number):
                yield self._state(number, self._modes[transition])
            yield self._state(number, WAITING)

    def _state(self, number: int, mode: int) -> State:
        label = self.graph.label(number)
        return (number, mode, *self._letter(label, mode))

    def _sink(self, label: Label) -> int:
        if label not in self._sinks:
            self._sinks[label] = FIRST_SINK - len(self._labels)
            self._labels.append(label)
        return self._sinks[label]

    def _sink_state(self, sink: int) -> State:
        return (sink, WAITING, *self._letter(self._labels[FIRST_SINK - sink], WAITING))

    def _letter(self, label: Label, mode: int) -> tuple[int, ...]:
        if (label, mode) not in self._letters:
            self._letters[label, mode] = tuple(self._truths(label, mode))
        return self._letters[label, mode]

    def _truths(self, label: Label, mode: int) -> Iterator[int]:
        observation = self.graph.observation
        truth = dict(zip(observation.state_atoms, label, strict=True))
        fired = observation.events[abs(mode) - 1] if mode else None
        for atom in self._atoms:
            yield int(fired == atom.transition if isinstance(atom, Fire) else truth[atom])
