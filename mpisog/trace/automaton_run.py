"""How an automaton reads an ultimately periodic word that it accepts."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence

from mpisog.errors import InternalError
from mpisog.spotglue.tables import TRUE, Tables
from mpisog.spotglue.words import Letter

_Node = tuple[int, int]
"""An instant and a state."""
_Step = tuple[_Node, bool]
"""Where an edge leads, and whether it is accepting."""


def accepting_run(automaton: Tables, letters: Sequence[Letter], cycle_start: int) -> list[int]:
    """The states at each instant, and after the last, of a run that accepts the word."""
    size = len(letters)

    def steps(node: _Node) -> Iterator[_Step]:
        instant, state = node
        after = instant + 1 if instant + 1 < size else cycle_start
        for edge in automaton.edges[state]:
            if _meets(automaton, edge.condition, letters[instant]):
                marked = edge.marks & automaton.all_marks == automaton.all_marks
                yield (after, edge.target), marked

    path: list[_Node] = [(0, automaton.initial)]
    good = _accepting_loops(path[0], steps)
    path += _path(path[0], steps, lambda node, _: node in good)
    while len(path) <= size:
        path += _path(path[-1], steps, lambda node, marked: marked and node in good)
    return [state for _, state in path[: size + 1]]


def _meets(automaton: Tables, condition: int, letter: Letter) -> bool:
    while condition > TRUE:
        atom, low, high = automaton.nodes[condition]
        condition = high if atom in letter else low
    return condition == TRUE


def _path(
    start: _Node,
    steps: Callable[[_Node], Iterator[_Step]],
    goal: Callable[[_Node, bool], bool],
) -> list[_Node]:
    """The nodes after the start on a shortest way whose last step is one to the goal."""
    came_from: dict[_Node, _Node] = {}
    open_nodes = deque([start])
    while open_nodes:
        node = open_nodes.popleft()
        for target, marked in steps(node):
            if goal(target, marked):
                way = [target]
                while node != start:
                    way.append(node)
                    node = came_from[node]
                return way[::-1]
            if target not in came_from and target != start:
                came_from[target] = node
                open_nodes.append(target)
    raise InternalError("the automaton does not accept the counterexample")


def _accepting_loops(start: _Node, steps: Callable[[_Node], Iterator[_Step]]) -> set[_Node]:
    """The nodes that can be reached and lie on a loop with an accepting edge."""
    edges: dict[_Node, list[_Step]] = {}
    open_nodes = [start]
    while open_nodes:
        node = open_nodes.pop()
        if node not in edges:
            edges[node] = list(steps(node))
            open_nodes += [target for target, _ in edges[node]]
    component = _components(edges)
    good = {
        component[node]
        for node, out in edges.items()
        for target, marked in out
        if marked and component[node] == component[target]
    }
    return {node for node in edges if component[node] in good}


def _components(edges: dict[_Node, list[_Step]]) -> dict[_Node, int]:
    """Strongly connected components: forwards for an order, backwards for the parts (Kosaraju)."""
    order: list[_Node] = []
    seen: set[_Node] = set()
    for root in edges:
        stack = [] if root in seen else [(root, iter(edges[root]))]
        seen.add(root)
        while stack:
            node, rest = stack[-1]
            target = next((t for t, _ in rest if t not in seen), None)
            if target is None:
                order.append(node)
                stack.pop()
            else:
                seen.add(target)
                stack.append((target, iter(edges[target])))
    before: dict[_Node, list[_Node]] = {node: [] for node in edges}
    for node, out in edges.items():
        for target, _ in out:
            before[target].append(node)
    component: dict[_Node, int] = {}
    for root in reversed(order):
        number, todo = len(component), [root]
        while todo:
            node = todo.pop()
            if node not in component:
                component[node] = number
                todo += before[node]
    return component
