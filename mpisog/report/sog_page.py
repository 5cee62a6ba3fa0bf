"""A whole observation graph as a page."""

from __future__ import annotations

from typing import Any

from mpisog.formulas.atoms import describe
from mpisog.report.layout import springs
from mpisog.report.page import filled_page
from mpisog.report.sog_export import figures, graph_data
from mpisog.sog.whole import WholeGraph

MOST_AGGREGATES = 300
"""More are no picture; they are listed."""
MOST_EDGES = 20_000


def sog_page(whole: WholeGraph[Any], seconds: float) -> str:
    """The graph drawn, its aggregates to look into and its edges in a table."""
    observation = whole.graph.observation
    graph, found = graph_data(whole), figures(whole)
    edges = [(edge.source, edge.target) for edge in whole.edges]
    drawn = len(whole.aggregates) <= MOST_AGGREGATES
    title = f"mpisog sog: {observation.net.name}"
    listed = graph["edges"]
    assert isinstance(listed, list)
    data = {
        "title": title,
        "atoms": [describe(atom, observation.net) for atom in observation.atoms],
        "remark": f"{found['aggregates']} aggregates, {found['edges']} edges, {seconds:.3f} s",
        "layout": springs(len(whole.aggregates), edges) if drawn else [],
        **graph,
        "edges": listed[:MOST_EDGES],
    }
    return filled_page(title, "sog.html", data, ["sog.js"])
