"""Signals while results are made: one wish, however many processes hand it on."""

from __future__ import annotations

import signal

import pytest

from mpisog.budget import Budget, Interrupted
from mpisog.cli import signals


def test_a_signal_that_comes_twice_at_once_is_one():
    """A batch system's warning reaches a rank directly and through its guard."""
    budget = Budget()
    with signals.stopped_by_signals(budget):
        signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGINT)
        assert isinstance(budget.stopped, Interrupted)


def test_a_later_signal_is_a_second_wish(monkeypatch):
    monkeypatch.setattr(signals, "ONE_WISH", -1.0)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with signals.stopped_by_signals(Budget()):
            signal.raise_signal(signal.SIGINT)
            with pytest.raises(KeyboardInterrupt):
                signal.raise_signal(signal.SIGINT)
    finally:
        signal.signal(signal.SIGINT, before)
