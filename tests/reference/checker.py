"""A tiny LTL checker for P/T nets: slow, separate from mpisog, and meant to be obviously right.

A state is a marking together with the transition that fires next (none in a dead marking), so a
path of states is exactly a word of letters. The formula's negation is decided with the tableau of
Clarke, Grumberg and Hamaguchi: a promise is a truth value for each "next" formula; a state with
promises is followed by a state with promises that make them true; an until that is promised must
be fulfilled again and again. The formula is violated when such a path exists from a first state.
"""

from __future__ import annotations

import operator
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tests.reference.ltl import Atom, Formula, Letter, atoms, core, negation, satisfies, subformulas

Marking = tuple
State = tuple  # (marking, name of the transition that fires, or None)

_COMPARE = {
    "<=": operator.le,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    ">": operator.gt,
}


class TooLarge(Exception):
    """More markings than the caller wants to look at."""


@dataclass(frozen=True)
class Net:
    """Initial tokens by place; for each transition what it takes and what it gives, by place."""

    initial: Mapping[str, int]
    transitions: Mapping[str, tuple[Mapping[str, int], Mapping[str, int]]]

    def enabled(self, marking: Mapping[str, int]) -> list[str]:
        return [
            name
            for name, (takes, _) in self.transitions.items()
            if all(marking[place] >= count for place, count in takes.items())
        ]

    def fire(self, name: str, marking: Mapping[str, int]) -> dict[str, int]:
        takes, gives = self.transitions[name]
        return {p: n - takes.get(p, 0) + gives.get(p, 0) for p, n in marking.items()}

    def freeze(self, marking: Mapping[str, int]) -> Marking:
        return tuple(marking[place] for place in self.initial)

    def thaw(self, marking: Marking) -> dict[str, int]:
        return dict(zip(self.initial, marking, strict=True))

    def markings(self, most: int) -> list[Marking]:
        """All reachable markings; ``TooLarge`` beyond ``most`` of them."""
        found = self.nearest_markings(most + 1)
        if len(found) > most:
            raise TooLarge
        return found

    def nearest_markings(self, most: int) -> list[Marking]:
        """The reachable markings, or the first ``most`` of them, breadth first."""
        found = {self.freeze(self.initial): None}
        todo = deque(found)
        while todo and len(found) < most:
            marking = self.thaw(todo.popleft())
            for name in self.enabled(marking):
                after = self.freeze(self.fire(name, marking))
                if after not in found:
                    found[after] = None
                    todo.append(after)
        return list(found)[:most]


def true_atom(atom: Atom, net: Net, marking: Mapping[str, int], fired: str | None) -> bool:
    """Whether an atom holds at an instant."""
    kind = atom[0]
    if kind == "cmp":
        _, terms, compare, constant = atom
        return _COMPARE[compare](sum(factor * marking[p] for factor, p in terms), constant)
    if kind == "fireable":
        return any(name in net.enabled(marking) for name in atom[1])
    if kind == "dead":
        return net.enabled(marking) == []
    return fired == atom[1]


def letter(wanted: set[Atom], net: Net, marking: Mapping[str, int], fired: str | None) -> Letter:
    """The atoms that hold at an instant."""
    return frozenset(atom for atom in wanted if true_atom(atom, net, marking, fired))


def holds(net: Net, formula: Formula, most: int = 1000) -> bool:
    """Whether every run of the net satisfies the formula."""
    return not _Product(net, core(negation(formula)), net.markings(most)).has_fair_path()


def violated_nearby(net: Net, formula: Formula, most: int) -> bool:
    """Whether a run violates the formula that stays among the first ``most`` markings.

    For nets with too many markings: if so the formula is false, if not nothing is known.
    """
    markings = net.nearest_markings(most)
    return _Product(net, core(negation(formula)), markings).has_fair_path()


def is_counterexample(
    net: Net, formula: Formula, prefix: Sequence[str], cycle: Sequence[str]
) -> bool:
    """Whether the firing sequence is a maximal run of the net that violates the formula."""
    marking, word = dict(net.initial), []
    visited = []
    for name in (*prefix, *cycle):
        if name not in net.enabled(marking):
            return False
        visited.append(marking)
        word.append(letter(atoms(formula), net, marking, name))
        marking = net.fire(name, marking)
    if cycle:
        closed = marking == visited[len(prefix)]
        return closed and not satisfies(word[: len(prefix)], word[len(prefix) :], formula)
    last = letter(atoms(formula), net, marking, None)
    return net.enabled(marking) == [] and not satisfies(word, [last], formula)


