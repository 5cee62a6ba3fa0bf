"""Reductions that no formula of a file can see, made once for all of them.

Formulas that allow the same rules share a net: what all of them together observe is kept. What only
others observe is reduced for each formula afterwards.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from mpisog.budget import Budget
from mpisog.formulas.atoms import Atom, Dead
from mpisog.nets.model import PetriNet
from mpisog.reductions.driver import apply, fitting_rules
from mpisog.reductions.reduction import Reduction
from mpisog.spotglue.ltl import BoundFormula, rebind

WORTHWHILE = 0.9
"""How small, compared with the net, one that is shared must be."""

Kind = tuple[bool, bool]
"""Whether rules for stutter-invariant formulas fit, and whether ``dead`` is observed."""


@dataclass(frozen=True)
class _Shared:
    reduction: Reduction
    atoms: Mapping[Atom, Atom | bool]
    """What atoms of the original net are there."""


class SharedReductions:
    """Of one net, for these formulas."""

    def __init__(self, net: PetriNet, bounds: Sequence[BoundFormula]) -> None:
        self._net = net
        self._bounds = bounds
        self._known: dict[Kind, _Shared | None] = {}

    def of(self, bound: BoundFormula, level: str, budget: Budget) -> Reduction | None:
        """What is shared, with this formula over it; nothing where that would be hardly less."""
        rules = fitting_rules(bound, level, budget)
        if not rules:
            return None
        kind = any(rule.stuttering for rule in rules), Dead() in bound.atoms
        if kind not in self._known:
            atoms = self._observed(bound, kind)
            together = replace(bound, atoms=atoms)
            reduction = apply(self._net, together, budget, rules)
            self._known[kind] = _shared(reduction, atoms)
        shared = self._known[kind]
        if shared is None or not shared.atoms.keys() >= set(bound.atoms):
            return None
        there = rebind(bound, [shared.atoms[atom] for atom in bound.atoms])
        return replace(shared.reduction, bound=there)

    def _observed(self, bound: BoundFormula, kind: Kind) -> tuple[Atom, ...]:
        """The atoms of all formulas that may ask for this kind, those of the given one first."""
        stuttering, dead = kind
        alike = [
            other
            for other in self._bounds
            if not stuttering or not (other.has_events or (Dead() in other.atoms and not dead))
        ]
        atoms = dict.fromkeys(atom for one in (bound, *alike) for atom in one.atoms)
        return tuple(atoms)


def _shared(reduction: Reduction, atoms: Sequence[Atom]) -> _Shared | None:
    if _size(reduction.net) > WORTHWHILE * _size(reduction.original):
        return None
    return _Shared(reduction, dict(zip(atoms, reduction.atoms, strict=True)))


def _size(net: PetriNet) -> int:
    return len(net.places) + len(net.transitions)
