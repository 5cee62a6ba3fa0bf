"""The Model Checking Contest's verdicts and state figures of 2025."""

from __future__ import annotations

import csv
from functools import cache
from pathlib import Path
from random import Random

import pytest

import mpisog
from mpisog.config import RunConfig
from mpisog.executor.checks import check_all
from mpisog.formulas.mcc_xml import read_mcc_properties
from mpisog.verdict import Verdict
from tests.helpers import MCC_DIR

SMALL, MEDIUM, LARGE = 10_000, 100_000, 3_000_000
SAMPLED = 3
"""Formulas of each examination that the default run checks on a net of medium size."""
EXAMINATIONS = ("LTLCardinality", "LTLFireability")

pytestmark = pytest.mark.skipif(
    not (MCC_DIR / "oracle_ltl.tsv").is_file(),
    reason="the contest's nets and verdicts are not here; set MPISOG_MCC_DIR",
)


def _rows(name: str) -> list[list[str]]:
    path = MCC_DIR / name
    if not path.is_file():
        return []
    with path.open(newline="", encoding="utf-8") as stream:
        return list(csv.reader(stream, delimiter="\t"))[1:]


FIGURES = {row[0]: row[1:] for row in _rows("oracle_states.tsv")}
SIZES = {model: int(row[0]) for model, row in FIGURES.items() if row[0].isdecimal()}


def _models(least: int, most: int) -> list[str]:
    return sorted((m for m, size in SIZES.items() if least < size <= most), key=SIZES.__getitem__)


@cache
def verdicts() -> dict[str, str]:
    return {row[2]: row[3] for row in _rows("oracle_ltl.tsv")}


def _file(model: str, name: str) -> Path:
    path = MCC_DIR / model / name
    if not path.is_file():
        pytest.skip(f"{model}/{name} is not among the contest's files here")
    return path


def assert_verdicts(
    model: str, examination: str, sample: int | None = None, engine: str = "explicit"
) -> None:
    """Every FALSE has been replayed before ``check_all`` gives it."""
    net = mpisog.load_net(_file(model, "model.pnml"))
    properties = read_mcc_properties(_file(model, f"{examination}.xml"), net)
    known = [prop for prop in properties if prop.name in verdicts()]
    if sample is not None:
        known = Random(f"{model} {examination}").sample(known, min(sample, len(known)))
    results = list(check_all(net, known, RunConfig(engine=engine)))
    assert len(results) == len(known) > 0
    assert {r.name: str(r.verdict) for r in results} == {p.name: verdicts()[p.name] for p in known}
    assert all((r.trace is not None) == (r.verdict is Verdict.FALSE) for r in results)


@pytest.mark.parametrize("examination", EXAMINATIONS)
@pytest.mark.parametrize("model", _models(0, SMALL))
def test_all_verdicts_of_small_nets(model, examination):
    assert_verdicts(model, examination)


@pytest.mark.parametrize("examination", EXAMINATIONS)
@pytest.mark.parametrize("model", _models(SMALL, MEDIUM))
def test_some_verdicts_of_medium_nets(model, examination):
    assert_verdicts(model, examination, SAMPLED)


@pytest.mark.parametrize("examination", EXAMINATIONS)
@pytest.mark.parametrize("model", _models(SMALL, MEDIUM))
def test_some_verdicts_of_medium_nets_by_auto(model, examination):
    assert_verdicts(model, examination, SAMPLED, engine="auto")


UNFOLDED = ("AutoFlight-PT-01a", "AutoFlight-PT-02a", "ERK-PT-000001", "Eratosthenes-PT-020")
"""1-safe nets whose every formula an unfolding decides in about a second."""


@pytest.mark.parametrize("examination", EXAMINATIONS)
@pytest.mark.parametrize("model", UNFOLDED)
def test_all_verdicts_by_unfolding(model, examination):
    assert_verdicts(model, examination, engine="unfolding")


@pytest.mark.slow
@pytest.mark.parametrize("examination", EXAMINATIONS)
@pytest.mark.parametrize("model", _models(0, MEDIUM))
def test_all_verdicts_by_auto(model, examination):
    assert_verdicts(model, examination, engine="auto")


@pytest.mark.slow
@pytest.mark.parametrize("examination", EXAMINATIONS)
@pytest.mark.parametrize("model", _models(SMALL, MEDIUM))
def test_all_verdicts_of_medium_nets(model, examination):
    assert_verdicts(model, examination)


def assert_figures(model: str) -> None:
    states, edges, tokens, in_place, deadlock, _ = FIGURES[model]
    figures = mpisog.states(_file(model, "model.pnml"))
    found = [
        figures.states,
        figures.edges,
        figures.max_tokens_in_marking,
        figures.max_tokens_in_place,
    ]
    known = [int(text) if text.isdecimal() else None for text in (states, edges, tokens, in_place)]
    assert [f if k is not None else None for f, k in zip(found, known, strict=True)] == known
    if deadlock in ("TRUE", "FALSE"):
        assert (figures.dead > 0) == (deadlock == "TRUE")


@pytest.mark.parametrize("model", _models(0, MEDIUM))
def test_figures_of_small_and_medium_nets(model):
    assert_figures(model)


@pytest.mark.slow
@pytest.mark.parametrize("model", _models(MEDIUM, LARGE))
def test_figures_of_large_nets(model):
    assert_figures(model)


def test_the_oracle_is_the_one_expected():
    """An empty or cut table would make every test above pass."""
    assert len(_models(0, MEDIUM)) >= 29
    assert len(_models(0, LARGE)) >= 39
    assert sum(name.startswith(tuple(_models(0, MEDIUM))) for name in verdicts()) >= 900
