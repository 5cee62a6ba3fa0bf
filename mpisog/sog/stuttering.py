"""Where a formula can tell whether a run stays in an aggregate for ever."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

from mpisog.formulas.atoms import Atom, Fire, StateAtom
from mpisog.sog.observation import Label
from mpisog.spotglue.automata import accepts_for_ever, from_hoa


def letter(label: Label, state_atoms: Sequence[StateAtom], atoms: Sequence[Atom]) -> list[bool]:
    """What an instant without an event looks like to a formula with these atoms."""
    truth = dict(zip(state_atoms, label, strict=True))
    return [not isinstance(atom, Fire) and truth[atom] for atom in atoms]


def needs_stuttering(
    hoa: str, atoms: Sequence[Atom], state_atoms: Sequence[StateAtom]
) -> Callable[[Label], bool]:
    """For a label: whether the automaton of counterexamples accepts it for ever somewhere.

    The automaton comes as text: one that Spot searches with has been changed for that purpose.
    """
    automaton = from_hoa(hoa)
    return cache(lambda label: accepts_for_ever(automaton, letter(label, state_atoms, atoms)))
