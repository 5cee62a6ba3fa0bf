"""Counterexamples as text, JSON and Tina scenario, against golden files written by hand."""

from __future__ import annotations

import json

import pytest

from mpisog import check
from mpisog.budget import Budget
from mpisog.formulas.properties import Property
from mpisog.nets.model import PetriNet, make_net
from mpisog.report.trace_lines import MOST_LINES, View
from mpisog.report.traces import story_text, trace_data, trace_scenario, trace_text
from mpisog.spotglue.ltl import bind
from mpisog.trace.explain import Explanation, explain
from mpisog.trace.lasso import Lasso, Markings
from tests.helpers import ROOT, toggle, u_then_o

GOLDEN = ROOT / "tests" / "golden"


def cycle() -> Lasso:
    """Spend three coins, look, then up and re-set for ever."""
    net = make_net(
        "cycle",
        {"coin": 3, "box": 0, "off": 1, "on": 0},
        {
            "spend": (["coin"], ["box"]),
            "look": (["off"], ["off"]),
            "up": (["off"], ["on"]),
            "re-set": (["on"], ["off"]),
        },
    )
    return Lasso(net, (0, 0, 0, 1), (2, 3))


LASSOS = {"dead_end": lambda: Lasso(u_then_o(), (0, 1), ()), "cycle": cycle}


@pytest.mark.parametrize("name", LASSOS)
def test_text(name):
    assert trace_text(LASSOS[name]()) + "\n" == (GOLDEN / f"{name}.txt").read_text()


@pytest.mark.parametrize("name", LASSOS)
def test_data(name):
    data = trace_data(LASSOS[name]())
    assert data == json.loads((GOLDEN / f"{name}.json").read_text())
    assert json.loads(json.dumps(data)) == data


def test_scenario():
    assert trace_scenario(cycle()) == (GOLDEN / "cycle.scn").read_text()


@pytest.mark.parametrize(
    ("name", "written"),
    [("t_1'", "t_1'"), ("a.b", "{a.b}"), ("a b", "{a b}"), ("a{b}", "{a\\{b\\}}"), ("é", "{é}")],
)
def test_scenario_names(name, written):
    net = make_net("n", {"p": 1}, {name: (["p"], [])})
    assert trace_scenario(Lasso(net, (0,), ())) == written + "\n"


def test_a_cycle_that_starts_at_once():
    lines = trace_text(Lasso(toggle(), (), (0, 1))).splitlines()
    assert lines[0] == "  start   off=1"
    assert lines[1] == "  -- from here on for ever:"


def test_the_same_transition_on_both_sides_of_the_cycle_start_is_two_lines():
    net = make_net("n", {"p": 1}, {"t": (["p"], ["p"])})
    assert [line.split()[:2] for line in trace_text(Lasso(net, (0, 0), (0,))).splitlines()][
        1:4
    ] == [
        ["2", "t"],
        ["--", "from"],
        ["3", "t"],
    ]


def test_an_empty_marking_is_said():
    net = make_net("n", {"p": 1}, {"t": (["p"], [])})
    assert "  dead    (empty)" in trace_text(Lasso(net, (0,), ())).splitlines()


def test_repeated_parts_are_folded():
    text = trace_text(Lasso(toggle(), (0, 1) * 40, (0, 1)))
    lines = text.splitlines()
    assert "... the last 2 lines 39 times more, up to step 80 ..." in text
    assert sum(line.split()[0].isdecimal() for line in lines) == 4


def counting(places: int) -> Lasso:
    """One step for each place, none like another."""
    net = make_net(
        "many",
        {f"p{i}": 1 for i in range(places)},
        {f"t{i}": ([f"p{i}"], []) for i in range(places)},
    )
    return Lasso(net, tuple(range(places)), ())


def test_a_long_part_is_cut_in_the_middle():
    lasso = counting(2 * MOST_LINES)
    text = trace_text(lasso)
    shown = sum(line.split()[0].isdecimal() for line in text.splitlines())
    assert shown < MOST_LINES
    assert f"... {2 * MOST_LINES - shown} more steps" in text
    assert len(trace_data(lasso)["prefix"]) == 2 * MOST_LINES


def test_the_step_that_matters_is_never_hidden():
    places = 2 * MOST_LINES
    lasso = counting(places)
    bound = bind(Property("f", f"G p{places // 2}"), lasso.net)
    text = story_text(explain(lasso, bound, Budget()), View())
    assert f"-p{places // 2}" in text
    assert f"after step {places // 2 + 1}" in text


def test_many_observed_places_are_not_all_spelt_out():
    """``dead`` observes every place of a large net."""
    lasso = counting(60)
    story = explain(lasso, bind(Property("f", "G !dead"), lasso.net), Budget())
    assert "p49=1, … 10 more" in story_text(story, View())
    assert "p50=1" not in story_text(story, View())
    assert "p58=1, p59=1" in story_text(story, View("all"))


