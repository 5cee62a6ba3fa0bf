"""Which formulas see delays."""

from __future__ import annotations

import pytest

from mpisog.budget import Budget
from mpisog.formulas.properties import Property
from mpisog.spotglue.delays import may_see_delays
from mpisog.spotglue.ltl import bind
from tests.helpers import u_then_o

CASES = {
    "F fire(o)": False,
    "G(a -> F fire(o))": False,
    "G F fire(u)": False,
    "G a": False,
    "F dead": False,
    "G F dead": False,
    "fire(o)": True,
    "!fire(o)": True,
    "b U fire(o)": True,  # at once without b, but not later
    "F(b & fire(o))": False,
    "!b U (b & fire(o))": True,
    "fire(u) U fire(o)": True,
    "G(fire(u) | fire(o))": True,
    "dead": True,
    "!dead": True,
    "F(a & dead)": False,
    "!c U (c & dead)": True,
    "c R !dead": True,
}


@pytest.mark.parametrize(("text", "sees"), CASES.items())
def test_formulas(text, sees):
    assert may_see_delays(bind(Property("f", text), u_then_o()), Budget()) is sees
