"""``mpisog sog``: figures, exports that other tools can read, exit codes."""

from __future__ import annotations

import json
import shutil
import stat
from random import Random

import pytest
import spot
from lxml import etree

from mpisog.budget import Budget
from mpisog.config import RunConfig
from mpisog.engines.resources import NetResources, observe
from mpisog.engines.sog import Sog, unfit
from mpisog.formulas.atoms import describe
from mpisog.formulas.properties import Property
from mpisog.nets.generators import generate
from mpisog.report.sog_export import DRAWABLE, to_hoa
from mpisog.sog.graph import ObservationGraph
from mpisog.sog.whole import explore_whole
from mpisog.spotglue.ltl import bind
from tests.engines.running import run_engine
from tests.helpers import pump, saved, to_mpisog, u_then_o
from tests.reference import ltl
from tests.reference.generate import random_formula, random_net


@pytest.fixture
def net(tmp_path):
    return saved(u_then_o(), tmp_path)


def test_figures(cli, net):
    outcome = cli("sog", net, "-f", "fire(o)", "--backend", "mdd")
    assert (outcome.code, outcome.err) == (0, "")
    lines = outcome.out.splitlines()
    assert lines[:5] == [
        "aggregates: 2",
        "edges: 1",
        "dead: 1",
        "divergent: 0",
        "markings in an aggregate: 1 to 2",
    ]
    assert [line.split(":")[0] for line in lines[5:]] == [
        "nodes in an aggregate",
        "peak nodes",
        "seconds",
    ]


def test_several_formulas_observe_together(cli, net, tmp_path):
    more = tmp_path / "more.ltl"
    more.write_text("F b\nG a\n")
    outcome = cli("sog", net, "-f", "fire(o)", "-F", more, "--json", "-")
    report = json.loads(outcome.out)
    assert report["backend"] != "auto"  # the one that was taken
    assert report["atoms"] == ["fire(o)", "b >= 1", "a >= 1"]
    assert report["figures"]["aggregates"] == 3


@pytest.mark.parametrize("backend", ["mdd", "bdd", "bits", "explicit"])
def test_backends_agree(cli, net, backend):
    outcome = cli("sog", net, "-f", "b", "--backend", backend, "--json", "-")
    figures = json.loads(outcome.out)["figures"]
    assert (figures["aggregates"], figures["edges"]) == (3, 2)
    assert (figures["peak_nodes"] is None) == (backend in {"bits", "explicit"})


def test_the_json_report(cli, net, tmp_path):
    path = tmp_path / "sog.json"
    assert cli("sog", net, "-f", "fire(o) | b", "--backend", "mdd", "--json", path).code == 0
    report = json.loads(path.read_text())
    assert report["command"] == "sog"
    assert (report["backend"], report["aggregation"]) == ("mdd", "precise")
    assert (report["forbid"], report["aggregate_nodes"]) == (0, None)
    assert (report["complete"], report["reason"]) == (True, None)
    first, second, third = report["graph"]["aggregates"]
    assert first["label"] == {"b >= 1": False}
    assert (second["markings"], third["dead"], third["divergent"]) == (1, True, False)
    assert report["graph"]["edges"] == [
        {"source": 0, "target": 1, "transition": None, "waited": True},
        {"source": 1, "target": 2, "transition": "o", "waited": False},
    ]


def test_limited_expansion_gives_more_aggregates(cli, tmp_path):
    path = saved(generate("kanban", 1), tmp_path)
    counts = [
        json.loads(cli("sog", path, "-f", "G Pm1", *extra, "--json", "-").out)["figures"]
        for extra in ([], ["--forbid", "4"], ["--aggregate-nodes", "20", "--backend", "mdd"])
    ]
    plain, forbidden, bounded = (figures["aggregates"] for figures in counts)
    assert plain < min(forbidden, bounded)


def test_the_dot_file(cli, net, tmp_path):
    path = tmp_path / "sog.dot"
    assert cli("sog", net, "-f", "fire(o)", "--dot", path).code == 0
    lines = path.read_text().splitlines()
    assert lines[0] == "digraph sog {"
    assert '  0 [label="0\\n2 markings"]' in lines
    assert '  1 [label="1\\n1 marking\\ndead"]' in lines
    assert '  0 -> 1 [label="o", style=dashed]' in lines


