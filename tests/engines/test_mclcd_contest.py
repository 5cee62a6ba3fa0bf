"""The contest's formulas that are LRL, by mclcd: its verdicts of 2025."""

from __future__ import annotations

from itertools import cycle

import pytest

import mpisog
from mpisog.config import RunConfig
from mpisog.engines.mclcd import VARIANTS
from mpisog.executor.checks import check_all
from mpisog.formulas.mcc_xml import read_mcc_properties
from mpisog.spotglue.lazy import recognise
from mpisog.spotglue.ltl import bind
from tests.engines.test_contest import (
    EXAMINATIONS,
    LARGE,
    MEDIUM,
    _file,
    _models,
    pytestmark,  # noqa: F401 - pytest reads it
    verdicts,
)


def lrl_properties(model, net):
    """Those with a known verdict that mclcd can check."""
    return [
        prop
        for examination in EXAMINATIONS
        for prop in read_mcc_properties(_file(model, f"{examination}.xml"), net)
        if prop.name in verdicts() and recognise(bind(prop, net).formula) is not None
    ]


def assert_verdicts(model: str, **settings) -> int:
    net = mpisog.load_net(_file(model, "model.pnml"))
    properties = lrl_properties(model, net)
    for prop, variant in zip(properties, cycle(VARIANTS)):
        config = RunConfig(engine="mclcd", variant=variant, **settings)
        (result,) = check_all(net, [prop], config)
        assert str(result.verdict) == verdicts()[prop.name], f"{prop.name} {variant}"
    return len(properties)


@pytest.mark.parametrize("model", _models(0, MEDIUM))
def test_verdicts_of_small_and_medium_nets(model):
    assert_verdicts(model, threads=2)


@pytest.mark.slow
@pytest.mark.parametrize("model", _models(0, LARGE))
def test_verdicts_without_reductions(model):
    assert_verdicts(model, threads=2, reduce="none")


def test_there_are_such_formulas():
    models = _models(0, MEDIUM)
    nets = {model: mpisog.load_net(_file(model, "model.pnml")) for model in models}
    assert sum(len(lrl_properties(model, net)) for model, net in nets.items()) >= 100