class _Product:
    """Nodes are pairs: a state's number, and the promises made there as a set of bits.

    Steps to other markings than those given are left out, and runs that need them.
    """

    def __init__(self, net: Net, formula: Formula, markings: Sequence[Marking]) -> None:
        self._net = net
        self._formula = formula
        parts = list(dict.fromkeys(subformulas(formula)))
        self._untils = [part for part in parts if part[0] == "U"]
        # What may be promised to be true at the next instant.
        nexts = [part[1] for part in parts if part[0] == "X"]
        self._promises = {p: 1 << i for i, p in enumerate(dict.fromkeys(self._untils + nexts))}
        self._sets = range(2 ** len(self._promises))
        self._states = [s for m in markings for s in self._choices(m)]
        self._facts = self._all_facts()
        self._before = self._all_before()

    def has_fair_path(self) -> bool:
        """Whether some fair path begins in a first state and satisfies the formula."""
        fair = self._fair_nodes()
        first = self._choices(self._net.freeze(self._net.initial))
        return any(
            (number, promised) in fair and self._true(self._formula, self._letter(state), promised)
            for number, state in enumerate(self._states)
            if state in first
            for promised in self._sets
        )

    def _choices(self, marking: Marking) -> list[State]:
        enabled = self._net.enabled(self._net.thaw(marking))
        return [(marking, name) for name in enabled] or [(marking, None)]

    def _next(self, state: State) -> list[State]:
        marking, fired = state
        if fired is None:
            return [state]
        after = self._net.fire(fired, self._net.thaw(marking))
        return self._choices(self._net.freeze(after))

    def _all_before(self) -> list[list[int]]:
        """The states that may come before each state."""
        numbers = {state: number for number, state in enumerate(self._states)}
        before: list[list[int]] = [[] for _ in self._states]
        for number, state in enumerate(self._states):
            for after in self._next(state):
                if after in numbers:
                    before[numbers[after]].append(number)
        return before

    def _letter(self, state: State) -> Letter:
        return letter(atoms(self._formula), self._net, self._net.thaw(state[0]), state[1])

    def _all_facts(self) -> list[list[tuple[int, list[bool]]]]:
        """For each state and set of promises, what is true there.

        First the promises made before that come true here, then for each until whether nothing is
        owed, because it is false or fulfilled here.
        """
        by_letter: dict[Letter, list[tuple[int, list[bool]]]] = {}
        for at in {self._letter(state) for state in self._states}:
            by_letter[at] = [self._facts_at(at, promised) for promised in self._sets]
        return [by_letter[self._letter(state)] for state in self._states]

    def _facts_at(self, at: Letter, promised: int) -> tuple[int, list[bool]]:
        kept = sum(bit for p, bit in self._promises.items() if self._true(p, at, promised))
        fulfilled = [
            not self._true(until, at, promised) or self._true(until[2], at, promised)
            for until in self._untils
        ]
        return kept, fulfilled or [True]

    def _true(self, formula: Formula, at: Letter, promised: int) -> bool:
        head, *parts = formula
        if head == "ap":
            return parts[0] in at
        if head == "true":
            return True
        if head == "not":
            return not self._true(parts[0], at, promised)
        if head == "and":
            return all(self._true(part, at, promised) for part in parts)
        if head == "X":
            return promised & self._promises[parts[0]] != 0
        left, right = parts
        return self._true(right, at, promised) or (
            self._true(left, at, promised) and promised & self._promises[formula] != 0
        )

    def _fair_nodes(self) -> set[tuple[int, int]]:
        """The nodes where fair paths begin.

        That is the largest set in which every node has, for each until, a path of a step or more
        inside the set to a node where nothing is owed.
        """
        alive = {(state, promised) for state in range(len(self._states)) for promised in self._sets}
        size = -1
        while size != len(alive):
            size = len(alive)
            for until in range(max(1, len(self._untils))):
                alive = self._can_fulfil(alive, until)
        return alive

    def _can_fulfil(self, alive: set[tuple[int, int]], until: int) -> set[tuple[int, int]]:
        todo = [(s, promised) for s, promised in alive if self._facts[s][promised][1][until]]
        reached: set[tuple[int, int]] = set()
        while todo:
            state, promised = todo.pop()
            # What is true here is exactly what the state before must have promised.
            kept, _ = self._facts[state][promised]
            for before in self._before[state]:
                node = before, kept
                if node in alive and node not in reached:
                    reached.add(node)
                    todo.append(node)
        return reached
