"""The token game in the terminal."""

from __future__ import annotations

import io
import sys

import pytest

from mpisog.nets.generators import generate
from tests.helpers import saved, toggle, u_then_o


@pytest.fixture
def play(cli, monkeypatch, tmp_path):
    """Types these lines."""

    def call(net, *lines, options=()):
        monkeypatch.setattr(sys, "stdin", io.StringIO("\n".join(lines) + "\n"))
        return cli("simulate", saved(net, tmp_path), *options)

    return call


def test_fire_by_name_and_number_and_undo(play):
    outcome = play(toggle(), "up", "1", "undo", "steps", "quit", "up", options=("-f", "G on"))
    assert outcome.code == 0
    assert outcome.out.splitlines() == [
        "step 0: off=1",
        "  atoms: -on",
        "  enabled: 1:up",
        "step 1 up: on=1",
        "  atoms: +on",
        "  enabled: 1:down",
        "step 2 down: off=1",
        "  atoms: -on",
        "  enabled: 1:up",
        "step 1 up: on=1",
        "  atoms: +on",
        "  enabled: 1:down",
        "  up",
    ]


def test_mistakes_are_told_and_the_game_goes_on(play):
    out = play(toggle(), "down", "downn", "undo x", "load", "load none.scn", "up").out
    assert "'down' is not enabled: on has 0 of 1" in out
    assert "no transition 'downn' (did you mean 'down'" in out
    assert "'x' is not a number of steps" in out
    assert "which file?" in out
    assert "none.scn: No such file" in out
    assert "step 1 up: on=1" in out


def test_fewer_than_no_random_steps_are_refused(play):
    assert play(toggle(), options=("--random", "-2")).code == 3


def test_a_dead_marking_is_told(play):
    out = play(u_then_o(), "random 10", "marking").out
    assert "step 2 o: c=1\n  enabled: nothing, this marking is dead\n  c=1\n" in out


def test_random_steps_are_the_same_with_a_seed(play):
    net = generate("token_ring", 5)
    first = play(net, options=("--random", "20", "--seed", "4")).out
    assert first == play(net, options=("--random", "20", "--seed", "4")).out
    assert first.startswith("step 20 ")


def test_scenarios_are_written_and_read(play, tmp_path):
    scenario = tmp_path / "odd name.scn"
    play(toggle(), "up", "down", "up", f"save {scenario}")
    assert scenario.read_text() == "up down up\n"
    assert "step 3 up: on=1" in play(toggle(), f"load {scenario}").out
    assert play(toggle(), options=("--load", scenario)).out.startswith("step 3 up")
    scenario.write_text("up up")
    outcome = play(toggle(), options=("--load", scenario))
    assert outcome.code == 3
    assert "step 2: 'up' is not enabled" in outcome.err


def test_a_counterexample_can_be_loaded(play, cli, tmp_path):
    net = saved(toggle(), tmp_path)
    cli("check", net, "-f", "G off", "--trace-dir", tmp_path / "traces")
    out = play(toggle(), options=("--load", tmp_path / "traces" / "formula-1.scn")).out
    assert out.startswith("step 1 up: on=1")


def test_the_page(play, tmp_path):
    target = tmp_path / "game.html"
    outcome = play(toggle(), options=("--html", target, "-f", "on"))
    assert (outcome.code, outcome.out) == (0, "")
    assert "click a transition to fire it" in target.read_text()
