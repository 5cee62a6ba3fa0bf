"""A whole observation graph for people and other tools: dot, SVG, HOA, JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mpisog.budget import Budget
from mpisog.errors import UsageError
from mpisog.formulas.atoms import Atom, describe
from mpisog.report.graphviz import drawn, quoted
from mpisog.sog.expansion import WAITING
from mpisog.sog.kripke import ROOT, SogKripke, State
from mpisog.sog.whole import Edge, WholeGraph

DRAWABLE = 200
"""Aggregates of the largest graph that is still drawn."""


def to_dot(whole: WholeGraph[Any]) -> str:
    """Graphviz text; an observed step that must wait for at least an instant is dashed."""
    lines = ["digraph sog {", '  node [shape=box, fontname="sans-serif"]', "  start [shape=point]"]
    lines.append("  start -> 0")
    lines += [f"  {i} [label={quoted(_text(whole, i))}]" for i in range(len(whole.aggregates))]
    lines += [f"  {edge.source} -> {edge.target}{_style(whole, edge)}" for edge in whole.edges]
    return "\n".join([*lines, "}", ""])


def to_svg(whole: WholeGraph[Any]) -> str:
    """A picture, drawn by Graphviz; a ``UsageError`` when that is not there or the graph is big."""
    count = len(whole.aggregates)
    if count > DRAWABLE:
        raise UsageError(
            f"a graph of {count} aggregates is too big for a picture",
            hint=f"at most {DRAWABLE}; --dot writes graphs of any size",
        )
    return drawn(to_dot(whole), "graph")


def to_hoa(whole: WholeGraph[Any]) -> str:
    """The Kripke structure as an automaton with labels on states that accepts its every run.

    Where a run may begin with an observed step there are several initial states.
    """
    kripke = SogKripke(whole.graph, whole.graph.observation.atoms)
    states, successors, starts = _kripke_states(kripke, whole.graph.domain.budget)
    observation = whole.graph.observation
    names = [describe(atom, observation.net) for atom in observation.atoms]
    lines = ["HOA: v1", 'name: "symbolic observation graph"', f"States: {len(states)}"]
    lines += [f"Start: {number}" for number in starts]
    lines.append(" ".join([f"AP: {len(names)}", *map(quoted, names)]))
    lines += ["acc-name: all", "Acceptance: 0 t", "properties: state-labels explicit-labels"]
    lines.append("--BODY--")
    for number, state in enumerate(states):
        lines.append(f"State: [{_condition(state)}] {number}")
        lines.append(" ".join(map(str, successors[number])))
    return "\n".join([*lines, "--END--", ""])


def graph_data(whole: WholeGraph[Any]) -> dict[str, object]:
    """Aggregates and edges for the JSON report."""
    observation = whole.graph.observation
    net = observation.net
    names = [describe(atom, net) for atom in observation.state_atoms]
    return {
        "aggregates": [
            {
                "label": dict(zip(names, aggregate.label, strict=True)),
                "markings": size.markings,
                "nodes": size.nodes,
                "dead": aggregate.stuttering is not None and aggregate.stuttering.dead,
                "divergent": aggregate.stuttering is not None and aggregate.stuttering.divergent,
            }
            for aggregate, size in zip(whole.aggregates, whole.sizes, strict=True)
        ],
        "edges": [
            {
                "source": edge.source,
                "target": edge.target,
                "transition": _transition(whole, edge),
                "waited": edge.waited,
            }
            for edge in whole.edges
        ],
    }


def figures(whole: WholeGraph[Any]) -> dict[str, int | None]:
    """What is counted, by name."""
    markings = [size.markings for size in whole.sizes]
    nodes = [size.nodes for size in whole.sizes]
    return {
        "aggregates": len(whole.aggregates),
        "edges": len(whole.edges),
        "dead": whole.dead,
        "divergent": whole.divergent,
        "smallest_markings": min(markings),
        "largest_markings": max(markings),
        "smallest_nodes": min(nodes),
        "largest_nodes": max(nodes),
        "peak_nodes": whole.peak_nodes,
    }


def _kripke_states(
    kripke: SogKripke, budget: Budget
) -> tuple[list[State], list[list[int]], list[int]]:
    """The states by number, the successors of each, the initial ones."""
    initial = kripke.successors(ROOT, WAITING)
    successors: dict[State, list[State]] = {}
    waiting = list(initial)
    for state in waiting:  # grows while it is gone through
        if state not in successors:
            budget.check()
            successors[state] = kripke.successors(state[0], state[1])
            waiting += successors[state]
    _drop_dead_ends(successors)
    numbers = {state: number for number, state in enumerate(successors)}
    targets = [[numbers[target] for target in found] for found in successors.values()]
    return list(numbers), targets, [numbers[state] for state in initial if state in numbers]


def _drop_dead_ends(successors: dict[State, list[State]]) -> None:
    """Leave out the states from which no run goes on: an aggregate may have nothing to wait for.

    They mean nothing, but Spot 2.13 loses initial states when the last of them is such a one.
    """
    while ends := {state for state, found in successors.items() if not found}:
        for end in ends:
            del successors[end]
        for state, found in successors.items():
            successors[state] = [target for target in found if target not in ends]


def _condition(state: State) -> str:
    _, _, *letter = state
    return "&".join(f"{'' if truth else '!'}{i}" for i, truth in enumerate(letter)) or "t"


def _text(whole: WholeGraph[Any], number: int) -> str:
    """What a node of a drawing says: number, what holds, size, how a run may stay."""
    aggregate, size = whole.aggregates[number], whole.sizes[number]
    lines = [f"{number}", *_holding(whole, number)]
    lines.append(f"{size.markings} marking{'' if size.markings == 1 else 's'}")
    if aggregate.stuttering is not None:
        if aggregate.stuttering.dead:
            lines.append("dead")
        if aggregate.stuttering.divergent:
            lines.append("divergent")
    return "\n".join(lines)


def _holding(whole: WholeGraph[Any], number: int) -> Iterator[str]:
    observation = whole.graph.observation
    atoms: tuple[Atom, ...] = observation.state_atoms
    for atom, truth in zip(atoms, whole.aggregates[number].label, strict=True):
        yield ("" if truth else "not ") + describe(atom, observation.net)


def _style(whole: WholeGraph[Any], edge: Edge) -> str:
    transition = _transition(whole, edge)
    if transition is None:
        return ""
    return f" [label={quoted(transition)}{', style=dashed' if edge.waited else ''}]"


def _transition(whole: WholeGraph[Any], edge: Edge) -> str | None:
    if edge.transition is None:
        return None
    return whole.graph.observation.net.transitions[edge.transition].id
