"""Which atoms never change their truth, and which combinations of them never occur."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property

from mpisog.budget import Budget
from mpisog.formulas.atoms import Atom, Dead, Fire, Fireable, observed_places
from mpisog.nets.model import PetriNet
from mpisog.nets.semiflows import Effect, effects
from mpisog.state_equation.deadlocks import Deadlocks
from mpisog.state_equation.equation import StateEquation
from mpisog.state_equation.recurrence import finite_transitions
from mpisog.state_equation.systems import Literal, systems

PROGRAM_SECONDS = 0.2
"""For one linear program."""

SECONDS_PER_PLACE = 1e-5
"""More for each place: in a large net other weightings are tried before."""

MAX_ENDINGS = 16
"""Combinations of truths in the end; atoms that would make it more are left out."""


class StructuralProver:
    """Answers for one net; they are kept for its other formulas."""

    def __init__(self, net: PetriNet) -> None:
        self._net = net
        self._equation = StateEquation(net)
        self._deadlocks = Deadlocks(net)
        self._known_finite: frozenset[int] | None = None
        self._known_changing: set[int] | None = None

    def truths(self, atoms: Iterable[Atom], budget: Budget) -> dict[Atom, bool]:
        """The atoms that are certain to be true, or false, in every reachable marking."""
        found: dict[Atom, bool] = {}
        for atom in atoms:
            for truth in (True, False):
                if self.never([(atom, not truth)], budget):
                    found[atom] = truth
                    break
        return found

    def never(self, literals: Sequence[Literal], budget: Budget) -> bool:
        """Whether it is certain that the literals do not hold together in a reachable marking."""
        if (Dead(), True) in literals and self._deadlocks.excluded(self._slice(budget)):
            return True
        return all(
            self._equation.excludes(system, self._slice(budget))
            for system in systems(literals, self._net)
        )

    def endings(self, atoms: Sequence[Atom], budget: Budget) -> list[list[Literal]]:
        """What holds from some instant on for ever: the literals of one of these lists.

        None where nothing is known. An atom that is in none of the lists may go on changing.
        """
        finite = self._finite(budget)
        if not finite:
            return []
        ends = len(finite) == len(self._net.transitions)
        endings: list[list[Literal]] = [[]]
        for atom in atoms:
            truths = self._final_truths(atom, finite, ends)
            if truths is not None and len(endings) * len(truths) <= MAX_ENDINGS:
                endings = [[*ending, (atom, truth)] for ending in endings for truth in truths]
        # What dead markings lack comes last: in a large net only what is near to the rest counts.
        end: list[Literal] = [(Dead(), True)] if ends else []
        endings = [[*ending, *end] for ending in endings]
        possible = [ending for ending in endings if not self.never(ending, budget)]
        return [[literal for literal in ending if literal[0] in atoms] for ending in possible]

    def _final_truths(
        self, atom: Atom, finite: frozenset[int], ends: bool
    ) -> tuple[bool, ...] | None:
        """The truths that an atom can keep in the end, if it must keep one."""
        if isinstance(atom, Fire):
            return (False,) if atom.transition in finite else None
        if ends and isinstance(atom, Fireable):
            return (False,)
        observed = observed_places(atom, self._net)
        return (True, False) if self._changing(finite).isdisjoint(observed) else None

    def _changing(self, finite: frozenset[int]) -> set[int]:
        """The places that may go on changing for ever."""
        if self._known_changing is None:
            going_on = (e for index, e in enumerate(self._effects) if index not in finite)
            self._known_changing = set().union(*going_on)
        return self._known_changing

    def _finite(self, budget: Budget) -> frozenset[int]:
        if self._known_finite is None:
            self._known_finite = finite_transitions(self._net, self._slice(budget))
        return self._known_finite

    @cached_property
    def _effects(self) -> Sequence[Effect]:
        return effects(self._net)

    def _slice(self, budget: Budget) -> float:
        seconds = PROGRAM_SECONDS + SECONDS_PER_PLACE * len(self._net.places)
        left = budget.remaining
        return seconds if left is None else min(seconds, left)
