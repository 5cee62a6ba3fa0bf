"""What is to be decided: a property, or a conjunct of one, and the problems made of it so far."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from mpisog.budget import Budget
from mpisog.engines.problem import Problem
from mpisog.engines.resources import Resources
from mpisog.engines.transformations import Transformation
from mpisog.nets.model import PetriNet
from mpisog.spotglue.automata import may_count_instants
from mpisog.spotglue.conjuncts import conjuncts
from mpisog.spotglue.ltl import BoundFormula


@dataclass(frozen=True, eq=False)
class Task:
    """A formula that is checked by itself.

    A property is violated as soon as one of its tasks is, and holds when all of them do.
    """

    number: int
    """Its place in the list of all tasks, which is the same in every process."""
    property: int
    """The place of its property."""
    bound: BoundFormula
    conjunct: bool = False
    """Whether it is a part of the property's formula."""
    _problems: dict[tuple[Transformation, ...], Problem | None] = field(default_factory=dict)

    def problem(
        self, transformations: tuple[Transformation, ...], resources: Resources, budget: Budget
    ) -> Problem | None:
        """The problem that these make of the original one; nothing if one does not apply."""
        if not transformations:
            return self._problems.setdefault((), Problem(resources.net, self.bound))
        if transformations not in self._problems:
            *before, last = transformations
            given = self.problem(tuple(before), resources, budget)
            made = None if given is None else last(given, resources, budget)
            self._problems[transformations] = made
        return self._problems[transformations]

    def reject(self, transformations: tuple[Transformation, ...]) -> None:
        """These lead to a problem whose runs turned out not to be counterexamples."""
        self._problems[transformations] = None


def tasks(net: PetriNet, bounds: Sequence[BoundFormula], *, whole: bool = False) -> list[Task]:
    """One for each formula, or for each conjunct of it unless formulas are to stay whole."""
    found: list[Task] = []
    for number, bound in enumerate(bounds):
        parts = [bound] if whole else split(bound, net)
        found += [Task(len(found) + i, number, p, len(parts) > 1) for i, p in enumerate(parts)]
    return found


def split(bound: BoundFormula, net: PetriNet) -> list[BoundFormula]:
    """The conjuncts; the whole formula where a part may count instants and the whole may not."""
    return [bound] if may_count_instants(bound) else conjuncts(bound, net)
