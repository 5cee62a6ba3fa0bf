"""A lasso: a firing sequence, then a cycle that repeats for ever or a dead marking."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mpisog.nets.model import Marking, PetriNet
from mpisog.nets.semantics import fire


@dataclass(frozen=True)
class Lasso:
    """Transition indices of the net; an empty cycle means that the run ends in a dead marking."""

    net: PetriNet
    prefix: tuple[int, ...]
    cycle: tuple[int, ...]

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

    def markings(self) -> list[Marking]:
        """The marking before each step and after the last; steps are taken on trust."""
        reached = [self.net.initial]
        for step in (*self.prefix, *self.cycle):
            reached.append(fire(self.net.transitions[step], reached[-1]))
        return reached

    def _ids(self, steps: Sequence[int]) -> list[str]:
        return [self.net.transitions[step].id for step in steps]

    def __str__(self) -> str:
        end = "then dead" if self.ends_dead else f"then for ever: {' '.join(self.cycle_ids)}"
        return f"{' '.join(self.prefix_ids) or '(at once)'}; {end}"
