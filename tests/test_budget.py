"""Budgets: deadlines, memory, interrupts, and a budget within another."""

from __future__ import annotations

import os

import pytest

from mpisog import budget as budget_module
from mpisog.budget import Budget, Interrupted, default_memory, release_memory, resident_bytes
from mpisog.errors import LimitReached


@pytest.fixture
def clock(monkeypatch):
    """A clock that only the test moves."""

    class Clock:
        now = 100.0

    monkeypatch.setattr(budget_module.time, "monotonic", lambda: Clock.now)
    return Clock


def test_no_limit_never_stops(clock):
    budget = Budget()
    clock.now += 1e9
    budget.check()
    assert budget.poll(1, 2, 3) is False


def test_a_deadline(clock):
    budget = Budget(5)
    clock.now += 4.9
    budget.check()
    clock.now += 0.1
    assert budget.poll(1, 2, 3) is True
    with pytest.raises(LimitReached, match=r"^time limit of 5 s reached$"):
        budget.check()


def test_memory(monkeypatch, clock):
    budget = Budget(memory=2**30)
    monkeypatch.setattr(budget_module, "resident_bytes", lambda: 2**30)
    budget.check()
    monkeypatch.setattr(budget_module, "resident_bytes", lambda: 2**30 + 1)
    budget.check()  # memory is looked at now and then only
    clock.now += budget_module.MEMORY_LOOKS_EVERY
    with pytest.raises(LimitReached, match=r"^memory limit of 1 GB reached$"):
        budget.check()


def test_an_interrupt_outranks_a_limit(clock):
    budget = Budget(1, 2**20)
    clock.now += 2
    assert budget.poll(0, 0, 0)
    budget.interrupt()
    assert isinstance(budget.stopped, Interrupted)


def test_a_watch_within_another_stops_with_it(clock):
    total = Budget(10, name="total time limit")
    first, second = Budget(100, within=total), Budget(100, within=total)
    clock.now += 10
    for budget in (first, second):
        with pytest.raises(LimitReached, match=r"^total time limit of 10 s reached$"):
            budget.check()


def test_a_limit_inside_does_not_stop_the_whole(clock):
    total = Budget(10)
    inner = Budget(1, within=total)
    clock.now += 2
    assert inner.poll(0, 0, 0)
    total.check()


def test_an_interrupt_stops_the_whole():
    total = Budget()
    inner = Budget(within=total)
    inner.interrupt()
    with pytest.raises(Interrupted):
        Budget(within=total).check()


def test_progress_is_shown_until_the_end(clock):
    seen = []
    budget = Budget(5, show=seen.append)
    budget.poll(3, 7, 0)
    clock.now += 6
    budget.poll(4, 9, 0)
    assert seen == [(("markings", 3), ("firings", 7))]


def test_an_interrupt_while_showing_progress_is_not_lost():
    def show(*_):
        raise KeyboardInterrupt

    budget = Budget(show=show)
    assert budget.poll(0, 0, 0) is True
    assert isinstance(budget.stopped, Interrupted)


def test_measures_are_plausible():
    release_memory()
    assert 2**20 < resident_bytes() < 2**40
    assert default_memory() > resident_bytes()


@pytest.mark.parametrize(
    ("environment", "budget"),
    [
        ({}, 9000),
        ({"OMPI_COMM_WORLD_SIZE": "8", "OMPI_COMM_WORLD_LOCAL_SIZE": "4"}, 2250),
        ({"SLURM_JOB_ID": "1", "SLURM_MEM_PER_NODE": "5000"}, 4500),
        ({"SLURM_JOB_ID": "1", "SLURM_MEM_PER_NODE": "99999"}, 9000),
    ],
    ids=["alone", "four ranks on a host", "less in the job", "more in the job"],
)
def test_default_memory_is_shared_fairly(monkeypatch, environment, budget):
    """Ten thousand megabytes are free, of which nine tenths are for us."""
    for name in list(os.environ):
        if name.startswith(("SLURM", "OMPI", "PMI")):
            monkeypatch.delenv(name)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(budget_module, "available_memory", lambda: 10000 * 2**20)
    monkeypatch.setattr(budget_module, "resident_bytes", lambda: 0)
    assert default_memory() == budget * 2**20


def test_what_remains_is_the_least_of_all(clock):
    total = Budget(10)
    part = Budget(4, within=total)
    assert (Budget().remaining, total.remaining, part.remaining) == (None, 10, 4)
    clock.now += 7
    assert (total.remaining, part.remaining) == (3, 0)
    assert Budget(8, within=total).remaining == 3


def test_a_part_that_runs_out_of_memory_does_not_end_the_whole(monkeypatch, clock):
    whole = Budget(memory=2**30)
    part = Budget(memory=2**30, within=whole)
    monkeypatch.setattr(budget_module, "resident_bytes", lambda: 2**30 + 1)
    with pytest.raises(LimitReached, match="memory"):
        part.check()
    monkeypatch.setattr(budget_module, "resident_bytes", lambda: 2**20)
    clock.now += 1
    whole.check()


def test_an_attempt_gives_back_the_limit_that_ended_it(clock):
    total = Budget(100)

    def late(part):
        clock.now += 5
        part.check()

    found = total.attempt(4, late)
    assert isinstance(found, LimitReached)
    assert found.reason == "time limit of 4 s reached"
    assert total.attempt(4, lambda part: 7) == 7
    total.check()


def test_an_attempt_raises_the_limit_of_the_whole(clock):
    total = Budget(3)

    def late(part):
        clock.now += 5
        part.check()

    with pytest.raises(LimitReached, match="of 3 s"):
        total.attempt(4, late)
    stopped = Budget()
    stopped.interrupt()
    with pytest.raises(LimitReached, match="interrupted"):
        stopped.attempt(4, lambda part: part.check())


def test_an_attempt_survives_a_lack_of_memory():
    def greedy(part):
        raise MemoryError

    found = Budget().attempt(None, greedy)
    assert isinstance(found, LimitReached)
    assert found.reason == "out of memory"


def test_memory_is_inherited():
    assert Budget(within=Budget(memory=5)).memory == 5
    assert Budget(memory=3, within=Budget(memory=5)).memory == 3
