"""Which atoms never change their truth, and which combinations of them never occur."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from mpisog.formulas.atoms import Atom
from mpisog.limits import Watch
from mpisog.nets.model import PetriNet
from mpisog.settling.state_equation import StateEquation
from mpisog.settling.systems import Literal, systems

PROGRAM_SECONDS = 0.2
"""For one linear program."""


class Settler:
    """Answers for one net; they are kept for its other formulas."""

    def __init__(self, net: PetriNet) -> None:
        self._net = net
        self._equation = StateEquation(net)

    def truths(self, atoms: Iterable[Atom], watch: Watch) -> dict[Atom, bool]:
        """The atoms that are certain to be true, or false, in every reachable marking."""
        found: dict[Atom, bool] = {}
        for atom in atoms:
            for truth in (True, False):
                if self.never([(atom, not truth)], watch):
                    found[atom] = truth
                    break
        return found

    def never(self, literals: Sequence[Literal], watch: Watch) -> bool:
        """Whether it is certain that the literals do not hold together in a reachable marking."""
        return all(
            self._equation.excludes(system, _slice(watch))
            for system in systems(literals, self._net)
        )


def _slice(watch: Watch) -> float:
    left = watch.remaining
    return PROGRAM_SECONDS if left is None else min(PROGRAM_SECONDS, left)
