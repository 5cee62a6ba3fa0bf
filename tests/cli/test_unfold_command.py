"""``mpisog unfold``: figures, files, exit codes."""

from __future__ import annotations

import json
import re
import shutil

import pytest

from mpisog.nets.generators import generate
from mpisog.nets.model import make_net
from mpisog.report.prefix_export import AUTOMATON, DRAWABLE
from tests.helpers import pump, saved, toggle, u_then_o


@pytest.fixture
def net(tmp_path):
    return saved(toggle(), tmp_path)


def test_figures(cli, net):
    outcome = cli("unfold", net)
    assert (outcome.code, outcome.err) == (0, "")
    lines = outcome.out.splitlines()
    assert lines[:3] == ["events: 2", "conditions: 3", "cutoffs: 1"]
    assert [line.split(":")[0] for line in lines[3:]] == ["bytes", "seconds"]


def test_json_is_the_occurrence_net(cli, net, tmp_path):
    target = tmp_path / "prefix.json"
    assert cli("unfold", net, "-o", target).code == 0
    prefix = json.loads(target.read_text())
    assert prefix["figures"]["events"] == 2
    assert prefix["conditions"] == [
        {"id": 1, "place": "off", "producer": None},
        {"id": 2, "place": "on", "producer": 1},
        {"id": 3, "place": "off", "producer": 2},
    ]
    plain = {"automaton": None, "cutoff": False, "companion": None}
    assert prefix["events"] == [
        {"id": 1, "transition": "up", "inputs": [1], **plain},
        {"id": 2, "transition": "down", "inputs": [2], **plain, "cutoff": True, "companion": 0},
    ]


def test_a_tableau_has_the_automaton(cli, tmp_path):
    target = tmp_path / "tableau.json"
    outcome = cli("unfold", saved(u_then_o(), tmp_path), "-f", "G !fire(o)", "-o", target)
    assert outcome.code == 0
    assert "mode: basic" in outcome.out
    assert "a cycle that violates the formula was found" in outcome.out
    prefix = json.loads(target.read_text())
    assert {condition["place"] for condition in prefix["conditions"]} >= {AUTOMATON}
    (moved,) = [event for event in prefix["events"] if event["automaton"] is not None]
    assert moved["transition"] == "o"


def test_a_source_has_a_place_of_its_own(cli, tmp_path):
    net = make_net("n", {}, {"tick": ([], [])})
    target = tmp_path / "prefix.json"
    assert cli("unfold", saved(net, tmp_path), "-o", target).code == 0
    places = {condition["place"] for condition in json.loads(target.read_text())["conditions"]}
    assert places == {"tick can fire"}


def test_ll_net(cli, tmp_path):
    target = tmp_path / "prefix.ll_net"
    assert cli("unfold", saved(generate("dp", 3), tmp_path), "-o", target).code == 0
    text = target.read_text()
    blocks = re.fullmatch(
        r"PEP\nPTNet\nFORMAT_N\nPL\n(.*)TR\n(.*)TP\n(.*)PT\n(.*)", text, re.DOTALL
    )
    assert blocks is not None
    places, transitions, made, taken = (block.splitlines() for block in blocks.groups())
    assert (len(transitions), len(places)) == (21, 48)
    assert all(re.fullmatch(r'\d+"[^"]+"0@0(M1)?', line) for line in places)
    assert sum(line.endswith("M1") for line in places) == 6
    # Every condition has one producer or is marked, every event takes a philosopher and a fork.
    assert sorted(int(line.split("<")[1]) for line in made) == list(range(7, 49))
    events = [int(line.split(">")[1]) for line in taken]
    assert all(events.count(event) == 2 for event in range(1, 22))


def test_dot(cli, net, tmp_path):
    target = tmp_path / "prefix.dot"
    assert cli("unfold", net, "-o", target).code == 0
    text = target.read_text()
    assert '  e2 [shape=box, label="down", style=dashed]\n  c2 -> e2\n' in text


@pytest.mark.skipif(shutil.which("dot") is None, reason="Graphviz is not installed")
def test_a_picture(cli, net, tmp_path):
    target = tmp_path / "prefix.svg"
    assert cli("unfold", net, "-o", target).code == 0
    assert "<svg" in target.read_text()


@pytest.mark.skipif(shutil.which("dot") is None, reason="Graphviz is not installed")
def test_a_large_prefix_is_not_drawn(cli, tmp_path):
    net = saved(generate("loops", DRAWABLE), tmp_path)
    outcome = cli("unfold", net, "-o", tmp_path / "prefix.svg")
    assert outcome.code == 3
    assert "too big for a picture" in outcome.err


def test_an_unknown_ending_is_told_before_the_work(cli, net, tmp_path):
    outcome = cli("unfold", net, "-o", tmp_path / "prefix.dott")
    assert outcome.code == 3
    assert "did you mean '.dot'" in outcome.err


def test_a_net_that_is_not_safe(cli, tmp_path):
    outcome = cli("unfold", saved(pump(), tmp_path))
    assert outcome.code == 3
    assert "place 'tank' can hold two tokens, from 'fill' alone" in outcome.err


def test_a_limit_is_unknown(cli, tmp_path):
    net = saved(generate("dpd", 14), tmp_path)
    outcome = cli("unfold", net, "--timeout", "0.2")
    assert outcome.code == 2
    assert "time limit of 0.2 s reached" in outcome.err
    assert outcome.out.startswith("events: ")  # how many depends on the machine


def test_check_says_what_is_not_safe(cli, tmp_path):
    net = saved(pump(), tmp_path)
    outcome = cli("check", net, "-f", "G F run", "--engine", "unfolding", "--reduce", "none")
    assert outcome.code == 3
    assert "not 1-safe: place 'tank'" in outcome.err
