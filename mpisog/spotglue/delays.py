"""Whether a formula sees that a firing, or the end of a run, comes an instant later.

A delay repeats the label of the instant before a firing, or before a dead marking, without the
event and without ``dead``. Stutter-invariant formulas may still see it: ``p U fire(t)`` with ``p``
false holds when ``t`` fires at once only.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable
from functools import reduce
from itertools import combinations, product
from typing import Any

import spot
from spot import buddy

from mpisog.budget import Budget
from mpisog.formulas.atoms import Dead, Fire
from mpisog.spotglue.automata import SMALL_FORMULA, Automaton, in_child
from mpisog.spotglue.ltl import BoundFormula

MOST_ATOMS = 8
"""With more atoms the question is not asked: its automaton has a state for every label."""

_SEEN: dict[tuple[str, tuple[int, ...], tuple[int, ...]], bool] = {}
"""Answers so far."""


def may_see_delays(bound: BoundFormula, budget: Budget) -> bool:
    """Whether delays change the truth of a formula that is stutter-invariant, or perhaps do."""
    events = tuple(n for n, atom in enumerate(bound.atoms) if isinstance(atom, Fire))
    dead = tuple(n for n, atom in enumerate(bound.atoms) if isinstance(atom, Dead))
    if not events and not dead:
        return False
    if len(bound.atoms) > MOST_ATOMS:
        return True
    key = (str(bound.formula), events, dead)
    if key not in _SEEN:
        text, count = key[0], len(bound.atoms)
        if spot.length(bound.formula) <= SMALL_FORMULA:
            _SEEN[key] = _sees(text, count, events, dead)
        else:
            answer = in_child(lambda: str(int(_sees(text, count, events, dead))), budget)
            _SEEN[key] = answer == "1"
    return _SEEN[key]


def _sees(text: str, count: int, events: tuple[int, ...], dead: tuple[int, ...]) -> bool:
    """Whether some word with delays and the word without them differ in the formula's truth."""
    formula = spot.formula(text)
    letters = _Letters(count, events, dead)
    holds = spot.translate(formula, "small")
    violated = spot.translate(spot.formula.Not(formula), "small")
    return any(
        spot.product(_with_delays(one, letters), _valid_words(letters)).intersects(other)
        for one, other in ((holds, violated), (violated, holds))
    )


class _Letters:
    """Conditions over the atoms, for automata of one dictionary."""

    def __init__(self, count: int, events: tuple[int, ...], dead: tuple[int, ...]) -> None:
        self.scratch = spot.make_twa_graph(spot._bdd_dict)
        atoms = [buddy.bdd_ithvar(self.scratch.register_ap(f"a{n}")) for n in range(count)]
        marked = [atoms[n] for n in (*events, *dead)]
        self.nothing = _all(-atom for atom in marked)
        """Neither an event nor ``dead``."""
        self.at_most_one = _all(-(one & other) for one, other in combinations(marked, 2))
        self.dead = _any(atoms[n] for n in dead)
        state = [atom for n, atom in enumerate(atoms) if n not in events and n not in dead]
        self.labels = [
            _all(atom if truth else -atom for atom, truth in zip(state, truths, strict=True))
            for truths in product((False, True), repeat=len(state))
        ]

    def automaton(self, like: Automaton | None = None) -> Automaton:
        """A new automaton that knows all atoms, with the acceptance of another."""
        made = spot.make_twa_graph(spot._bdd_dict)
        made.copy_ap_of(self.scratch)
        if like is not None:
            made.copy_acceptance_of(like)
        return made


def _with_delays(automaton: Automaton, letters: _Letters) -> Automaton:
    """Before a letter with an event or ``dead`` its label may come once more, without both."""
    delayed = letters.automaton(like=automaton)
    delayed.new_states(automaton.num_states())
    delayed.set_init_state(automaton.get_init_state_number())
    for edge in automaton.edges():
        delayed.new_edge(edge.src, edge.dst, edge.cond, edge.acc)
        for label in letters.labels:
            late = edge.cond & label & -letters.nothing
            if late != buddy.bddfalse:
                between = delayed.new_state()
                delayed.new_edge(edge.src, between, label & letters.nothing)
                delayed.new_edge(between, edge.dst, late, edge.acc)
    return delayed


def _valid_words(letters: _Letters) -> Automaton:
    """At most one event at a time; after ``dead`` nothing changes."""
    words = letters.automaton()
    alive = words.new_state()
    words.set_init_state(alive)
    words.new_edge(alive, alive, letters.at_most_one & -letters.dead)
    if letters.dead != buddy.bddfalse:
        for label in letters.labels:
            ended = words.new_state()
            for source in (alive, ended):
                words.new_edge(source, ended, letters.at_most_one & letters.dead & label)
    return words


def _all(conditions: Iterable[Any]) -> Any:
    return reduce(operator.and_, conditions, buddy.bddtrue)


def _any(conditions: Iterable[Any]) -> Any:
    return reduce(operator.or_, conditions, buddy.bddfalse)
