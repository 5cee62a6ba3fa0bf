"""Where things stand in the pictures of a page: nodes, captions, lanes."""

from __future__ import annotations

import re

import pytest

from mpisog.nets.generators import generate
from mpisog.nets.model import make_net
from mpisog.nets.positions import read_positions
from mpisog.report.layout import MOST_NODES, lay_out, neighbourhood
from tests.report.pages import Page, page_of


def test_positions_of_the_file_are_used(tmp_path):
    path = tmp_path / "n.pnml"
    path.write_text(
        '<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml">'
        '<net id="n" type="x"><page id="g">'
        '<place id="p"><graphics><position x="10" y="20"/></graphics></place>'
        '<transition id="t"><graphics><position x="110" y="20"/></graphics></transition>'
        "</page></net></pnml>"
    )
    known = read_positions(path)
    assert known == {"p": (10.0, 20.0), "t": (110.0, 20.0)}
    net = make_net("n", {"p": 1}, {"t": (["p"], [])})
    place, transition = lay_out(net, [("p", 0), ("t", 0)], known)
    assert place["y"] == transition["y"]
    assert place["x"] < transition["x"]
    assert read_positions(tmp_path / "none.pnml") == {}


def captions(page):
    """What stands where in the picture of the automaton, or in that of the net."""
    return page.run(
        "return ['#automaton .edge-text', '#net .caption'].map(texts => "
        "[...document.querySelectorAll(texts)].map(text => {"
        "const r = text.getBoundingClientRect(); return [r.left, r.top, r.right, r.bottom]}))"
    )


def covered(boxes):
    """Pairs of boxes of which one covers more than a pixel or two of the other."""
    return [
        (one, other)
        for n, one in enumerate(boxes)
        for other in boxes[:n]
        if all(min(one[i + 2], other[i + 2]) - max(one[i], other[i]) > 2 for i in (0, 1))
    ]


def test_captions_can_be_read(window, tmp_path):
    """Loops stand above the automaton's states, the edge between them has a long label."""
    net = generate("philosophers", 5)
    everybody = " + ".join(f"Think_{n}" for n in range(1, 6))
    target = tmp_path / "captions.html"
    target.write_text(page_of(net, [f'G "{everybody} >= 1"']), encoding="utf-8")
    automaton, nodes = captions(Page(window, target.as_uri()))
    assert len(automaton) == 3
    assert len(nodes) == 50
    assert covered(automaton) == []
    assert covered(nodes) == []


@pytest.mark.parametrize(("family", "size"), [("philosophers", 6), ("ring", 2), ("kanban", 3)])
def test_nodes_do_not_cover_each_other(family, size):
    net = generate(family, size)
    nodes = lay_out(net, neighbourhood(net, range(len(net.transitions)), ()), {})
    assert len(nodes) == len(net.places) + len(net.transitions)
    boxes = [(n["x"] - 20, n["y"] - 15, n["x"] + 20, n["y"] + 28) for n in nodes]
    assert covered(boxes) == []


def test_lanes_of_many_processes_are_counted(window, tmp_path):
    """Those that the formula speaks of come first."""
    net = generate("philosophers", 50)
    forks = " + ".join(f"Fork_{n}" for n in range(1, 51))
    target = tmp_path / "lanes.html"
    target.write_text(page_of(net, [f'G "{forks} >= 1"']), encoding="utf-8")
    page = Page(window, target.as_uri())
    assert re.fullmatch(r", 30 of the (99|100) that move", page.text("process-count"))
    labels = page.run(
        "return [...document.querySelectorAll('#processes .lane-text title')].map("
        "x => x.textContent)"
    )
    assert len(labels) == 30
    assert all("Fork_" in label for label in labels)


def test_a_large_neighbourhood_is_not_laid_out():
    net = generate("philosophers", 30)
    assert neighbourhood(net, range(len(net.transitions)), ()) == []
    some = neighbourhood(net, [0], [5])
    assert 0 < len(some) < MOST_NODES
    assert len(lay_out(net, some, {})) == len(some)
