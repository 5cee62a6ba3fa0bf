"""Automata as plain tables, for those who walk through them without Spot."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

import spot
from spot import buddy

from mpisog import _native
from mpisog.errors import InternalError
from mpisog.spotglue.automata import Automaton

MAX_MARKS = 32
"""Acceptance sets that native code can tell apart."""


Node = tuple[int, int, int]
"""Of a condition: an atom's number, and the nodes to go to where it is false and where true."""

FALSE, TRUE = 0, 1
"""The nodes of conditions that never and always hold."""


@dataclass(frozen=True)
class Edge:
    """An edge of an automaton; ``condition`` is a node, ``marks`` has a bit an acceptance set."""

    target: int
    condition: int
    marks: int


@dataclass(frozen=True)
class Tables:
    """A generalised Büchi automaton over ``a0, a1, ...``."""

    nodes: Sequence[Node]
    edges: Sequence[Sequence[Edge]]
    """By state; those nearest to acceptance come first, of these those that most letters accept."""
    goals: Sequence[int]
    """By state, the condition of the edges that lead on to acceptance."""
    initial: int
    all_marks: int
    components: Sequence[Sequence[int]]
    """Strongly connected sets of states, none before one that leads to it."""
    accepting: Sequence[bool]
    """Which of these have an accepting cycle."""


def native_automaton(tables: Tables) -> _native.ProductAutomaton:
    """The tables for native code."""
    edges = [[(e.target, e.condition, e.marks) for e in out] for out in tables.edges]
    return _native.ProductAutomaton(
        tables.nodes, edges, tables.goals, tables.initial, tables.all_marks
    )


def tabulate(automaton: Automaton) -> Tables:
    """The tables of Spot's automaton."""
    acceptance = automaton.acc()
    if not acceptance.is_generalized_buchi() or acceptance.num_sets() > MAX_MARKS:
        raise InternalError(f"not a small generalised Büchi automaton: {acceptance}")
    diagrams = _Diagrams(automaton)
    distance = _distances(automaton)
    info = spot.scc_info(automaton)
    ease = _ease(automaton, diagrams)
    edges = [
        [
            Edge(edge.dst, diagrams.number(edge.cond), _bits(edge.acc))
            for edge in sorted(
                automaton.out(state), key=lambda edge: (distance[edge.dst], -ease[edge.dst])
            )
        ]
        for state in range(automaton.num_states())
    ]
    goals = [diagrams.number(goal) for goal in _goals(automaton, distance)]
    order = range(info.scc_count() - 1, -1, -1)  # Spot numbers from the leaves
    return Tables(
        nodes=diagrams.nodes,
        edges=edges,
        goals=goals,
        initial=automaton.get_init_state_number(),
        all_marks=_bits(acceptance.all_sets()),
        components=[tuple(info.states_of(number)) for number in order],
        accepting=[info.is_accepting_scc(number) for number in order],
    )


def condition_text(tables: Tables, condition: int, names: Sequence[str]) -> str:
    """The condition of an edge as a formula over atoms that are called so: a sum of cubes."""
    cubes = list(_paths(tables, condition))
    texts = [
        " & ".join(("" if truth else "!") + names[atom] for atom, truth in cube) for cube in cubes
    ]
    return " | ".join(text or "true" for text in texts) or "false"


def _paths(tables: Tables, condition: int) -> Iterator[list[tuple[int, bool]]]:
    if condition == TRUE:
        yield []
    elif condition != FALSE:
        atom, low, high = tables.nodes[condition]
        for child, truth in ((high, True), (low, False)):
            for rest in _paths(tables, child):
                yield [(atom, truth), *rest]


def tabulate_conditions(formulas: Sequence[Any]) -> tuple[Sequence[Node], list[int]]:
    """Boolean formulas over ``a0, a1, ...`` as nodes, and the node of each."""
    owner = spot.make_twa_graph(spot._bdd_dict)
    for formula in formulas:
        for ap in spot.atomic_prop_collect(formula) or ():
            owner.register_ap(ap)
    conditions = [spot.formula_to_bdd(formula, spot._bdd_dict, owner) for formula in formulas]
    diagrams = _Diagrams(owner)
    roots = [diagrams.number(condition) for condition in conditions]
    return diagrams.nodes, roots


class _Diagrams:
    """Spot's conditions as numbered nodes (atom, low, high)."""

    def __init__(self, automaton: Automaton) -> None:
        self._atom_of = {
            automaton.register_ap(ap): int(ap.ap_name().removeprefix("a")) for ap in automaton.ap()
        }
        self.nodes = [(0, FALSE, FALSE), (0, TRUE, TRUE)]
        self.chances = [0.0, 1.0]
        """By node, the share of letters that it holds for."""
        self._numbers: dict[int, int] = {}

    def number(self, condition: Any) -> int:
        if condition == buddy.bddfalse:
            return FALSE
        if condition == buddy.bddtrue:
            return TRUE
        if condition.id() not in self._numbers:
            low = self.number(buddy.bdd_low(condition))
            high = self.number(buddy.bdd_high(condition))
            self.nodes.append((self._atom_of[buddy.bdd_var(condition)], low, high))
            self.chances.append((self.chances[low] + self.chances[high]) / 2)
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


def _ease(automaton: Automaton, diagrams: _Diagrams) -> list[float]:
    """By state, the share of letters with which it accepts if they come for ever."""
    every = _bits(automaton.acc().all_sets())
    return [
        sum(
            diagrams.chances[diagrams.number(edge.cond)]
            for edge in automaton.out(state)
            if edge.dst == state and _bits(edge.acc) == every
        )
        for state in range(automaton.num_states())
    ]


def _goals(automaton: Automaton, distance: Sequence[int]) -> list[Any]:
    """What to wait for in each state: the edges that lead nearer, or have marks where it is near.

    Where nothing need be waited for, what comes after that counts already.
    """
    goals: list[Any] = [buddy.bddfalse] * automaton.num_states()
    for state in sorted(range(automaton.num_states()), key=distance.__getitem__):
        nearer = [e for e in automaton.out(state) if distance[e.dst] < distance[state]]
        near = [e for e in automaton.out(state) if distance[e.dst] == distance[state] == 0]
        marked = [e for e in near if _bits(e.acc) or not automaton.num_sets()]
        goals[state] = _either(edge.cond for edge in (*nearer, *marked))
        if goals[state] == buddy.bddtrue and nearer:
            goals[state] = _either(goals[edge.dst] for edge in nearer)
    return goals


def _either(conditions: Iterable[Any]) -> Any:
    return reduce(operator.or_, conditions, buddy.bddfalse)


def _predecessors(automaton: Automaton) -> list[set[int]]:
    before: list[set[int]] = [set() for _ in range(automaton.num_states())]
    for edge in automaton.edges():
        before[edge.dst].add(edge.src)
    return before
