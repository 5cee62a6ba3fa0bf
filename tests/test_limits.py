"""Watches: deadlines, memory, interrupts, and a watch within another."""

from __future__ import annotations

import os

import pytest

from mpisog import limits
from mpisog.errors import LimitReached
from mpisog.limits import Interrupted, Watch, default_memory, release_memory, resident_bytes


@pytest.fixture
def clock(monkeypatch):
    """A clock that only the test moves."""

    class Clock:
        now = 100.0

    monkeypatch.setattr(limits.time, "monotonic", lambda: Clock.now)
    return Clock


def test_no_limit_never_stops(clock):
    watch = Watch()
    clock.now += 1e9
    watch.check()
    assert watch.beat(1, 2, 3) is False


def test_a_deadline(clock):
    watch = Watch(5)
    clock.now += 4.9
    watch.check()
    clock.now += 0.1
    assert watch.beat(1, 2, 3) is True
    with pytest.raises(LimitReached, match=r"^time limit of 5 s reached$"):
        watch.check()


def test_memory(monkeypatch, clock):
    watch = Watch(memory=2**30)
    monkeypatch.setattr(limits, "resident_bytes", lambda: 2**30)
    watch.check()
    monkeypatch.setattr(limits, "resident_bytes", lambda: 2**30 + 1)
    watch.check()  # memory is looked at now and then only
    clock.now += limits.MEMORY_LOOKS_EVERY
    with pytest.raises(LimitReached, match=r"^memory limit of 1 GB reached$"):
        watch.check()


def test_an_interrupt_outranks_a_limit(clock):
    watch = Watch(1, 2**20)
    clock.now += 2
    assert watch.beat(0, 0, 0)
    watch.interrupt()
    assert isinstance(watch.stopped, Interrupted)


def test_a_watch_within_another_stops_with_it(clock):
    total = Watch(10, name="total time limit")
    first, second = Watch(100, within=total), Watch(100, within=total)
    clock.now += 10
    for watch in (first, second):
        with pytest.raises(LimitReached, match=r"^total time limit of 10 s reached$"):
            watch.check()


def test_a_limit_inside_does_not_stop_the_whole(clock):
    total = Watch(10)
    inner = Watch(1, within=total)
    clock.now += 2
    assert inner.beat(0, 0, 0)
    total.check()


def test_an_interrupt_stops_the_whole():
    total = Watch()
    inner = Watch(within=total)
    inner.interrupt()
    with pytest.raises(Interrupted):
        Watch(within=total).check()


def test_progress_is_shown_until_the_end(clock):
    seen = []
    watch = Watch(5, show=seen.append)
    watch.beat(3, 7, 0)
    clock.now += 6
    watch.beat(4, 9, 0)
    assert seen == [(("markings", 3), ("firings", 7))]


def test_an_interrupt_while_showing_progress_is_not_lost():
    def show(*_):
        raise KeyboardInterrupt

    watch = Watch(show=show)
    assert watch.beat(0, 0, 0) is True
    assert isinstance(watch.stopped, Interrupted)


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
    monkeypatch.setattr(limits, "available_memory", lambda: 10000 * 2**20)
    monkeypatch.setattr(limits, "resident_bytes", lambda: 0)
    assert default_memory() == budget * 2**20


def test_what_remains_is_the_least_of_all(clock):
    total = Watch(10)
    part = Watch(4, within=total)
    assert (Watch().remaining, total.remaining, part.remaining) == (None, 10, 4)
    clock.now += 7
    assert (total.remaining, part.remaining) == (3, 0)
    assert Watch(8, within=total).remaining == 3


def test_a_part_that_runs_out_of_memory_does_not_end_the_whole(monkeypatch, clock):
    whole = Watch(memory=2**30)
    part = Watch(memory=2**30, within=whole)
    monkeypatch.setattr(limits, "resident_bytes", lambda: 2**30 + 1)
    with pytest.raises(LimitReached, match="memory"):
        part.check()
    monkeypatch.setattr(limits, "resident_bytes", lambda: 2**20)
    clock.now += 1
    whole.check()