def test_a_picture_is_drawn_by_graphviz(cli, net, tmp_path, monkeypatch):
    fake = tmp_path / "bin" / "dot"
    fake.parent.mkdir()
    fake.write_text("#!/bin/sh\necho '<svg>'; head -1\n")
    fake.chmod(fake.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", str(fake.parent), prepend=":")
    picture = tmp_path / "sog.svg"
    assert cli("sog", net, "-f", "fire(o)", "--svg", picture).code == 0
    assert picture.read_text() == "<svg>\ndigraph sog {\n"
    assert DRAWABLE == 200
    monkeypatch.setattr("mpisog.report.sog_export.DRAWABLE", 1)
    outcome = cli("sog", net, "-f", "fire(o)", "--svg", picture)
    assert outcome.code == 3
    assert "2 aggregates is too big for a picture (at most 1" in outcome.err
    assert "aggregates: 2" in outcome.out


@pytest.mark.skipif(shutil.which("dot") is None, reason="Graphviz is not installed")
def test_a_picture_by_graphviz_itself(cli, net, tmp_path):
    picture = tmp_path / "sog.svg"
    assert cli("sog", net, "-f", "fire(o)", "--svg", picture).code == 0
    root = etree.parse(picture).getroot()
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    kinds = [group.get("class") for group in root.iter("{*}g")]
    # Beside the two aggregates there is the point from which an arrow leads to the first.
    assert (kinds.count("node"), kinds.count("edge")) == (3, 2)


def test_a_picture_without_graphviz(cli, net, tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    outcome = cli("sog", net, "-f", "fire(o)", "--svg", tmp_path / "sog.svg")
    assert (outcome.code, outcome.out) == (3, "")
    assert "apt-get install graphviz" in outcome.err


def test_the_hoa_file_is_read_by_spot(cli, net, tmp_path):
    path = tmp_path / "sog.hoa"
    assert cli("sog", net, "-f", "fire(o) & a", "--hoa", path).code == 0
    automaton = spot.automaton(str(path))
    assert automaton.get_acceptance().is_t()
    assert sorted(ap.ap_name() for ap in automaton.ap()) == ["a >= 1", "fire(o)"]


def holds_on(hoa: str, bound, net) -> bool:
    """Whether Spot finds no run of the automaton that violates the formula."""
    names = spot.relabeling_map()
    for index, atom in enumerate(bound.atoms):
        names[spot.formula.ap(f"a{index}")] = spot.formula.ap(describe(atom, net))
    negation = spot.formula.Not(spot.relabel_apply(bound.formula, names))
    return not spot.automaton(hoa).intersects(spot.translate(negation))


def test_spot_comes_to_the_engines_verdict_on_the_hoa_automaton():
    rng = Random(42)
    verdicts = []
    while len(verdicts) < 40:
        random = random_net(rng)
        net = to_mpisog(random)
        bound = bind(Property("random", ltl.text(random_formula(rng, random))), net)
        if unfit(bound, Budget()) is not None:
            continue
        config = RunConfig(
            backend=rng.choice(["auto", "mdd", "explicit"]),
            aggregation=rng.choice(["precise", "static"]),
            forbid=rng.choice([0, 2]),
            aggregate_nodes=rng.choice([None, 3]),
        )
        found = run_engine(Sog(), net, bound, config)
        domain = NetResources(net).domain(config.backend, Budget())
        whole = explore_whole(ObservationGraph(domain, observe(net, bound.atoms, config)))
        assert holds_on(to_hoa(whole), bound, net) == (found.counterexample is None), bound.text
        verdicts.append(found.counterexample is None)
    assert 8 < sum(verdicts) < 32


def test_nothing_to_observe(cli, net):
    outcome = cli("sog", net)
    assert outcome.code == 3
    assert "nothing to observe (give -f" in outcome.err


def test_only_one_output_on_stdout(cli, net):
    assert cli("sog", net, "-f", "a", "--json", "-", "--dot", "-").code == 3
    assert cli("sog", net, "-f", "a", "--dot", "-").out.startswith("digraph sog {\n")


@pytest.mark.parametrize(
    ("option", "message"),
    [
        (("--forbid", "-1"), "sets forbid to '-1' (a number from 0 to "),
        (("--aggregate-nodes", "few"), "sets aggregate-nodes to 'few'"),
        (("--aggregation", "statik"), "did you mean 'static'"),
        (("--backend", "mddd"), "did you mean 'mdd'"),
        (("--dot", "no/such/folder"), "No such file or directory"),
    ],
)
def test_options_that_cannot_be_used(cli, net, option, message):
    outcome = cli("sog", net, "-f", "a", *option)
    assert outcome.code == 3
    assert message in outcome.err


def test_a_limit_is_unknown(cli, tmp_path):
    path = saved(generate("kanban", 30), tmp_path)
    report = tmp_path / "sog.json"
    atoms = "G Pm1 & F Pm2 & F Pm3 & F P1 & F P2 & F P3"
    outcome = cli("sog", path, "-f", atoms, "--timeout", "0.05", "--json", report)
    assert (outcome.code, outcome.out) == (2, "")
    assert "unknown: time limit of 0.05 s reached" in outcome.err
    data = json.loads(report.read_text())
    assert (data["complete"], data["figures"], data["graph"]) == (False, None, None)


def test_an_unbounded_net_is_unknown(cli, tmp_path):
    outcome = cli("sog", saved(pump(), tmp_path), "-f", "G run", "--timeout", "5")
    assert outcome.code == 2
