"""How an automaton reads an ultimately periodic word that it accepts.

Runs may have tens of thousands of steps, with few different letters: what an automaton does with a
set of states and a letter is worked out once.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from mpisog.errors import InternalError
from mpisog.spotglue.tables import TRUE, Tables
from mpisog.spotglue.words import Letter

_Node = tuple[int, bool]
"""A state, and whether an accepting edge led there at some time."""
_Nodes = frozenset[_Node]


def accepting_run(automaton: Tables, letters: Sequence[Letter], cycle_start: int) -> list[int]:
    """The states at each instant, and after the last, of a run that accepts the word.

    It enters components that accept as soon as it can: that is where the violation begins.
    """
    reader = _Reader(automaton)
    prefix, cycle = letters[:cycle_start], letters[cycle_start:]
    before = reader.read(automaton.initial, prefix)
    rounds: dict[int, _Nodes] = {}
    todo = [state for state, _ in before[-1]]
    while todo:
        state = todo.pop()
        if state not in rounds:
            rounds[state] = reader.read(state, cycle)[-1]
            todo += [target for target, _ in rounds[state]]
    good = _accepting(rounds)
    entries = [node for node in before[-1] if node[0] in good]
    if not entries:
        raise InternalError("the automaton does not accept the counterexample")
    entry = max(entries, key=reader.rank)
    after = reader.read(entry[0], cycle)
    end = max((node for node in after[-1] if node[0] in good), key=lambda node: node[1])
    return [*reader.way(before, prefix, entry)[:-1], *reader.way(after, cycle, end)]


def _accepting(rounds: dict[int, _Nodes]) -> set[int]:
    """States from which rounds of the cycle lead into a loop of rounds with an accepting edge."""
    reached = {state: {target for target, _ in ends} for state, ends in rounds.items()}
    for between in rounds:  # Warshall
        for state in rounds:
            if between in reached[state]:
                reached[state] |= reached[between]
    loops = {
        state
        for state, ends in rounds.items()
        for target, met in ends
        if met and (target == state or state in reached[target])
    }
    return {state for state in rounds if state in loops or reached[state] & loops}


class _Reader:
    def __init__(self, automaton: Tables) -> None:
        self._automaton = automaton
        components = zip(automaton.components, automaton.accepting, strict=True)
        self._accepting = {state for part, accepts in components if accepts for state in part}
        self._moves = cache(self._moves_of)
        self._after = cache(self._nodes_after)

    def rank(self, node: _Node) -> tuple[bool, bool, int]:
        """Higher for nodes that a run should rather go through."""
        state, met = node
        return state in self._accepting, met, -state

    def read(self, start: int, word: Sequence[Letter]) -> list[_Nodes]:
        """Where the automaton may be at each instant, and after the last."""
        nodes = [_Nodes({(start, False)})]
        for letter in word:
            nodes.append(self._after(nodes[-1], letter))
        return nodes

    def way(self, nodes: Sequence[_Nodes], word: Sequence[Letter], end: _Node) -> list[int]:
        """The states of a run through these that ends so."""
        back = cache(self._node_before)
        states = [end[0]]
        for instant in range(len(word) - 1, -1, -1):
            end = back(nodes[instant], word[instant], end)
            states.append(end[0])
        return states[::-1]

    def _nodes_after(self, nodes: _Nodes, letter: Letter) -> _Nodes:
        return frozenset(after for node in nodes for after in self._moves(node, letter))

    def _node_before(self, nodes: _Nodes, letter: Letter, after: _Node) -> _Node:
        candidates = (node for node in nodes if after in self._moves(node, letter))
        return max(candidates, key=self.rank)

    def _moves_of(self, node: _Node, letter: Letter) -> _Nodes:
        state, met = node
        every = self._automaton.all_marks
        return frozenset(
            (edge.target, met or edge.marks & every == every)
            for edge in self._automaton.edges[state]
            if self._meets(edge.condition, letter)
        )

    def _meets(self, condition: int, letter: Letter) -> bool:
        while condition > TRUE:
            atom, low, high = self._automaton.nodes[condition]
            condition = high if atom in letter else low
        return condition == TRUE
