"""Does an ultimately periodic word violate a formula? Spot's answer, for the replayer."""

from __future__ import annotations

import operator
from collections.abc import Collection, Sequence
from functools import reduce
from typing import Any

import spot
from spot import buddy

from mpisog.budget import Budget
from mpisog.spotglue.automata import Automaton, letter_condition, translate
from mpisog.spotglue.ltl import BoundFormula

Letter = frozenset[int]
"""The indices of the atoms that are true."""

_LAST: dict[str, Automaton] = {}
"""By formula: a counterexample is replayed, shortened, replayed again and explained."""


def violates(
    bound: BoundFormula, prefix: Sequence[Letter], cycle: Sequence[Letter], budget: Budget
) -> bool:
    """Whether ``prefix cycle^ω`` satisfies the formula's negation."""
    word = _word_automaton(len(bound.atoms), prefix, cycle)
    return bool(word.intersects(violations(bound, budget)))


def violations(bound: BoundFormula, budget: Budget) -> Automaton:
    """A Büchi automaton of the words that violate the formula; that of the last one is kept."""
    text = str(bound.formula)
    automaton = _LAST.get(text)
    if automaton is None:
        automaton = translate(spot.formula.Not(bound.formula), "buchi", budget)
        _LAST.clear()
        _LAST[text] = automaton
    return automaton


def is_bad_prefix(
    bound: BoundFormula, prefix: Sequence[Letter], last: Collection[Letter], budget: Budget
) -> bool:
    """Whether no word that begins so, and goes on with one of the last letters, is right."""
    begun = spot.make_twa_graph(spot._bdd_dict)
    begun.set_buchi()
    begun.new_states(len(prefix) + 2)
    conditions = [_condition(begun, letter, len(bound.atoms)) for letter in prefix]
    either = reduce(
        operator.or_,
        (_condition(begun, letter, len(bound.atoms)) for letter in last),
        buddy.bddfalse,
    )
    for position, condition in enumerate([*conditions, either]):
        begun.new_edge(position, position + 1, condition, [0])
    begun.new_edge(len(prefix) + 1, len(prefix) + 1, buddy.bddtrue, [0])
    begun.set_init_state(0)
    return not begun.intersects(translate(bound.formula, "buchi", budget))


def _condition(automaton: Automaton, letter: Letter, atoms: int) -> Any:
    return letter_condition(automaton, [number in letter for number in range(atoms)])


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
    accepting = spot.mark_t([0])  # made once: a list is turned into one for every edge
    for position, letter in enumerate(letters):
        target = position + 1 if position + 1 < len(letters) else len(prefix)
        automaton.new_edge(position, target, conditions[letter], accepting)
    automaton.set_init_state(0)
    return automaton
