"""Counterexamples that come from other processes: who prints them has replayed them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from mpisog import Verdict
from mpisog.budget import Budget
from mpisog.config import RunConfig
from mpisog.engines.base import Finding
from mpisog.engines.batch import prepare
from mpisog.errors import InternalError
from mpisog.executor.dispatcher import Dispatcher, Unit
from mpisog.formulas.properties import Property
from mpisog.trace.lasso import Lasso
from mpisog.verdict import Result
from tests.helpers import u_then_o

FOUND = Lasso(u_then_o(), (0, 1), ())
SEALED = replace(FOUND, sealed=2)


def dispatcher() -> Dispatcher:
    batch = prepare(u_then_o(), [Property("f", 'G !"fire(o)"')], RunConfig())
    return Dispatcher(batch, Budget(), lambda: 0.0)


def next_unit(units: Dispatcher) -> Unit:
    unit = units.next(1)
    assert unit is not None
    return unit


def after_polishing(trace: Lasso) -> Result:
    """The result, when a worker finds a counterexample and then makes this one of it."""
    units = dispatcher()
    units.ended(next_unit(units).number, Finding(FOUND), 0.0)
    polish = next_unit(units)
    units.polished(polish.number, replace(units.verdict(polish), trace=trace))
    (result,) = units.results()
    assert result.verdict is Verdict.FALSE
    return result


def test_what_replays_is_the_result():
    assert after_polishing(SEALED).trace == SEALED


def test_a_run_that_satisfies_the_formula_is_an_internal_error():
    units = dispatcher()
    with pytest.raises(InternalError):
        units.ended(next_unit(units).number, Finding(replace(FOUND, prefix=(0,))), 0.0)


def test_a_trace_that_is_not_sealed_where_it_says_so_is_an_internal_error():
    with pytest.raises(InternalError, match="sealed"):
        after_polishing(replace(SEALED, sealed=1))


def test_what_was_found_stands_when_the_replay_takes_too_long(monkeypatch):
    monkeypatch.setattr("mpisog.executor.dispatcher.REPLAY_SECONDS", 0.0)
    assert after_polishing(SEALED).trace == FOUND