def test_what_is_shown_of_the_marking():
    lasso = Lasso(cycle().net, (0,), (2, 3))
    story = explain(lasso, bind(Property("f", "G off"), lasso.net), Budget())
    everything = story_text(story, View("all"))
    changed = story_text(story, View("changed"))
    observed = story_text(story, View("observed"))
    assert "start   coin=3, off=1" in everything
    assert "start   coin=3, off=1" in changed
    assert "coin 3->2" in changed
    assert "start   off=1   [off]" in observed
    assert "coin" not in observed
    assert "off 1->0" in observed


def told(text: str) -> list[str]:
    result = check(toggle(), text, shortest=True)
    assert result.trace is not None
    assert result.bound is not None
    return story_text(explain(result.trace, result.bound, Budget()), View()).splitlines()


def test_events_stand_at_their_steps():
    lines = told("G(on -> X F G !up)")  # up comes again and again
    steps = [line for line in lines if line.split()[0].isdecimal()]
    assert ["up fires, +on" in line for line in steps] == ["  up " in line for line in steps]
    assert ["-on" in line for line in steps] == ["  down " in line for line in steps]
    assert not any("fires" in line for line in steps if "  down " in line)
    assert any(line.split() == ["holds", "on", "1"] for line in lines)
    assert any(line.split() == ["up", "step", "1"] for line in lines)


def test_what_the_steps_do_not_tell_is_called_open():
    lines = told("G(off -> X off) & F dead")
    holds = [line[10:].split("  ") for line in lines[lines.index(next(
        line for line in lines if line.startswith("  holds"))):]]  # fmt: skip
    where = {text: rest[-1].strip() for text, *rest in holds}
    assert where["off"] == "0"
    assert where["X off"] == "open at 1"
    assert where["off -> X off"] == "1"
    assert where["F dead"] == "open at 0-1"


def holding(text: str, net: PetriNet) -> dict[str, str]:
    """By part where it holds, as it is written."""
    result = check(net, text, shortest=True)
    assert result.trace is not None
    assert result.bound is not None
    text = story_text(explain(result.trace, result.bound, Budget()), View())
    rows = [line[10:].split("  ", 1) for line in text[text.index("\n  holds") + 1 :].splitlines()]
    return {part: where.strip() for part, where in rows}


def test_what_fires_before_a_dead_end_fires_once():
    assert holding("G F o", u_then_o()) == {"o": "step 2", "F o": "0-1"}


def test_nothing_is_said_of_what_comes_after_the_seal():
    assert holding("G on", toggle()) == {"on": "not so far"}
    assert holding("X(off & X off)", toggle())["off"] == "0"
    assert holding("!off & F on", toggle())["off"] == "0"


def test_a_marking_without_observed_tokens_is_not_called_empty():
    lasso = Lasso(cycle().net, (0,), (2, 3))
    story = explain(lasso, bind(Property("f", "F on & G off"), lasso.net), Budget())
    assert "start   off=1" in story_text(story, View("observed"))
    unmarked = explain(lasso, bind(Property("f", "G box"), lasso.net), Budget())
    assert "start   (no token in observed places)" in story_text(unmarked, View("observed"))


def test_a_lasso_as_a_string():
    assert str(Lasso(u_then_o(), (0, 1), ())) == "u o; then dead"
    assert str(Lasso(toggle(), (), (0, 1))) == "(at once); then for ever: up down"


@pytest.fixture
def whole_markings(monkeypatch) -> list[object]:
    """Each time that somebody asks for all tokens at once: on a large net that takes long."""
    asked: list[object] = []
    whole = Markings.__getitem__
    monkeypatch.setattr(Markings, "__getitem__", lambda *a: asked.append(a) or whole(*a))
    return asked


def long_story() -> Explanation:
    lasso = Lasso(toggle(), (0, 1) * 300, (0, 1))
    return explain(lasso, bind(Property("p", "G on"), lasso.net), Budget())


def test_data_of_a_long_run_does_not_ask_for_whole_markings(whole_markings):
    """On a net of 47,000 places that took minutes for each result of a report."""
    story = long_story()
    whole_markings.clear()
    data = trace_data(story.lasso, story)
    assert len(whole_markings) <= 2
    steps = data["explanation"]["steps"]
    changes = [{"off": [1, 0], "on": [0, 1]}, {"off": [0, 1], "on": [1, 0]}]
    assert [step["changes"] for step in steps[:602]] == changes * 301


def test_text_of_a_long_run_does_not_ask_for_whole_markings(whole_markings):
    story = long_story()
    whole_markings.clear()
    text = story_text(story, View())
    assert len(whole_markings) <= 2
    assert "off 1->0, on 0->1" in text
    assert "off 0->1, on 1->0" in text
