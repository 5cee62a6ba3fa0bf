"""A lasso: a firing sequence, then a cycle that repeats for ever or a dead marking."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import overload

from mpisog.nets.model import Marking, PetriNet


@dataclass(frozen=True)
class Lasso:
    """Transition indices of the net; an empty cycle means that the run ends in a dead marking."""

    net: PetriNet
    prefix: tuple[int, ...]
    cycle: tuple[int, ...]
    sealed: int | None = None
    """After so many firings no continuation can satisfy the formula; nothing: never so."""
    shortest: bool | None = None
    """Whether it is proven that no counterexample has fewer steps; nothing: that was not asked."""

    @property
    def steps(self) -> tuple[int, ...]:
        """The firings that count: up to where the verdict is sealed, or the prefix and a round."""
        return (*self.prefix, *self.cycle)[: self.sealed]

    @property
    def ends_dead(self) -> bool:
        """Whether the run stays in a dead marking for ever."""
        return not self.cycle

    @property
    def prefix_ids(self) -> list[str]:
        """Ids of the transitions that lead to the cycle or the dead marking."""
        return self._ids(self.prefix)

    @property
    def cycle_ids(self) -> list[str]:
        """Ids of the transitions that repeat for ever."""
        return self._ids(self.cycle)

    def markings(self) -> Markings:
        """The marking before each step and after the last; steps are taken on trust."""
        return Markings(self.net, (*self.prefix, *self.cycle))

    def _ids(self, steps: Sequence[int]) -> list[str]:
        return [self.net.transitions[step].id for step in steps]

    def __str__(self) -> str:
        end = "then dead" if self.ends_dead else f"then for ever: {' '.join(self.cycle_ids)}"
        return f"{' '.join(self.prefix_ids) or '(at once)'}; {end}"


class Markings(Sequence[Marking]):
    """The markings of a run, made when they are asked for.

    All of them at once would be gigabytes on a large net. Going to a marking costs the steps from
    the one that was asked for last.
    """

    def __init__(self, net: PetriNet, steps: Sequence[int]) -> None:
        self._net = net
        self._steps = steps
        self._tokens = list(net.initial)
        self._position = 0

    def __len__(self) -> int:
        return len(self._steps) + 1

    @overload
    def __getitem__(self, index: int) -> Marking: ...
    @overload
    def __getitem__(self, index: slice) -> list[Marking]: ...
    def __getitem__(self, index: int | slice) -> Marking | list[Marking]:
        """The marking before step ``index``."""
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        self._go_to(range(len(self))[index])
        return tuple(self._tokens)

    def tokens(self, index: int, places: Sequence[int]) -> list[int]:
        """What some places hold before step ``index``: cheap on a large net."""
        self._go_to(index)
        return [self._tokens[place] for place in places]

    def _go_to(self, wanted: int) -> None:
        while self._position < wanted:
            self._take(self._steps[self._position], 1)
            self._position += 1
        while self._position > wanted:
            self._position -= 1
            self._take(self._steps[self._position], -1)

    def _take(self, step: int, sign: int) -> None:
        transition = self._net.transitions[step]
        for place, weight in transition.pre:
            self._tokens[place] -= sign * weight
        for place, weight in transition.post:
            self._tokens[place] += sign * weight
