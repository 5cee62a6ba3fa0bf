"""``symbolic``: the product of net and automaton as one set of markings a state. Full LTL.

Forwards, what is reachable with each state of the automaton; then, in each accepting component,
what can go on for ever with every acceptance mark again and again (Emerson and Lei), and the dead
markings, whose letter repeats. Proves formulas with X on nets of any size that decision diagrams
can hold; it gives no counterexamples, so what it finds violated is left to others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from mpisog.budget import Budget
from mpisog.engines.base import Finding
from mpisog.engines.problem import Problem
from mpisog.engines.resources import Resources
from mpisog.errors import LimitReached
from mpisog.formulas.atoms import Dead, Fire, Fireable
from mpisog.sog.divergence import cycle_candidates, find_cycle
from mpisog.sog.visibility import effect
from mpisog.spotglue.automata import accepts_for_ever
from mpisog.spotglue.tables import FALSE, MAX_MARKS, TRUE, Edge, tabulate
from mpisog.symbolic.protocol import Step, all_steps

Sets = dict[int, Any]
"""A set of markings for each state of the automaton."""

Events = dict[int | None, tuple[Step, ...]]
"""The steps of each observed transition, and all the others under none."""


@dataclass(frozen=True)
class Symbolic:
    """Fixpoints over sets of markings."""

    name = "symbolic"

    def run(self, problem: Problem, resources: Resources, budget: Budget) -> Finding:
        """A proof that no reachable part of the product can accept, or ``LimitReached``."""
        if problem.automaton(budget).is_empty():
            return Finding(None, {"sets": 0}, self.name)
        product = _Product(problem, resources, budget)
        reached = product.reach()
        if product.accepts_dead(reached) or product.accepts_cycle(reached):
            raise LimitReached("it is violated, but no counterexample was found")
        sets = sum(map(bool, reached.values()))
        return Finding(None, {"sets": sets}, self.name)


class _Product:
    """The product of one net and one automaton."""

    def __init__(self, problem: Problem, resources: Resources, budget: Budget) -> None:
        self._net = problem.net
        shared, backend = resources.of(problem.net, budget), resources.config.backend
        self._reachable = shared.reachable(backend, budget)
        self._domain = shared.domain(backend, budget)
        self._atoms = problem.bound.atoms
        self._automaton = problem.automaton(budget)
        self._tables = tabulate(self._automaton)
        self._holding: dict[tuple[int, int | None], Any] = {}
        everything = tuple(all_steps(self._net))
        self._steps = self._by_event(everything)
        self._effects = [effect(transition) for transition in self._net.transitions]
        self._cycle_steps = self._by_event(cycle_candidates(everything, self._effects))
        """The steps that can be part of a cycle."""

    def reach(self) -> Sets:
        """What is reachable with each state of the automaton."""
        found, fresh = self._nothing(), self._nothing()
        fresh[self._tables.initial] = self._domain.singleton(self._net.initial)
        for component in self._tables.components:
            while any(fresh[state] for state in component):
                for state in component:
                    self._advance(state, found, fresh)
        return found

    def accepts_dead(self, reached: Sets) -> bool:
        """Whether a dead marking's letter, for ever, is accepted."""
        observed = [atom for atom in self._atoms if not isinstance(atom, Fire)]
        for state, states in reached.items():
            for label, _ in self._domain.split(self._domain.filter(states, Dead()), observed):
                truth = dict(zip(observed, label, strict=True))
                letter = [not isinstance(atom, Fire) and truth[atom] for atom in self._atoms]
                if accepts_for_ever(self._automaton, letter, [state]):
                    return True
        return False

    def accepts_cycle(self, reached: Sets) -> bool:
        """Whether an accepting component of the automaton has a cycle with every mark."""
        if not any(self._cycle_steps.values()):
            return False
        components = zip(self._tables.components, self._tables.accepting, strict=True)
        return any(
            self._has_cycle(component, {state: reached[state] for state in component})
            for component, accepting in components
            if accepting
        )

    def _advance(self, state: int, found: Sets, fresh: Sets) -> None:
        """Go on from the fresh markings of a state: round its loops, then to other states."""
        new = fresh[state] - found[state]
        fresh[state] = self._domain.empty()
        loops = [edge for edge in self._tables.edges[state] if edge.target == state]
        while new:
            found[state] = found[state] | new
            for edge in self._tables.edges[state]:
                if edge.target != state:
                    fresh[edge.target] = fresh[edge.target] | self._image(new, edge)
            new = self._around(new, loops) - found[state]

    def _around(self, states: Any, loops: Sequence[Edge]) -> Any:
        """What the loops lead to, as far as one kind of step goes."""
        after = self._domain.empty()
        for event, steps in self._steps.items():
            within = self._domain.empty()
            for loop in loops:
                within = within | self._where(loop.condition, event)
            inside = self._domain.closure(states & within, steps, within)
            after = after | self._domain.image(inside, steps)
        return after

    def _image(self, states: Any, edge: Edge) -> Any:
        after = self._domain.empty()
        for event, steps in self._steps.items():
            after = after | self._domain.image(states & self._where(edge.condition, event), steps)
        return after

    def _has_cycle(self, component: Sequence[int], left: Sets) -> bool:
        """Whether something is left when all that cannot go on with each mark is taken away."""
        edges = [(s, e) for s in component for e in self._tables.edges[s] if e.target in component]
        left = {state: left[state] & self._where_any(state, edges) for state in component}
        cyclic = self._possible(left)
        if not any(cyclic.values()):
            return False
        if len(component) == 1 and self._is_simple(edges):
            return find_cycle(self._domain, left[component[0]], cyclic[None]) is not None
        marks = [1 << i for i in range(MAX_MARKS) if self._tables.all_marks >> i & 1] or [0]
        before = None
        while left != before and any(left.values()):
            before = dict(left)
            for mark in marks:
                marked = [(s, e) for s, e in edges if e.marks & mark == mark]
                left = self._backwards(
                    self._before(left, left, marked, cyclic), left, edges, cyclic
                )
        return any(left.values())

    def _is_simple(self, edges: Sequence[tuple[int, Edge]]) -> bool:
        """Whether any cycle is accepting, and guards do not depend on what fires."""
        return len(self._steps) == 1 and all(e.marks == self._tables.all_marks for _, e in edges)

    def _where_any(self, state: int, edges: Sequence[tuple[int, Edge]]) -> Any:
        """The markings in which some of the edges can be taken from the state."""
        found = self._domain.empty()
        for source, edge in edges:
            for event in self._steps if source == state else ():
                found = found | self._where(edge.condition, event)
        return found

    def _possible(self, left: Sets) -> Events:
        """The steps that can be part of a cycle among these markings."""
        states = self._domain.empty()
        for part in left.values():
            states = states | part
        enabled = tuple(
            step
            for steps in self._cycle_steps.values()
            for step in steps
            if self._domain.filter(states, Fireable((step.transition,)))
        )
        return self._by_event(cycle_candidates(enabled, self._effects))

    def _before(
        self, targets: Sets, within: Sets, edges: Sequence[tuple[int, Edge]], cyclic: Events
    ) -> Sets:
        """From where one step of a cycle leads to the targets."""
        found = {state: self._domain.empty() for state in within}
        for state, edge in edges:
            for event, steps in cyclic.items():
                before = self._domain.preimage(targets[edge.target], steps) & within[state]
                found[state] = found[state] | (before & self._where(edge.condition, event))
        return found

    def _backwards(
        self, targets: Sets, within: Sets, edges: Sequence[tuple[int, Edge]], cyclic: Events
    ) -> Sets:
        """From where steps of cycles lead to the targets, any number of them."""
        found, fresh = dict(targets), dict(targets)
        while any(fresh.values()):
            before = self._before(fresh, within, edges, cyclic)
            fresh = {state: before[state] - found[state] for state in before}
            found = {state: found[state] | fresh[state] for state in found}
        return found

    def _where(self, condition: int, event: int | None) -> Any:
        """The reachable markings in which the condition holds when this event happens."""
        key = condition, event
        if key not in self._holding:
            self._holding[key] = self._select(self._reachable, condition, event)
        return self._holding[key]

    def _select(self, states: Any, condition: int, event: int | None) -> Any:
        if condition == TRUE or not states:
            return states
        if condition == FALSE:
            return self._domain.empty()
        number, low, high = self._tables.nodes[condition]
        atom = self._atoms[number]
        if isinstance(atom, Fire):
            return self._select(states, high if atom.transition == event else low, event)
        true = self._domain.filter(states, atom)
        return self._select(true, high, event) | self._select(states - true, low, event)

    def _by_event(self, steps: Sequence[Step]) -> Events:
        observed = {atom.transition for atom in self._atoms if isinstance(atom, Fire)}
        others = tuple(step for step in steps if step.transition not in observed)
        return {None: others, **{s.transition: (s,) for s in steps if s.transition in observed}}

    def _nothing(self) -> Sets:
        return {state: self._domain.empty() for state in range(len(self._tables.edges))}
