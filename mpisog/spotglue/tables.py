"""Automata as tables for native code."""

from __future__ import annotations

from typing import Any

import spot
from spot import buddy

from mpisog import _native
from mpisog.errors import InternalError
from mpisog.spotglue.automata import Automaton

MAX_MARKS = 32
"""Acceptance sets that native code can tell apart."""

_FALSE, _TRUE = 0, 1


def product_automaton(automaton: Automaton) -> _native.ProductAutomaton:
    """A generalised Büchi automaton over ``a0, a1, ...``; edges nearest to acceptance come first."""
    acceptance = automaton.acc()
    if not acceptance.is_generalized_buchi() or acceptance.num_sets() > MAX_MARKS:
        raise InternalError(f"not a small generalised Büchi automaton: {acceptance}")
    diagrams = _Diagrams(automaton)
    distance = _distances(automaton)
    edges = [
        [
            (edge.dst, diagrams.number(edge.cond), _bits(edge.acc))
            for edge in sorted(automaton.out(state), key=lambda edge: distance[edge.dst])
        ]
        for state in range(automaton.num_states())
    ]
    return _native.ProductAutomaton(
        diagrams.nodes, edges, automaton.get_init_state_number(), _bits(acceptance.all_sets())
    )


class _Diagrams:
    """Spot's conditions as numbered nodes (atom, low, high)."""

    def __init__(self, automaton: Automaton) -> None:
        self._atom_of = {
            automaton.register_ap(ap): int(ap.ap_name().removeprefix("a")) for ap in automaton.ap()
        }
        self.nodes = [(0, _FALSE, _FALSE), (0, _TRUE, _TRUE)]
        self._numbers: dict[int, int] = {}

    def number(self, condition: Any) -> int:
        if condition == buddy.bddfalse:
            return _FALSE
        if condition == buddy.bddtrue:
            return _TRUE
        if condition.id() not in self._numbers:
            low = self.number(buddy.bdd_low(condition))
            high = self.number(buddy.bdd_high(condition))
            self.nodes.append((self._atom_of[buddy.bdd_var(condition)], low, high))
            self._numbers[condition.id()] = len(self.nodes) - 1
        return self._numbers[condition.id()]


def _bits(marks: Any) -> int:
    return sum(1 << number for number in marks.sets())


def _distances(automaton: Automaton) -> list[int]:
    """Edges from each state to the nearest accepting component."""
    components = spot.scc_info(automaton)
    distance = [automaton.num_states()] * automaton.num_states()
    frontier = [
        state
        for state in range(automaton.num_states())
        if components.is_accepting_scc(components.scc_of(state))
    ]
    before = _predecessors(automaton)
    for state in frontier:
        distance[state] = 0
    while frontier:
        reached = {s for state in frontier for s in before[state]}
        nearest = distance[frontier[0]] + 1
        frontier = [state for state in reached if distance[state] > nearest]
        for state in frontier:
            distance[state] = nearest
    return distance


def _predecessors(automaton: Automaton) -> list[set[int]]:
    before: list[set[int]] = [set() for _ in range(automaton.num_states())]
    for edge in automaton.edges():
        before[edge.dst].add(edge.src)
    return before
