"""What comes first, and counterexamples of other processes: who prints them has replayed them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from mpisog import Verdict
from mpisog.budget import Budget
from mpisog.config import RunConfig
from mpisog.engines.base import Finding
from mpisog.engines.batch import prepare
from mpisog.engines.dfs import Dfs
from mpisog.engines.schedule import Slice, Stage
from mpisog.engines.unit import Undecided, Why
from mpisog.errors import LimitReached
from mpisog.executor.dispatcher import Dispatcher
from mpisog.executor.property_state import Unit
from mpisog.formulas.properties import Property
from mpisog.trace.lasso import Lasso
from mpisog.verdict import Result
from tests.helpers import toggle, u_then_o

FOUND = Lasso(u_then_o(), (0, 1), ())
SEALED = replace(FOUND, sealed=2)
LATER = Undecided(Why.TIME, "later")


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
    return result


def test_what_replays_is_the_result():
    result = after_polishing(SEALED)
    assert (result.verdict, result.trace) == (Verdict.FALSE, SEALED)


def test_a_run_that_satisfies_the_formula_is_an_internal_error_of_that_formula():
    units = Units(["G on", "F G on"], 1, (1,))
    units.begin(1)
    units.end(1, Finding(Lasso(toggle(), (0,), ())))
    units.begin(1)
    units.end(1, Finding(Lasso(toggle(), (), (0, 1))))
    broken, violated = units.given.known()
    assert (broken.verdict, violated.verdict) == (Verdict.UNKNOWN, Verdict.FALSE)
    assert broken.reason.startswith("internal error: a counterexample ends in a marking")
    assert "certify" in broken.error


def test_a_trace_that_is_not_sealed_where_it_says_so_is_an_internal_error():
    result = after_polishing(replace(SEALED, sealed=1))
    assert result.verdict is Verdict.UNKNOWN
    assert "sealed" in result.reason


def test_what_was_found_stands_when_the_replay_takes_too_long(monkeypatch):
    monkeypatch.setattr("mpisog.executor.dispatcher.REPLAY_SECONDS", 0.0)
    result = after_polishing(SEALED)
    assert (result.verdict, result.trace) == (Verdict.FALSE, FOUND)


TWO = "G F on & G F off"
"""Two conjuncts, neither of which says that the net is trivial."""


class Units:
    """A dispatcher for several workers, on a schedule of these rounds, and a clock that is set."""

    def __init__(
        self,
        formulas: list[str],
        workers: int,
        rounds: tuple[int, ...],
        timeout: float | None = 10,
    ) -> None:
        self.now = 0.0
        config = RunConfig(timeout=timeout)
        batch = prepare(toggle(), [Property(f"f{i}", f) for i, f in enumerate(formulas)], config)
        batch.__dict__["stages"] = tuple(
            Stage(f"stage {i}", Dfs(), Slice(), round=r) for i, r in enumerate(rounds)
        )
        self.given = Dispatcher(batch, Budget(), lambda: self.now, workers=workers)
        self.running: dict[int, Unit] = {}

    def begin(self, worker: int) -> tuple[int, int | None]:
        """The property and the stage that the worker gets."""
        unit = self.given.next(worker)
        assert unit is not None
        self.running[worker] = unit
        return unit.property, unit.stage

    def end(self, worker: int, outcome: Finding | Undecided | LimitReached = LATER) -> None:
        self.given.ended(self.running.pop(worker).number, outcome, 0.0)


def test_few_properties_are_taken_in_turns():
    """Three of ten seconds take two workers fifteen: one is not left to the end."""
    units = Units(["F on", "F off", "G on"], 2, (1,) * 10)
    assert [units.begin(1), units.begin(2)] == [(0, 0), (1, 0)]
    worked = {0: 0.0, 1: 0.0, 2: 0.0}
    while units.given.running:
        for worker in (1, 2):
            worked[units.running[worker].property] += 1
        units.now += 1
        for worker in (1, 2):
            units.end(worker)
        if min(worked.values()) == 10:
            break
        assert len({units.begin(worker)[0] for worker in (1, 2)}) == 2
    assert units.now == 15


def test_a_worker_that_is_alone_ends_what_it_has_begun():
    units = Units(["F on", "F off", "G on"], 1, (1, 1))
    for expected in ((0, 0), (0, 1), (1, 0), (1, 1)):
        assert units.begin(1) == expected
        units.now += 1
        units.end(1)


@pytest.mark.parametrize(("others", "late"), [(1, True), (6, False)])
def test_counterexamples_are_shortened_while_something_else_takes_long(others, late):
    units = Units([*["F off"] * others, "G on"], 2, (0, 1))
    for number in range(others):
        assert units.begin(1) == (number, 0)
        units.end(1)
    assert units.begin(2) == (others, 0)
    units.end(2, Finding(Lasso(toggle(), (), (0, 1))))
    long, polish = (0, 1), (others, None)
    assert [units.begin(2), units.begin(1)] == ([long, polish] if late else [polish, long])


def test_without_a_time_limit_what_is_known_does_not_wait_for_long_stages():
    units = Units(["F off", "G on"], 2, (0, 1), timeout=None)
    assert units.begin(1) == (0, 0)
    units.end(1)
    assert units.begin(2) == (1, 0)
    units.end(2, Finding(Lasso(toggle(), (), (0, 1))))
    assert [units.begin(2), units.begin(1)] == [(1, None), (0, 1)]


def test_a_unit_whose_conjunct_is_decided_is_cancelled():
    units = Units([TWO], 3, (1, 1))
    assert [units.begin(worker) for worker in (1, 2, 3)] == [(0, 0), (0, 0), (0, 1)]
    first, other, racing = (units.running[worker] for worker in (1, 2, 3))
    assert first.task == racing.task != other.task
    units.end(1, Finding(None))
    assert units.given.take_cancelled() == [racing.number]
    units.end(3, LimitReached("no longer needed"))
    assert not units.given.finished
    units.end(2, Finding(None))
    assert units.given.known()[0].verdict is Verdict.TRUE


def test_a_lost_unit_whose_conjunct_is_decided_is_not_run_again():
    units = Units([TWO], 3, (1, 1))
    first, _, racing = (units.begin(worker) and units.running[worker] for worker in (1, 2, 3))
    units.given.ended(first.number, Finding(None), 0.0)
    units.given.lost(racing.number, "killed by SIGKILL")
    units.end(2)
    assert units.begin(2) == (0, 1)
    units.end(2)
    assert units.given.finished
