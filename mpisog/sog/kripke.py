"""The observation graph as the Kripke structure that Spot pulls.

A state is the pair (aggregate, mode): waiting, or doing an observed step at once or after waiting.
A run that never leaves an aggregate goes on in a sink, one for each label. With event atoms there
may be several initial states, so an extra root comes first, and the formula is checked one instant
later. In integers: aggregates count from 0, the root is -1, sinks go down from -2; mode 0 waits,
mode k does observed transition k (counted from 1) at once, -k after waiting.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Generic, TypeVar

from mpisog.formulas.atoms import Atom, Fire
from mpisog.sog.graph import ObservationGraph
from mpisog.sog.observation import Label
from mpisog.symbolic.protocol import StateSet

S = TypeVar("S", bound=StateSet)

ROOT = -1
FIRST_SINK = -2
WAITING = 0

State = tuple[int, ...]
"""Number, mode, then the truth of each atom as 0 or 1."""


class SogKripke(Generic[S]):
    """Successors of Kripke states, for the atoms of one formula.

    With ``ends_anyhow`` a run can seem to stay where nobody asks whether it can: then whoever
    accepts that accepts every other way to go on too (see docs/sog.md).
    """

    def __init__(
        self, graph: ObservationGraph[S], atoms: Sequence[Atom], *, ends_anyhow: bool = False
    ) -> None:
        self.graph = graph
        self._ends_anyhow = ends_anyhow
        self._atoms = tuple(atoms)
        self._modes = {t: i for i, t in enumerate(graph.observation.events, start=1)}
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
        return list(self._entered(self._event_targets(number, mode)))

    def _event_targets(self, number: int, mode: int) -> list[int]:
        expansion = self.graph.expansion(number)
        transition = self.graph.observation.events[abs(mode) - 1]
        entries = expansion.at_once if mode > 0 else expansion.waited
        return self.graph.targets(entries[transition])

    def _after_waiting(self, number: int) -> list[State]:
        expansion = self.graph.expansion(number)
        states = [self._state(number, -self._modes[t]) for t in expansion.waited]
        states += self._entered(self.graph.targets(expansion.changes))
        aggregate = self.graph.aggregates[number]
        if aggregate.can_stutter or (
            self._ends_anyhow and not self.graph.needs_stuttering(aggregate.label)
        ):
            states.append(self._sink_state(self._sink(aggregate.label)))
        return states

    def _entered(self, numbers: Sequence[int]) -> Iterator[State]:
        for number in dict.fromkeys(numbers):
            for transition in self.graph.ready_events(number):
                yield self._state(number, self._modes[transition])
            yield self._state(number, WAITING)

    def _state(self, number: int, mode: int) -> State:
        label = self.graph.aggregates[number].label
        return (number, mode, *self._letter(label, mode))

    def _sink(self, label: Label) -> int:
        if label not in self._sinks:
            self._sinks[label] = FIRST_SINK - len(self._labels)
            self._labels.append(label)
        return self._sinks[label]

    def _sink_state(self, sink: int) -> State:
        return (sink, WAITING, *self._letter(self._labels[FIRST_SINK - sink], WAITING))

    def _letter(self, label: Label, mode: int) -> Iterator[int]:
        observation = self.graph.observation
        truth = dict(zip(observation.state_atoms, label, strict=True))
        fired = observation.events[abs(mode) - 1] if mode else None
        for atom in self._atoms:
            yield int(fired == atom.transition if isinstance(atom, Fire) else truth[atom])
