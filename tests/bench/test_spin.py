"""Spin sees the net and the formula as we do: dead markings, weights, all operators."""

from __future__ import annotations

import shutil

import pytest

from mpisog.bench.cases import Formula
from mpisog.bench.measure import Measured, Stop
from mpisog.bench.peers import PEERS
from mpisog.bench.peers.base import run_peer
from mpisog.bench.suite import Limits
from mpisog.nets.model import make_net
from tests.helpers import saved

NET = make_net(
    "weights",
    {"p": 3, "q": 0, "r": 0},
    {"two": ({"p": 2}, {"q": 1}), "back": ({"q": 1}, {"p": 2}), "end": ({"p": 1}, {"r": 1})},
)
"""``end`` moves tokens away for good; with two left, ``two`` and ``back`` alternate."""


@pytest.fixture
def ask(tmp_path):
    if shutil.which("spin") is None or shutil.which("gcc") is None:
        pytest.skip("no Spin (Debian: apt-get install spin gcc)")

    def call(text: str) -> str:
        formula = Formula("f", text, "ltl")
        path = tmp_path / saved(NET, tmp_path)
        _, (answer,) = run_peer(PEERS["spin"], path, formula, Limits(timeout=60), tmp_path, Stop())
        return answer["verdict"]

    return call


@pytest.mark.parametrize(
    ("formula", "verdict"),
    [
        ('G "p + 2*q + r == 3"', "TRUE"),
        ("F dead", "FALSE"),
        ("G(dead -> G dead)", "TRUE"),
        ('(F G dead) | (G F q) | (F G "p >= 1")', "TRUE"),
        ('"fireable(two)" W r', "FALSE"),
        ('G("r >= 2" -> !"fireable(two,back)") xor false', "TRUE"),
        ("q M p", "FALSE"),
        ("!q U (q R p)", "FALSE"),
        ("!r U (q | r)", "TRUE"),
    ],
)
def test_verdicts(ask, formula, verdict):
    assert ask(formula) == verdict


def test_what_spin_cannot_say_is_unfit(ask):
    assert ask("X p") == "UNFIT"
    assert ask('F "fire(two)"') == "UNFIT"


@pytest.mark.parametrize(
    ("printed", "verdict"),
    [
        ("State-vector 28 byte, depth reached 9, errors: 0\n", "TRUE"),
        ("pan:1: acceptance cycle\ndepth reached 9, errors: 1\n", "FALSE"),
        ("error: max search depth too small\ndepth reached 9, errors: 0\n", None),
        ("pan: out of memory\ndepth reached 9, errors: 0\n", None),
        ("", None),
    ],
)
def test_cut_off_searches_decide_nothing(printed, verdict):
    measured = Measured(1, 1, 1, 1, 0, None, printed, "")
    assert PEERS["spin"].verdict(measured) == verdict
