"""Positions of the nodes of a net, or of a part of it, for a picture."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice, takewhile

from mpisog.nets.model import PetriNet
from mpisog.nets.positions import Position

MOST_NODES = 160
"""More than that is no picture; then only the steps around are drawn."""
SPACING = 75.0
SCALE = 1.2 * SPACING
"""Of an edge: neighbours that have many others come nearer."""
ROOM = (58.0, 48.0)
"""Width and height of a node with its caption."""
SLACK = 1.0
MOST_PUSHES = 200

Node = tuple[str, int]
"""``p`` or ``t``, and the index."""


def neighbourhood(net: PetriNet, transitions: Iterable[int], places: Iterable[int]) -> list[Node]:
    """The whole net when it is small, else these places, and the transitions with theirs."""
    if len(net.places) + len(net.transitions) <= MOST_NODES // 2:
        return [
            *(("p", place) for place in range(len(net.places))),
            *(("t", transition) for transition in range(len(net.transitions))),
        ]
    chosen = sorted(set(transitions))
    around = {p for t in chosen for p, _ in (*net.transitions[t].pre, *net.transitions[t].post)}
    nodes = [*(("p", p) for p in sorted(around | set(places))), *(("t", t) for t in chosen)]
    return nodes if len(nodes) <= MOST_NODES else []


def lay_out(
    net: PetriNet, nodes: Sequence[Node], known: Mapping[str, Position]
) -> list[dict[str, object]]:
    """The nodes with their positions: those of the file, where it has all, else made here."""
    ids = [(net.places if kind == "p" else net.transitions)[index].id for kind, index in nodes]
    if nodes and all(id in known for id in ids):
        places = _spread([known[id] for id in ids])
    else:
        places = _springs(net, nodes)
    return [
        {"kind": kind, "index": index, "x": round(x, 1), "y": round(y, 1)}
        for (kind, index), (x, y) in zip(nodes, places, strict=True)
    ]


def _springs(net: PetriNet, nodes: Sequence[Node]) -> list[Position]:
    number = {node: n for n, node in enumerate(nodes)}
    edges = []
    for kind, index in nodes:
        if kind == "t":
            here = number[kind, index]
            transition = net.transitions[index]
            edges += [(number["p", p], here) for p, _ in transition.pre if ("p", p) in number]
            edges += [(here, number["p", p]) for p, _ in transition.post if ("p", p) in number]
    return springs(len(nodes), edges)


def springs(count: int, edges: Sequence[tuple[int, int]]) -> list[Position]:
    """Nodes pushed apart, their edges of about the same length; wider than high."""
    from igraph import Graph

    if not count:
        return []
    graph = Graph(n=count, edges=edges)
    places = list(graph.layout_kamada_kawai(seed=_circle(count)))
    wide, high = (max(xs) - min(xs) for xs in zip(*places, strict=True))
    turned = [(y, x) if high > wide else (x, y) for x, y in places]
    return _apart([(SCALE * x, SCALE * y) for x, y in turned])


def _apart(positions: Sequence[Position]) -> list[Position]:
    """Nodes that cover each other or each other's captions are pushed apart."""
    at = [list(position) for position in positions]
    for _ in range(MOST_PUSHES):
        order = sorted(range(len(at)), key=lambda node: at[node])
        if not sum(_push(at[i], at[j]) for n, i in enumerate(order) for j in _near(at, order, n)):
            break
    return [(round(x, 1), round(y, 1)) for x, y in at]


def _near(at: Sequence[Sequence[float]], order: Sequence[int], n: int) -> list[int]:
    """Those to the right of the ``n``-th that may cover it."""
    end = at[order[n]][0] + ROOM[0]
    return list(takewhile(lambda other: at[other][0] < end, islice(order, n + 1, None)))


def _push(one: list[float], other: list[float]) -> bool:
    """Along the axis where less is missing, both half of the way."""
    missing = [room - abs(b - a) for a, b, room in zip(one, other, ROOM, strict=True)]
    if min(missing) <= SLACK:
        return False
    axis = missing.index(min(missing))
    push = math.copysign(missing[axis] / 2, other[axis] - one[axis])
    one[axis] -= push
    other[axis] += push
    return True


def _circle(count: int) -> list[Position]:
    """Where springs start: always the same, so that the picture is."""
    turn = 2 * math.pi / max(1, count)
    return [(math.cos(turn * n) * count / 6, math.sin(turn * n) * count / 6) for n in range(count)]


def _spread(positions: Sequence[Position]) -> list[Position]:
    """Scaled so that neighbours are as far apart as ours are."""
    gaps = sorted(
        min((abs(x - u) + abs(y - v) for u, v in positions if (u, v) != (x, y)), default=SPACING)
        for x, y in positions
    )
    scale = SPACING / max(gaps[len(gaps) // 4], 1e-9)
    return [(scale * x, scale * y) for x, y in positions]
