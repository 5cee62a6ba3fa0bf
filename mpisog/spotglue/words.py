"""Does an ultimately periodic word violate a formula? Spot's answer, for the replayer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import spot

from mpisog.limits import Watch
from mpisog.spotglue.automata import letter_condition, translate
from mpisog.spotglue.ltl import BoundFormula

Letter = frozenset[int]
"""The indices of the atoms that are true."""


def violates(
    bound: BoundFormula, prefix: Sequence[Letter], cycle: Sequence[Letter], watch: Watch
) -> bool:
    """Whether ``prefix cycle^ω`` satisfies the formula's negation."""
    word = _word_automaton(len(bound.atoms), prefix, cycle)
    negation = translate(spot.formula.Not(bound.formula), "buchi", watch)
    return bool(word.intersects(negation))


def _word_automaton(atom_count: int, prefix: Sequence[Letter], cycle: Sequence[Letter]) -> Any:
    """A chain of states that ends in a loop, every state accepting."""
    automaton = spot.make_twa_graph(spot._bdd_dict)
    automaton.set_buchi()
    letters = [*prefix, *cycle]
    automaton.new_states(len(letters))
    conditions = {
        letter: letter_condition(automaton, [i in letter for i in range(atom_count)])
        for letter in set(letters)
    }
    for position, letter in enumerate(letters):
        target = position + 1 if position + 1 < len(letters) else len(prefix)
        automaton.new_edge(position, target, conditions[letter], [0])
    automaton.set_init_state(0)
    return automaton
